import { codesRoute, qrImageResponse } from "../../http/downloads.server";

export const loader = codesRoute(({ request }, params) =>
  qrImageResponse(request, params.promotionId ?? "", { format: "svg", isNamed: true }),
);
