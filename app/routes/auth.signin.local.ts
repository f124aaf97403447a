import { signIn, SignInRefused } from "../features/users/sign-in.server";
import {
  checkSecondFactor,
  hasSecondFactor,
  isSecondFactorRequired,
} from "../features/users/second-factor.server";
import { issueTokens } from "../features/users/tokens.server";
import { credentialsBody, toApiUser } from "../features/users/users.server";
import { apiError } from "../http/answers.server";
import { apiRoute, operation } from "../http/api.server";
import { toActor } from "../http/sessions.server";

const secondFactorMessage = "Send the code of your authenticator app, or a recovery code, as code.";

const { loader, action } = apiRoute(
  operation({
    method: "POST",
    path: "/auth/signin/local",
    scope: "public",
    body: credentialsBody,
    answers: { 200: "token, refresh_token, expires (ms) and user." },
    async run({ body, context }) {
      try {
        const user = await signIn({ ...body, clientAddress: context.clientAddress });
        const actor = toActor(user, context);
        if (await hasSecondFactor(user.id)) {
          if (!body.code) return apiError(401, secondFactorMessage);
          await checkSecondFactor(user, body.code, actor);
        } else if (isSecondFactorRequired(user.role))
          return apiError(403, "Set up two-step verification on your profile first.");
        const { token, refreshToken, expiresAt } = await issueTokens(user);
        return {
          token,
          refresh_token: refreshToken,
          expires: expiresAt.getTime(),
          user: toApiUser(user),
        };
      } catch (error) {
        if (!(error instanceof SignInRefused)) throw error;
        const { message, retryAfterSeconds } = error;
        return retryAfterSeconds > 0
          ? apiError(429, message, { headers: { "Retry-After": String(retryAfterSeconds) } })
          : apiError(401, message);
      }
    },
  }),
);
export { action, loader };
