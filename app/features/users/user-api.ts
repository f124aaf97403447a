import type { User } from "./user";

/** core §3, as the API sends it; an allow-list, so that no column slips out. */
export function toApiUser(user: User) {
  return {
    id: user.id,
    email: user.email,
    firstName: user.firstName,
    lastName: user.lastName,
    role: user.role,
    avatar_icon: user.avatarIcon,
  };
}
