import { json, type ActionFunctionArgs } from "@remix-run/node";
import { revokeTokens } from "../features/users/tokens.server";
import { apiRoute, methodNotAllowed } from "../http/answers.server";
import { bearerOf, requireApiUser } from "../http/guards.server";

export const loader = methodNotAllowed("POST");

/** Ends the access token that was sent and the refresh token that came with it. */
export const action = apiRoute(async (args: ActionFunctionArgs) => {
  await requireApiUser(args);
  if (args.request.method !== "POST") return methodNotAllowed("POST")();
  await revokeTokens(bearerOf(args.request) ?? "");
  return json({});
});
