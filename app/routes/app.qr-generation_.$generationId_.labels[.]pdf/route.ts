import type { LoaderFunctionArgs } from "@remix-run/node";
import { screenRoute } from "../../http/answers.server";
import { labelFileResponse } from "../../http/downloads.server";
import { requireUser } from "../../http/guards.server";

/** Labels as PDF; large generations come in parts. */
export const loader = screenRoute(async (args: LoaderFunctionArgs) => {
  await requireUser(args);
  return labelFileResponse(args.request, args.params.generationId ?? "", "pdf");
});
