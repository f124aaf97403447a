import { downloadRoute, labelFileResponse } from "../../http/downloads.server";

/** Labels as PDF; large generations come in parts. */
export const loader = downloadRoute((fileRequest, params) =>
  labelFileResponse(fileRequest, params.generationId ?? "", "pdf"),
);
