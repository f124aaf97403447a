import { conflict } from "../../errors";
import { exportVerdicts, getImport, hasVerdicts } from "../../features/imports/imports.server";
import { downloadRoute } from "../../http/downloads.server";
import { csvResponse } from "../../http/file-response.server";
import { requireEditor } from "../../http/guards.server";

export const loader = downloadRoute(async (fileRequest, params, { user }) => {
  const { id, state } = await getImport(params.importId!, user);
  if (!(await hasVerdicts({ id, state })))
    throw conflict(
      "There are verdicts once all rows are checked, and until a day after the upload.",
    );
  return csvResponse(fileRequest, `import-${id}`, () => exportVerdicts(id));
}, requireEditor);
