import { json, type ActionFunctionArgs } from "@remix-run/node";
import { signIn, SignInRefused } from "../features/users/sign-in.server";
import { issueTokens } from "../features/users/tokens.server";
import { toApiUser } from "../features/users/user-api";
import { apiError, apiRoute, methodNotAllowed, readJson } from "../http/answers.server";
import { allowAnyone } from "../http/guards.server";

export const loader = methodNotAllowed("POST");

/** rulings 2.1: `{email, password}` → `{token, refresh_token, expires (ms), user}`. */
export const action = apiRoute(async (args: ActionFunctionArgs) => {
  await allowAnyone(args);
  if (args.request.method !== "POST") return methodNotAllowed("POST")();
  const { email, password } = await readJson(args.request);
  if (typeof email !== "string" || typeof password !== "string")
    return apiError(400, "Send an email and a password.");
  try {
    const user = await signIn({ email, password, clientAddress: args.context.clientAddress });
    const { token, refreshToken, expiresAt } = await issueTokens(user);
    return json({
      token,
      refresh_token: refreshToken,
      expires: expiresAt.getTime(),
      user: toApiUser(user),
    });
  } catch (error) {
    if (!(error instanceof SignInRefused)) throw error;
    const seconds = error.retryAfterSeconds;
    return seconds > 0
      ? apiError(429, error.message, { headers: { "Retry-After": String(seconds) } })
      : apiError(401, error.message);
  }
});
