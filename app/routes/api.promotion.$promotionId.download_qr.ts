import { apiRoute, operation } from "../http/api.server";
import { qrImageResponse } from "../http/downloads.server";

const route = apiRoute(
  operation({
    method: "GET",
    path: "/api/promotion/{promotionId}/download_qr",
    scope: "read",
    answers: { 200: "The QR image, a PNG named after the id." },
    run: ({ request, param }) => qrImageResponse(request, param("promotionId")),
  }),
);

export const loader = route.loader;
export const action = route.action;
