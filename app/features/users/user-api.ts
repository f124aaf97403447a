import * as z from "zod/mini";
import type { User } from "./user";

/** Body of `POST /auth/signin/local`. */
export const credentialsBody = {
  schema: z.object({ email: z.string(), password: z.string() }),
  messages: {},
  unreadable: "Send an email and a password.",
};

/** Lists the fields of a user that the API sends, so that no other column is ever sent. */
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
