import { downloadRoute, qrImageResponse } from "../../http/downloads.server";
import { requireEditor } from "../../http/guards.server";

/** The QR image of a promotion in vectors, for print. */
export const loader = downloadRoute(
  ({ request }, params) =>
    qrImageResponse(request, params.promotionId ?? "", { format: "svg", isNamed: true }),
  requireEditor,
);
