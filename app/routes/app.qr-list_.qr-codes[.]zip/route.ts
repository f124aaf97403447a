import { siteToday } from "../../db/site.server";
import { environment } from "../../env.server";
import { qrArchive, qrArchiveTag } from "../../features/promotions/list/export-promotions.server";
import { codesRoute } from "../../http/downloads.server";
import { notModified, revalidated, streamedFile } from "../../http/file-response.server";
import { orBackToList, requireSelection } from "../../http/selection.server";

/** The QR images of what is selected in the list. */
export const loader = codesRoute(async (fileRequest, _params, session) => {
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
});
