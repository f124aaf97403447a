import { codesRoute, qrImageResponse } from "../../http/downloads.server";

/** The QR image of a promotion. */
export const loader = codesRoute(({ request }, params) =>
  qrImageResponse(request, params.promotionId ?? "", { isNamed: true }),
);
