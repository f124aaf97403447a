import { downloadRoute, generationArchiveResponse } from "../../http/downloads.server";

/** The archive of a mass generation. */
export const loader = downloadRoute((fileRequest, params) =>
  generationArchiveResponse(fileRequest, params.generationId ?? ""),
);
