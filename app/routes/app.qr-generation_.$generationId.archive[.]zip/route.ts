import { codesRoute, generationArchiveResponse } from "../../http/downloads.server";

export const loader = codesRoute((fileRequest, params) =>
  generationArchiveResponse(fileRequest, params.generationId ?? ""),
);
