import { downloadRoute, labelFileResponse } from "../../http/downloads.server";

/** One sheet of labels as SVG. */
export const loader = downloadRoute(({ request, params }) =>
  labelFileResponse(request, params.generationId ?? "", "svg"),
);
