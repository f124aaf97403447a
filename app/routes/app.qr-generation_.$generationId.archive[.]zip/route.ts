import { downloadRoute, generationArchiveResponse } from "../../http/downloads.server";
import { requireEditor } from "../../http/guards.server";

/** The archive of a mass generation. */
export const loader = downloadRoute(
  (fileRequest, params) => generationArchiveResponse(fileRequest, params.generationId ?? ""),
  requireEditor,
);
