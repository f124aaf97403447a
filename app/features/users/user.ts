export type Role = "admin" | "user";

/** Who is signed in, as every screen may know them: no secret is in here. */
export type User = {
  id: string;
  email: string;
  firstName: string;
  lastName: string;
  role: Role;
  avatarIcon: string;
};

/** core §1: the first name, otherwise the part of the email before the at-sign, otherwise 'User'. */
export function greetingName(user: Pick<User, "firstName" | "email">): string {
  return user.firstName.trim() || user.email.split("@")[0] || "User";
}
