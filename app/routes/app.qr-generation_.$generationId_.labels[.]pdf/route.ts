import type { LoaderFunctionArgs } from "@remix-run/node";
import { screenRoute } from "../../http/answers.server";
import { requireUser } from "../../http/guards.server";
import { labelFileResponse } from "../../http/label-files.server";

/** The labels as PDF; large generations come in parts. */
export const loader = screenRoute(async (args: LoaderFunctionArgs) => {
  await requireUser(args);
  return labelFileResponse("pdf", args.request, args.params.generationId ?? "");
});
