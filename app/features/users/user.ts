export type Role = "admin" | "user";

/** A user without secrets, as every screen may show them. */
export type User = {
  id: string;
  email: string;
  firstName: string;
  lastName: string;
  role: Role;
  avatarIcon: string;
};

/** Returns the first name, otherwise the part of the email before the at-sign, otherwise 'User'. */
export function greetingName(user: Pick<User, "firstName" | "email">): string {
  return user.firstName.trim() || user.email.split("@")[0] || "User";
}
