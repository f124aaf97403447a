import { json } from "@remix-run/node";
import { siteTimeZone } from "../../db/site.server";
import { latestActionsOf } from "../../features/audit/audit-list.server";
import { findApiKey, revealApiKey, type ApiKey } from "../../features/sign-in/api-key.server";
import { toAvatarView } from "../../features/people/avatar-drawings.server";
import { roleLabels } from "../../features/sign-in/user";
import { describeScopes } from "../../features/sign-in/key-scopes";
import { countApiSignIns } from "../../features/sign-in/tokens.server";
import { masked } from "../../features/sign-in/masked";
import {
  endOtherSessions,
  endSession,
  listSessions,
  type EndedAccess,
} from "../../features/people/own-sessions.server";
import { listPasskeys } from "../../features/second-factor/passkeys.server";
import {
  besideProfileForm,
  endSessionsValidator,
  profileValidator,
} from "../../features/people/profile-forms";
import { saveProfileForm, getProfile } from "../../features/people/profile.server";
import { hasSecondFactor } from "../../features/second-factor/second-factor.server";
import { fullName } from "../../features/sign-in/user";
import { formatDate, formatDateTime } from "../../format/date";
import { countOf } from "../../format/number";
import {
  checked,
  formsAction,
  confirmed,
  type FormPost,
  orGone,
} from "../../http/form-action.server";
import { requireUser } from "../../http/guards.server";
import { readPreferences } from "../../http/preferences.server";
import { readAllRowsPerPage } from "../../http/rows-per-page.server";
import type { RouteArgs, Session } from "../../http/sessions.server";
import { paths } from "../../paths";

export async function readProfilePage(args: RouteArgs, session: Session) {
  const { id } = session.user;
  const timeZone = siteTimeZone();
  const [profile, apiKey, sessions, activity, isTwoStep, passkeys, apiSignIns] = await Promise.all([
    getProfile(id),
    findApiKey(id),
    listSessions(id, session.idHash),
    latestActionsOf(session.user),
    hasSecondFactor(id),
    listPasskeys(id),
    countApiSignIns(id),
  ]);
  const { firstName, lastName, phone, company, email, version } = profile;
  return {
    name: fullName(profile),
    email,
    role: roleLabels[profile.role],
    twoStep: isTwoStep ? "On" : "Off",
    avatar: toAvatarView(profile),
    values: { firstName, lastName, phone, company },
    version,
    apiKey: apiKey && toApiKeyView(apiKey, timeZone),
    // Nothing of a short id is masked: it has no more than the last 4 characters.
    userId: id.length > 4 ? masked(id) : id,
    canReveal: apiKey !== null || id.length > 4,
    passkeyCount: passkeys.length,
    sessions: sessions.map(({ createdAt, lastSeenAt, ...each }) => ({
      ...each,
      started: formatDateTime(createdAt, timeZone),
      lastUsed: formatDateTime(lastSeenAt, timeZone),
    })),
    apiSignIns: apiSignIns > 0 && countOfApiSignIns(apiSignIns),
    activity,
    preferences: readPreferences(args.request),
    rowsPerPage: readAllRowsPerPage(args.request),
  };
}

const countOfApiSignIns = (count: number) => `${countOf(count, "sign-in")} by the API`;

function toApiKeyView(
  { lastFour, createdAt, expiresAt, lastUsedAt, isExpired, scopes }: ApiKey,
  timeZone: string,
) {
  return {
    masked: masked(lastFour),
    scopes: describeScopes(scopes),
    created: formatDate(createdAt, timeZone),
    expires: `${formatDate(expiresAt, timeZone)}${isExpired ? " (expired)" : ""}`,
    lastUsed: lastUsedAt === null ? "Never" : formatDateTime(lastUsedAt, timeZone),
  };
}

const backTo = ({ request }: FormPost) =>
  besideProfileForm(paths.profile, new URL(request.url).searchParams);

export const profileAction = formsAction({
  guard: requireUser,
  forms: {
    "": checked(profileValidator, async (input, { options }) => {
      await saveProfileForm(input, options);
      return { to: paths.profile, text: "Profile updated successfully" };
    }),
    /** The key is in this one answer and never in an address or a message. */
    reveal: confirmed(async (post) => {
      const { user, actor } = post.session;
      const apiKey = (await findApiKey(user.id)) && (await revealApiKey({ actor }));
      return json({ revealed: { apiKey, userId: user.id } });
    }),
    "end-session": (post) =>
      orGone({ to: backTo(post), text: "This session has ended already" }, async () => {
        await endSession(post.field("session"), post.options);
        return { to: backTo(post), text: "The session was signed out" };
      })(post),
    "end-other-sessions": checked(endSessionsValidator, (choices, post) => {
      const end = async () => {
        const ended = await endOtherSessions(post.session, choices, post.options);
        return { to: backTo(post), ...describeEnded(ended) };
      };
      const isPasswordAsked = choices.revokeKey || choices.removePasskeys;
      return isPasswordAsked ? confirmed(end)(choices, post) : end();
    }),
  },
});

function describeEnded({ sessions, apiSignIns, hasRevokedKey, passkeys }: EndedAccess) {
  const parts = [
    sessions > 0 && `${countOf(sessions, "other session")} signed out`,
    apiSignIns > 0 && `${countOfApiSignIns(apiSignIns)} ended`,
    hasRevokedKey && "API key revoked",
    passkeys > 0 && `${countOf(passkeys, "passkey")} removed`,
  ].filter(Boolean);
  if (parts.length === 0) return { kind: "info" as const, text: "There was no other session" };
  return { text: parts.join(", ") };
}
