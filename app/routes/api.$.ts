import { apiError, apiRoute } from "../http/answers.server";
import { allowAnyone } from "../http/guards.server";

/** Addresses that the API doesn't have. */
export const loader = apiRoute(async (args) => {
  await allowAnyone(args);
  return apiError(404, "There is nothing at this address.");
});

export const action = loader;
