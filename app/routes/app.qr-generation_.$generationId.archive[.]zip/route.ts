import { downloadRoute, generationArchiveResponse } from "../../http/downloads.server";

/** The archive of a mass generation. */
export const loader = downloadRoute(({ request, params }) =>
  generationArchiveResponse(request, params.generationId ?? ""),
);
