import { downloadRoute, labelFileResponse } from "../../http/downloads.server";

/** Answers with one sheet of labels as SVG. */
export const loader = downloadRoute((fileRequest, params) =>
  labelFileResponse(fileRequest, params.generationId ?? "", "svg"),
);
