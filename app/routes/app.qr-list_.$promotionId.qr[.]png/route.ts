import { downloadRoute, qrImageResponse } from "../../http/downloads.server";

/** The QR image of a promotion. */
export const loader = downloadRoute(({ request }, params) =>
  qrImageResponse(request, params.promotionId ?? "", { isNamed: true }),
);
