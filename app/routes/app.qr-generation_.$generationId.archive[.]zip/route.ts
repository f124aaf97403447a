import { screenRoute } from "../../http/answers.server";
import { generationArchiveResponse } from "../../http/generation-archive.server";
import { requireUser } from "../../http/guards.server";

/** The archive that the page of a mass generation offers. */
export const loader = screenRoute(async (args) => {
  await requireUser(args);
  return generationArchiveResponse(args.request, args.params.generationId ?? "");
});
