/** The second step of a sign-in: the browser between the password and the code (RULES H15). */
import { randomBytes } from "node:crypto";
import { db } from "../../db/connection.server";
import { notFound } from "../../errors";
import {
  createLinkToken,
  findLinkUser,
  linkMinutes,
  spendLinkToken,
} from "../../features/sign-in/link-tokens.server";
import { signInWithPasskey } from "../../features/second-factor/passkeys.server";
import {
  checkSecondFactor,
  hasSecondFactor,
} from "../../features/second-factor/second-factor.server";
import {
  isBrowserTrusted,
  trustBrowser,
  trustedDays,
} from "../../features/second-factor/trusted-browsers.server";
import type { CheckedUser, User } from "../../features/sign-in/user";
import { hostCookieName, readCookie, setCookie } from "../../http/cookies.server";
import { toActor, type RouteArgs } from "../../http/sessions.server";

const kind = "second_factor";

/** Tells whether a user whose password was right has to enter a code in this browser. */
export async function needsCode({ request }: RouteArgs, user: User): Promise<boolean> {
  if (!(await hasSecondFactor(user.id))) return false;
  return !(await isBrowserTrusted(user.id, readCookie(request, hostCookieName("trusted"))));
}

/** @returns the Set-Cookie header that names the user in the second step */
export async function openSecondStep(user: CheckedUser): Promise<string> {
  const secret = await createLinkToken(db(), kind, user.id, user.credentialsVersion);
  return setCookie(hostCookieName("step"), secret, linkMinutes[kind] * 60);
}

export function endOfSecondStep(): string {
  return setCookie(hostCookieName("step"), "", 0);
}

/** A user with both factors, and when the password was checked: before the second step, or never. */
type FinishedStep = { user: CheckedUser; passwordCheckedAt: Date | null };

/**
 * Checks the code of the second step. A wrong one leaves the step open.
 * @throws DomainError not_found: the step has ended; invalid: a wrong code; too_many
 */
export async function finishSecondStep(args: RouteArgs, code: string): Promise<FinishedStep> {
  const secret = readCookie(args.request, hostCookieName("step")) ?? "";
  const ended = () =>
    notFound("This sign-in is finished, or older than ten minutes. Sign in again.");
  const user = await findLinkUser(db(), kind, secret);
  if (!user) throw ended();
  await checkSecondFactor(user, code, toActor(user, args.context));
  const spent = await spendLinkToken(db(), kind, secret);
  if (!spent) throw ended();
  return { user, passwordCheckedAt: spent.linkCreatedAt };
}

/**
 * Checks a passkey: of the user of the second step, or of anybody for a sign-in without a password.
 * @throws SignInRejected: it is not accepted
 */
export async function finishWithPasskey(
  args: RouteArgs,
  credential: string,
  { isSecondStep }: { isSecondStep: boolean },
): Promise<FinishedStep> {
  const { clientAddress } = args.context;
  const secret = isSecondStep ? (readCookie(args.request, hostCookieName("step")) ?? "") : "";
  const stepUser = await findLinkUser(db(), kind, secret);
  const user = await signInWithPasskey(credential, { clientAddress, userId: stepUser?.id });
  const spent = await spendLinkToken(db(), kind, secret);
  return { user, passwordCheckedAt: spent?.linkCreatedAt ?? null };
}

/** @returns the Set-Cookie header */
export async function trustThisBrowser(user: CheckedUser): Promise<string> {
  const id = randomBytes(32).toString("base64url");
  await trustBrowser(user, id);
  return setCookie(hostCookieName("trusted"), id, trustedDays * 24 * 60 * 60);
}
