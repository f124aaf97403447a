import { apiError } from "../http/answers.server";
import { allowAnyone } from "../http/guards.server";
import type { RouteArgs } from "../http/sessions.server";

/** Answers API paths that don't exist. */
export async function loader(args: RouteArgs) {
  await allowAnyone(args);
  return apiError(404, "There is nothing at this address.");
}

export const action = loader;
