import { once } from "node:events";
import { createHash } from "node:crypto";
import { db, one, query } from "../../../db/connection.server";
import { readPages } from "../../../db/pages.server";
import { siteTimeZone } from "../../../db/site.server";
import type { Reader } from "../../sign-in/user";
import type { PromotionSelection } from "../lifecycle/bulk-actions";
import { toCampaigns } from "./campaigns.server";
import { readNewestCampaigns } from "./list-promotions.server";
import type { PromotionFilters } from "./promotion-filters";
import { selectedSql, selectionSql } from "./selected-promotions.server";
import { clockBindings, clockSql, promotionColumns } from "../promotion-sql.server";
import { formatLastDay, lastDay } from "../expiry-date";
import type { Promotion } from "../promotion";
import type { PromotionCsvRow } from "../promotion-fields";
import { campaignCsvColumns, csvColumns } from "../promotion-view";
import { invalid } from "../../../errors";
import { formatDateTime } from "../../../format/date";
import { formatNumber } from "../../../format/number";
import { csvFile } from "../../../codec/csv.server";
import { qrPayload, qrPng } from "../../../codec/qr-image.server";

/** Keeps the memory of a page small, and the time that other requests wait for it. */
const pageRows = 1_000;

/** Writes the promotions of a selection as CSV, newest first, one page of lines at a time. */
export function exportPromotions(selection: PromotionSelection, reader: Reader) {
  return csvFile(csvColumns(siteTimeZone(), reader), pagesOf(selection));
}

/** Writes the campaigns of the view as CSV, newest first: a line for each single code and each mass generation. */
export function exportCampaigns(filters: PromotionFilters, reader: Reader): AsyncGenerator<string> {
  const timeZone = siteTimeZone();
  const pages = readPages<PromotionCsvRow>(pageRows, async (last) => {
    const codes = await readNewestCampaigns(filters, last?.id ?? null, pageRows);
    const campaigns = await toCampaigns(codes, { isExact: true });
    return campaigns.map((campaign) => Object.assign(campaign, csvTimes(campaign, timeZone)));
  });
  return csvFile(campaignCsvColumns(timeZone, reader), pages);
}

function csvTimes({ createdAt, expiresAt }: Promotion, timeZone: string) {
  return {
    createdIso: createdAt.toISOString().replace(/\.\d+/, ""),
    createdLocal: formatDateTime(createdAt, timeZone),
    lastDayIso: expiresAt && lastDay(expiresAt, timeZone),
    lastDayLocal: expiresAt && formatLastDay(expiresAt, timeZone),
  };
}

/**
 * Reads the rows of a selection, newest first. Promotions that are created after the first page are left out, and every
 * status is as of that page.
 */
async function* pagesOf(selection: PromotionSelection): AsyncGenerator<PromotionCsvRow[]> {
  // A Date has no microseconds; the next full millisecond includes everything that exists now.
  const clock = await one<{ now: Date }>(
    db(),
    "select date_trunc('milliseconds', now()) + interval '1 millisecond' as now",
  );
  const now = clock!.now;
  const { sql, bindings, parts } = selectionSql(selection);
  yield* readPages<PromotionCsvRow>(pageRows, (last) => {
    const afterCursor =
      last === undefined
        ? "p.created_at <= :latest"
        : "(p.created_at, p.id) < ((select created_at from promotions where id = :after), :after)";
    // Singles and codes each have an index.
    const part = (condition: string) =>
      `(select p.* from promotions p where ${condition} and ${afterCursor} and (${sql})
        order by p.created_at desc, p.id desc limit ${pageRows})`;
    return query(
      db(),
      `with ${clockSql}
       select ${promotionColumns},
         to_char(p.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as created_iso,
         to_char(p.created_at at time zone :timeZone, 'DD.MM.YYYY HH24:MI') as created_local,
         to_char(${lastDaySql}, 'YYYY-MM-DD') as last_day_iso,
         to_char(${lastDaySql}, 'DD.MM.YYYY') as last_day_local
       from (
         select * from (${parts.map(part).join(" union all ")}) p
         order by p.created_at desc, p.id desc limit ${pageRows}
       ) p
       order by p.created_at desc, p.id desc`,
      { ...clockBindings(now), ...bindings, latest: now, after: last?.id ?? null },
    );
  });
}

const lastDaySql = "(p.expires_at - interval '1 microsecond') at time zone :timeZone";

const maxImages = 10_000;

/** A constant, so that the same promotions give the same bytes. */
const entryDate = new Date(Date.UTC(2000, 0, 1));

/** @throws DomainError invalid: there are more images than an archive may hold */
export async function qrArchiveTag(selection: PromotionSelection, template: string) {
  const { withList, bindings } = selectedSql(selection, "code", maxImages + 1);
  const selected = await one<{ count: number; codes: string }>(
    db(),
    `with ${withList}
     select count(*)::integer as count, coalesce(md5(string_agg(code, ',' order by code)), '') as codes
     from selected`,
    bindings,
  );
  const { count, codes } = selected!;
  if (count > maxImages)
    throw invalid(
      `One download holds at most ${formatNumber(maxImages)} images. Narrow the filter and download them in parts.`,
    );
  return createHash("sha256").update(`zip 1 ${template} ${codes}`).digest("base64url").slice(0, 22);
}

/** Draws an image when the previous one has been read: the archive buffers no more than one. */
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
