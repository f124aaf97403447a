import { environment } from "../../env.server";
import { qrArchive, qrArchiveTag } from "../../features/promotions/list/export-promotions.server";
import { siteToday } from "../../features/promotions/promotion-sql.server";
import { downloadRoute } from "../../http/downloads.server";
import { requireEditor } from "../../http/guards.server";
import { notModified, revalidated, streamedFile } from "../../http/file-response.server";
import { orBackToList, requireSelection } from "../../http/selection.server";

/** The QR images of what is selected in the list. */
export const loader = downloadRoute(respond, requireEditor);

async function respond(
  ...[fileRequest, , session]: Parameters<Parameters<typeof downloadRoute>[0]>
): Promise<Response> {
  const { request } = fileRequest;
  const { searchParams } = new URL(request.url);
  const selection = await requireSelection(session, searchParams);
  const { qrPayload } = environment();
  const tag = await orBackToList(session, searchParams, qrArchiveTag(selection, qrPayload));
  const headers = revalidated(tag);
  const unchanged = notModified(request, headers.ETag, headers);
  if (unchanged) return unchanged;
  return streamedFile(fileRequest, () => qrArchive(selection, qrPayload), {
    fileName: `qr-codes-${await siteToday()}.zip`,
    headers: { ...headers, "Content-Type": "application/zip" },
  });
}
