import { apiError, apiRoute, methodNotAllowed } from "../http/answers.server";
import { generationArchiveResponse } from "../http/generation-archive.server";
import { requireApiUser } from "../http/guards.server";

/** A mass generation as `mass_generation_{id}.zip` (core §7); `Range` goes on with a broken one. */
export const loader = apiRoute(async (args) => {
  await requireApiUser(args);
  const id = args.params.massGenerationId ?? "";
  if (!/^\d+$/.test(id)) return apiError(400, "The id of a mass generation is a number.");
  return generationArchiveResponse(args.request, id);
});

export const action = apiRoute(async (args) => {
  await requireApiUser(args);
  return methodNotAllowed("GET", "HEAD")();
});
