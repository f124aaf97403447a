import { codesRoute, generationArchiveResponse } from "../../http/downloads.server";

/** The archive of a mass generation. */
export const loader = codesRoute((fileRequest, params) =>
  generationArchiveResponse(fileRequest, params.generationId ?? ""),
);
