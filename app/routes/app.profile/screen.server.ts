import { toAvatarView } from "../../features/users/avatar-drawings.server";
import { roleLabels } from "../../features/users/managed-user";
import { getProfile } from "../../features/users/profile.server";
import { fullName } from "../../features/users/user";
import { newForm } from "../../http/form-action.server";
import { readPreferences } from "../../http/preferences.server";
import { readAllRowsPerPage } from "../../http/rows-per-page.server";
import type { RouteArgs, Session } from "../../http/sessions.server";

/** Reads everything that the profile shows of the person who is signed in. */
export async function readProfilePage(args: RouteArgs, { user }: Session) {
  const profile = await getProfile(user.id);
  const { firstName, lastName, phone, company, email, version } = profile;
  return {
    name: fullName(profile),
    email,
    role: roleLabels[profile.role],
    avatar: toAvatarView(profile),
    values: { firstName, lastName, phone, company },
    version,
    preferences: readPreferences(args.request),
    rowsPerPage: readAllRowsPerPage(args.request),
    ...newForm(args),
  };
}
