import type { LoaderFunctionArgs } from "@remix-run/node";
import { screenRoute } from "../../http/answers.server";
import { requireUser } from "../../http/guards.server";
import { labelFileResponse } from "../../http/label-files.server";

/** One sheet of labels as SVG, which is the preview too. */
export const loader = screenRoute(async (args: LoaderFunctionArgs) => {
  await requireUser(args);
  return labelFileResponse("svg", args.request, args.params.generationId ?? "");
});
