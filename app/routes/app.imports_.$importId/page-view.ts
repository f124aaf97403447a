import { toImportView, type Import } from "../../features/imports/import";
import { importKinds } from "../../features/imports/import-kinds";
import { formatDateTime } from "../../format/date";
import { countOf, formatNumber } from "../../format/number";

export type ImportPage = ReturnType<typeof toImportPage>;

/** @param requestId the request that asks a second admin for it, which waits */
export function toImportPage(item: Import, timeZone: string, requestId: string | null) {
  const { outcome, importedAt, rows: total, position, fileName: title } = item;
  return {
    ...toImportView(item, timeZone),
    title,
    position,
    total,
    summary: outcome && importKinds[item.kind].describe(outcome.counts),
    named: outcome?.named ?? [],
    stayed: outcome?.stayed?.named ?? [],
    importedAt: importedAt && formatDateTime(importedAt, timeZone),
    requestId,
    ...messageOf(item, requestId !== null),
  };
}

function messageOf({ kind, state, wrongRows, rows, outcome }: Import, isRequested: boolean) {
  const { describe, undone, noun, restores } = importKinds[kind];
  const all = countOf(rows, "row");
  if (state === "imported")
    return {
      messageKind: "success" as const,
      message: `Imported: ${outcome ? describe(outcome.counts) : all}.`,
    };
  if (state === "undone") {
    const stayed = outcome?.stayed?.count ?? 0;
    const stays = stayed > 0 ? ` Not undone: ${countOf(stayed, noun)}.` : "";
    return { messageKind: "info" as const, message: `Undone. ${undone}${stays}` };
  }
  if (wrongRows > 0)
    return {
      messageKind: "error" as const,
      message: `${formatNumber(wrongRows)} of ${all} can't be imported, so nothing was. Correct the file, and upload it again.`,
    };
  if (isRequested)
    return {
      messageKind: "info" as const,
      message: `Nothing is imported yet. A second admin decides about ${all}.`,
    };
  const isRestored = restores && outcome?.revives && outcome.counts.existing !== rows;
  const restored = isRestored ? " They belong to an undone import, and are restored." : "";
  return {
    messageKind: "info" as const,
    message: `Nothing is imported yet. ${rows === 1 ? "Its" : "All"} ${all} can be imported.${restored}`,
  };
}
