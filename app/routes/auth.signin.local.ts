import { signIn, SignInRefused } from "../features/users/sign-in.server";
import { issueTokens } from "../features/users/tokens.server";
import { credentialsBody, toApiUser } from "../features/users/users.server";
import { apiError } from "../http/answers.server";
import { apiRoute, operation } from "../http/api.server";

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
