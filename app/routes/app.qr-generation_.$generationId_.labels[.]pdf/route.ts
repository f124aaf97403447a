import { downloadRoute, labelFileResponse } from "../../http/downloads.server";

/** Labels as PDF; large generations come in parts. */
export const loader = downloadRoute(({ request, params }) =>
  labelFileResponse(request, params.generationId ?? "", "pdf"),
);
