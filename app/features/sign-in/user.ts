export type Role = "admin" | "user" | "viewer";

export const roleLabels: Record<Role, string> = { admin: "Admin", user: "User", viewer: "Viewer" };

/** A user without secrets, as every screen may show them. */
export type User = {
  id: string;
  email: string;
  firstName: string;
  lastName: string;
  role: Role;
  avatarIcon: string;
  /** The image that is shown instead of the icon. */
  avatarId: string | null;
};

/** A person who reads something; viewers see codes masked (RULES H23). */
export type Reader = Pick<User, "role">;

/** Tells whether somebody may change anything but their own account. */
export function canEdit({ role }: Reader): boolean {
  return role !== "viewer";
}

/** Whose role may open something; without, everybody. */
export type Audience = "editors" | "admins" | undefined;

export function isAmong(audience: Audience, reader: Reader): boolean {
  if (audience === "admins") return reader.role === "admin";
  return audience === undefined || canEdit(reader);
}

/**
 * A user whose password or link was checked, with the version of the credentials then. Sessions and tokens are
 * issued for this version only: after a change of address, password, role or state the check counts no more (RULES H18).
 */
export type CheckedUser = User & { credentialsVersion: number };

/** Returns the first name, otherwise the part of the email before the at-sign, otherwise 'User'. */
export function greetingName(user: Pick<User, "firstName" | "email">): string {
  return user.firstName.trim() || user.email.split("@")[0] || "User";
}

/** Returns first and last name, or else the name of the greeting. */
export function fullName(user: Pick<User, "firstName" | "lastName" | "email">): string {
  return `${user.firstName} ${user.lastName}`.trim() || greetingName(user);
}
