import { codesRoute, qrImageResponse } from "../../http/downloads.server";

/** The QR image of a promotion in vectors, for print. */
export const loader = codesRoute(({ request }, params) =>
  qrImageResponse(request, params.promotionId ?? "", { format: "svg", isNamed: true }),
);
