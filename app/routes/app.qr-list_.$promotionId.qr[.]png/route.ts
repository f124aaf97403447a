import type { LoaderFunctionArgs } from "@remix-run/node";
import { screenRoute } from "../../http/answers.server";
import { qrImageResponse } from "../../http/downloads.server";
import { requireUser } from "../../http/guards.server";

/** The QR image of a promotion. */
export const loader = screenRoute(async (args: LoaderFunctionArgs) => {
  await requireUser(args);
  return qrImageResponse(args.request, args.params.promotionId ?? "");
});
