import { environment } from "../../env.server";
import { qrArchive, qrArchiveTag } from "../../features/promotions/list/export-promotions.server";
import { siteToday } from "../../features/promotions/promotion-sql.server";
import { screenLoader } from "../../http/answers.server";
import { requireUser } from "../../http/guards.server";
import { orBackToList, requireSelection } from "../../http/selection.server";
import { notModified, revalidated, streamedFile } from "../../http/file-response.server";

/** The QR images of what is selected in the list. */
export const loader = screenLoader(requireUser, async (args, session) => {
  const { searchParams } = new URL(args.request.url);
  const selection = await requireSelection(session, searchParams);
  const { qrPayload } = environment();
  const tag = await orBackToList(session, searchParams, qrArchiveTag(selection, qrPayload));
  const headers = revalidated(tag);
  const unchanged = notModified(args.request, headers.ETag, headers);
  if (unchanged) return unchanged;
  return streamedFile(qrArchive(selection, qrPayload), {
    fileName: `qr-codes-${await siteToday()}.zip`,
    headers: { ...headers, "Content-Type": "application/zip" },
  });
});
