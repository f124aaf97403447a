import { revokeTokens } from "../features/users/tokens.server";
import { apiRoute, operation } from "../http/api.server";
import { bearerOf } from "../http/guards.server";

const { loader, action } = apiRoute(
  operation({
    method: "POST",
    path: "/auth/signout",
    scope: "read",
    answers: { 200: "The access token and its refresh token have ended." },
    async run({ request }) {
      await revokeTokens(bearerOf(request) ?? "");
      return {};
    },
  }),
);
export { action, loader };
