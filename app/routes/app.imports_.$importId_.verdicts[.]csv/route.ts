import { exportVerdicts, getImport } from "../../features/imports/imports.server";
import { downloadRoute } from "../../http/downloads.server";
import { csvResponse } from "../../http/file-response.server";
import { requireEditor } from "../../http/guards.server";

export const loader = downloadRoute(async (fileRequest, params, { user }) => {
  const { id } = await getImport(params.importId!, user);
  return csvResponse(fileRequest, `import-${id}`, () => exportVerdicts(id));
}, requireEditor);
