import { downloadRoute, qrImageResponse } from "../../http/downloads.server";
import { requireEditor } from "../../http/guards.server";

/** The QR image of a promotion. */
export const loader = downloadRoute(
  ({ request }, params) => qrImageResponse(request, params.promotionId ?? "", { isNamed: true }),
  requireEditor,
);
