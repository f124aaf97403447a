/** The QR images of several promotions in one ZIP, created while it is sent. */
import { once } from "node:events";
import { createHash } from "node:crypto";
import { db, one } from "../../../db/connection.server";
import { DomainError } from "../../../errors";
import { formatNumber } from "../../../format/number";
import type { PromotionSelection } from "../lifecycle/bulk-selection";
import { selectionSql } from "../lifecycle/bulk-selection.server";
import { pagesOf } from "./export-promotions.server";
import { clockBindings, clockSql } from "../promotion-sql.server";
import { qrPayload, qrPng } from "../../../codec/qr-image.server";

const maxImages = 10_000;

/** A constant, so that the same promotions give the same bytes. */
const entryDate = new Date(Date.UTC(2000, 0, 1));

/**
 * Returns an ETag of an archive without drawing its images.
 * @throws DomainError invalid: there are more images than an archive may hold
 */
export async function qrArchiveTag(selection: PromotionSelection, template: string) {
  const { sql, bindings, parts } = selectionSql(selection);
  const part = (condition: string) =>
    `(select p.code from promotions p where ${condition} and (${sql}) limit ${maxImages + 1})`;
  const chosen = await one<{ count: number; codes: string }>(
    db(),
    `with ${clockSql}, chosen as materialized (${parts.map(part).join(" union all ")})
     select count(*)::integer as count, coalesce(md5(string_agg(code, ',' order by code)), '') as codes
     from chosen`,
    { ...clockBindings(), ...bindings },
  );
  const { count, codes } = chosen!;
  if (count > maxImages) {
    throw new DomainError(
      "invalid",
      `One download holds at most ${formatNumber(maxImages)} images. Narrow the filter and do it in parts.`,
    );
  }
  return createHash("sha256").update(`zip 1 ${template} ${codes}`).digest("base64url").slice(0, 22);
}

/**
 * Draws one image at a time, when the previous one has been read, so that the archive buffers no more
 * than one.
 */
export async function* qrArchive(
  selection: PromotionSelection,
  template: string,
): AsyncGenerator<Buffer> {
  // Loaded when needed: it takes a tenth of a second of every start.
  const { ZipArchive } = await import("archiver");
  const archive = new ZipArchive({ store: true });
  try {
    for await (const rows of pagesOf(selection)) {
      for (const { code } of rows) {
        const added = once(archive, "entry");
        archive.append(qrPng(qrPayload(code, template)), { name: `${code}.png`, date: entryDate });
        await added;
        const ready = archive.read() as Buffer | null;
        if (ready) yield ready;
      }
    }
    const finished = archive.finalize();
    for await (const rest of archive) yield rest as Buffer;
    await finished;
  } finally {
    archive.destroy();
  }
}
