/** An import as its page shows it. */
import {
  describeNamed,
  describeOutcome,
  toImportView,
  type Import,
} from "../../features/imports/import";
import { formatDateTime } from "../../format/date";
import { countOf } from "../../format/number";

/** @param timeZone the site's IANA zone */
export function toImportPage(item: Import, timeZone: string) {
  const { outcome, importedAt, rows: total, position, fileName: title } = item;
  return {
    ...toImportView(item, timeZone),
    ...{ title, position, total },
    summary: outcome && describeOutcome(outcome),
    named: outcome?.named.map(describeNamed) ?? [],
    importedAt: importedAt && formatDateTime(importedAt, timeZone),
    ...messageOf(item),
  };
}

function messageOf({ state, wrongRows, rows, outcome }: Import) {
  const all = countOf(rows, "row");
  if (state === "imported")
    return {
      messageKind: "success" as const,
      message: `Imported: ${outcome ? describeOutcome(outcome) : all}.`,
    };
  if (state === "undone") {
    const stayed = outcome?.stayed ?? 0;
    const stays =
      stayed > 0
        ? ` ${countOf(stayed, "single code")} stayed, because of redemptions meanwhile.`
        : "";
    return {
      messageKind: "info" as const,
      message: `Undone. What came is deleted, and comes back if you import the same file again.${stays}`,
    };
  }
  if (wrongRows > 0)
    return {
      messageKind: "error" as const,
      message: `${countOf(wrongRows, "row")} of ${all} can't be imported, so none is. Correct the file, and upload it again.`,
    };
  const comesBack = outcome?.revives
    ? " These are the codes of an import that was undone: they come back."
    : "";
  return {
    messageKind: "info" as const,
    message: `Nothing is imported yet. All ${all} can be.${comesBack}`,
  };
}
