import * as z from "zod/mini";
import { settings } from "../../features/settings/settings.server";
import { invalidFields } from "../../errors";
import {
  requestPasswordReset,
  setPasswordByLink,
  signUp,
  verifyEmail,
} from "../../features/sign-in/account-links.server";
import { findApiKey } from "../../features/sign-in/api-key.server";
import { passwordChangeSchema } from "../../features/sign-in/password-rules";
import { hashNewPassword, setPassword } from "../../features/sign-in/passwords.server";
import { chooseAvatarIcon, editProfile, getProfile } from "../../features/people/profile.server";
import {
  checkSecondFactor,
  hasSecondFactor,
  isSecondFactorRequired,
} from "../../features/second-factor/second-factor.server";
import { setUpFirstMessage } from "../../features/second-factor/second-factor-forms";
import { signIn, SignInRejected } from "../../features/sign-in/sign-in.server";
import { issueTokens, refreshTokens, revokeTokens } from "../../features/sign-in/tokens.server";
import { profileSchema } from "../../features/people/profile-forms";
import { profileBody, toProfileValues } from "../../features/people/user-api";
import { readFields } from "../../forms/form-validator";
import { credentialsBody } from "../../features/sign-in/users.server";
import { db } from "../../db/connection.server";
import { parseFields } from "../../forms/form-validator";
import { apiError } from "../answers.server";
import { operation } from "../api.server";
import { bearerOf } from "../guards.server";
import { retryHeaders, signInPolicy } from "../rate-limit-headers";
import { originOf, toActor } from "../sessions.server";
import {
  messageSchema,
  ownUserAnswer,
  profileAnswer,
  signedInSchema,
  tokensSchema,
} from "./schemas";

const texts = <Name extends string>(...names: Name[]) => ({
  body: z.object(
    Object.fromEntries(names.map((name) => [name, z.string()])) as Record<Name, z.ZodMiniString>,
  ),
  unreadable: `Send ${names.join(" and ")} as text.`,
});

type Tokens = { token: string; refreshToken: string; expiresAt: Date };

function toApiTokens({ token, refreshToken, expiresAt }: Tokens) {
  return { token, refresh_token: refreshToken, expires: expiresAt.getTime() };
}

/** Answers a refused sign-in: 401 or, after too many, 429. Other errors are thrown on. */
function rejectedSignIn(error: unknown): Response {
  if (!(error instanceof SignInRejected)) throw error;
  const { message, retryAfterSeconds } = error;
  return retryAfterSeconds > 0
    ? apiError(429, message, { headers: retryHeaders(signInPolicy, retryAfterSeconds) })
    : apiError(401, message);
}

async function readProfile(userId: string) {
  const [profile, key] = await Promise.all([getProfile(userId), findApiKey(userId)]);
  return profileAnswer.of({ ...profile, keyEnd: key?.lastFour ?? null });
}

export const accountOperations = [
  operation({
    method: "POST",
    path: "/auth/signin/local",
    summary: "Sign in with email and password",
    scope: "public",
    body: credentialsBody,
    unreadable: "Send an email and a password.",
    answers: { 200: "token, refresh_token, expires (ms) and user." },
    result: signedInSchema,
    async run({ body, context }) {
      try {
        const user = await signIn({ ...body, clientAddress: context.clientAddress });
        const actor = toActor(user, context);
        if (await hasSecondFactor(user.id)) {
          if (!body.code)
            return apiError(401, "Send the code of your authenticator app, or a recovery code.");
          await checkSecondFactor(user, body.code, actor);
        } else if (isSecondFactorRequired(user.role)) return apiError(403, setUpFirstMessage);
        context.userId = user.id;
        return { ...toApiTokens(await issueTokens(user, { actor })), user: ownUserAnswer.of(user) };
      } catch (error) {
        return rejectedSignIn(error);
      }
    },
  }),
  operation({
    method: "POST",
    path: "/auth/signout",
    summary: "Sign out",
    scope: "account",
    answers: { 200: "The access token and its refresh token have ended." },
    async run({ request, actor }) {
      await revokeTokens(bearerOf(request.headers.get("Authorization")), { actor });
    },
  }),
  operation({
    method: "POST",
    path: "/api/auth/refresh",
    summary: "Replace an access token",
    scope: "public",
    ...texts("refresh_token"),
    answers: { 200: "A new token and a new refresh_token; the old ones end within 10 seconds." },
    result: tokensSchema,
    async run({ body, context }) {
      const tokens = await refreshTokens(body.refresh_token, originOf(context));
      return tokens ? toApiTokens(tokens) : apiError(401, "Sign in again.");
    },
  }),
  operation({
    method: "GET",
    path: "/auth/me",
    summary: "Read the current user",
    scope: "read",
    answers: { 200: "The user of the token or key." },
    result: ownUserAnswer.schema,
    run: async ({ user }) => ownUserAnswer.of(user),
  }),
  operation({
    method: "GET",
    path: "/api/auth/user",
    summary: "Read your profile",
    scope: "read",
    answers: { 200: "The profile of the user; api_key is masked." },
    result: profileAnswer.schema,
    run: ({ user }) => readProfile(user.id),
  }),
  operation({
    method: "PUT",
    path: "/api/auth/user",
    summary: "Change your profile",
    scope: "account",
    body: profileBody,
    rules: (sent) => readFields(z.partial(profileSchema), toProfileValues(sent)).errors ?? {},
    fieldNames: { firstName: "first_name", lastName: "last_name" },
    answers: { 200: "The profile as it is now. Fields that are left out stay." },
    result: profileAnswer.schema,
    async run({ user, actor, body }) {
      const { version } = await getProfile(user.id);
      await editProfile(toProfileValues(body), version, { actor });
      if (body.avatar_icon) await chooseAvatarIcon(body.avatar_icon, { actor });
      return readProfile(user.id);
    },
  }),
  operation({
    method: "PUT",
    path: "/auth/password-update",
    summary: "Change your password",
    scope: "account",
    ...texts("newPassword", "currentPassword"),
    answers: { 200: "The password is set; every token and session of the user has ended." },
    result: messageSchema,
    async run({ user, actor, body, context }) {
      const { currentPassword, newPassword } = body;
      const input = { newPassword, confirmPassword: newPassword };
      parseFields(passwordChangeSchema(user.email), { currentPassword, ...input });
      let checkedVersion: number;
      try {
        const { clientAddress } = context;
        ({ credentialsVersion: checkedVersion } = await signIn({
          email: user.email,
          password: currentPassword,
          clientAddress,
        }));
      } catch (error) {
        if (error instanceof SignInRejected && error.retryAfterSeconds === 0)
          throw invalidFields({ currentPassword: "The password is wrong" });
        return rejectedSignIn(error);
      }
      const passwordHash = await hashNewPassword(input, user);
      await db().transaction((trx) =>
        setPassword(trx, user.id, passwordHash, { actor, checkedVersion }),
      );
      return { message: "Password updated" };
    },
  }),
  operation({
    method: "POST",
    path: "/auth/send-password-reset-email",
    summary: "Ask for a link to set a new password",
    scope: "public",
    ...texts("email"),
    answers: { 200: "A mail is on its way if the address has an account." },
    async run({ body, context }) {
      await requestPasswordReset(body, originOf(context));
    },
  }),
  operation({
    method: "PUT",
    path: "/auth/password-reset",
    summary: "Set a new password with the token of a link",
    scope: "public",
    ...texts("token", "password"),
    fieldNames: { newPassword: "password" },
    answers: { 200: "The password is set; every token and session of the user has ended." },
    result: messageSchema,
    async run({ body: { token, password }, context }) {
      const input = { newPassword: password, confirmPassword: password };
      await setPasswordByLink("password_reset", token, input, originOf(context));
      return { message: "Password has been updated" };
    },
  }),
  operation({
    method: "PUT",
    path: "/auth/verify-email",
    summary: "Verify an email address with the token of a link",
    scope: "public",
    ...texts("token"),
    answers: { 200: "The address is verified." },
    result: messageSchema,
    async run({ body, context }) {
      await verifyEmail(body.token, originOf(context));
      return { message: "Your email was verified" };
    },
  }),
  operation({
    method: "POST",
    path: "/auth/signup",
    summary: "Create an account",
    scope: "public",
    ...texts("email", "password"),
    fieldNames: { newPassword: "password" },
    answers: { 200: "A mail with a link that verifies the address is on its way." },
    async run({ body: { email, password }, context }) {
      if (!settings().allowSignup) return apiError(404, "There is nothing at this address.");
      const input = { email, newPassword: password, confirmPassword: password };
      await signUp(input, originOf(context));
    },
  }),
];
