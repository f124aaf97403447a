import type { LoaderFunctionArgs } from "@remix-run/node";
import { screenRoute } from "../../http/answers.server";
import { generationArchiveResponse } from "../../http/downloads.server";
import { requireUser } from "../../http/guards.server";

/** The archive of a mass generation. */
export const loader = screenRoute(async (args: LoaderFunctionArgs) => {
  await requireUser(args);
  return generationArchiveResponse(args.request, args.params.generationId ?? "");
});
