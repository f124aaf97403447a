/** Reads a report: what its filters mean, its figures, and the rows of its table. */
import { promisify } from "node:util";
import { deserialize, serialize } from "node:v8";
import * as zlib from "node:zlib";
import { query } from "../../db/connection.server";
import { machineBySerialSql } from "../machines/machines.server";
import { readActivityDays, sumActivity } from "./activity.server";
import { readLiability } from "./liability.server";
import {
  readAllCampaignResults,
  readCampaignResults,
  readGroupResults,
  readMachineResults,
  sortResults,
  type ResultPage,
  type ResultRow,
} from "./results.server";
import type { ReportFilters, ReportSubject } from "./report-filters";
import { readReportSpans, type ReportSpan } from "./report-spans.server";
import type { ResultFilter } from "./summary-sql.server";
import { withSnapshot, type Snapshot } from "./snapshot.server";

const deflate: (data: Buffer, options: zlib.ZlibOptions) => Promise<Buffer> = promisify(
  zlib.deflateRaw,
);
const inflate: (data: Buffer) => Promise<Buffer> = promisify(zlib.inflateRaw);

export type Report = Awaited<ReturnType<typeof readReport>>;

export const defaultSubject: ReportSubject = "generation";

/** @param now replaces the database's clock, in tests */
export async function readReport(
  filters: ReportFilters,
  page: ResultPage,
  now: Date | null = null,
) {
  const by = filters.by ?? defaultSubject;
  // Beside the rest, in a snapshot of its own.
  const liability = withSnapshot(async (snapshot) =>
    readLiability(snapshot, await readFilter(snapshot, filters), now),
  );
  // Awaited below: a failure must not count as unhandled when the other snapshot fails first.
  liability.catch(() => {});
  const report = await withSnapshot(async (snapshot) => {
    const filter = await readFilter(snapshot, filters);
    const spans = await readReportSpans(snapshot.trx, filters, now);
    const days = await readActivityDays(snapshot, spans, filter);
    const results = await readNearestPage(snapshot, spans.current, by, filter, page);
    return {
      by,
      filters,
      spans,
      days: days.current,
      before: days.previous,
      activity: { current: sumActivity(days.current), previous: sumActivity(days.previous) },
      ...results,
    };
  });
  return { ...report, liability: await liability };
}

/** Reads the machines that a serial number and a group name together; none if there is no such machine. */
async function readFilter(
  { trx }: Snapshot,
  { machine, groupId, generationId }: ReportFilters,
): Promise<ResultFilter> {
  if (machine === "" && groupId === null) return { machineIds: null, generationId };
  const machines = await query<{ id: string }>(
    trx,
    `select m.id from ${machine === "" ? "machines" : machineBySerialSql} m
     where ${groupId === null ? "true" : "m.id in (select machine_id from machine_group_members where group_id = :groupId)"}`,
    { serialNumber: machine, groupId },
  );
  return { machineIds: machines.map(({ id }) => id), generationId };
}

/** Reads a page of the table, or the last one where the requested page lies behind it. */
async function readNearestPage(...request: Parameters<typeof readResults>) {
  const [snapshot, span, by, filter, { sort, limit, offset: requested }] = request;
  const read = async (offset: number) => ({
    ...(await readResults(snapshot, span, by, filter, { sort, limit, offset })),
    page: offset / limit + 1,
  });
  const results = await read(requested);
  if (requested === 0 || results.rows.length > 0) return results;
  const first = await read(0);
  return first.total > limit ? read((Math.ceil(first.total / limit) - 1) * limit) : first;
}

async function readResults(
  snapshot: Snapshot,
  span: ReportSpan,
  by: ReportSubject,
  filter: ResultFilter,
  page: ResultPage,
): Promise<{ rows: ResultRow[]; total: number }> {
  if (by === "promotion" || by === "generation")
    return readCampaignResults(snapshot, span, by, filter, page);
  const read = by === "machine" ? readMachineResults : readGroupResults;
  const rows = sortResults(await read(snapshot, span, filter), page.sort);
  return { rows: rows.slice(page.offset, page.offset + page.limit), total: rows.length };
}

/**
 * Reads all rows of a report's table, of one moment. The snapshot ends before the first rows are passed on, because a slow
 * client that held it for minutes would keep PostgreSQL from cleaning up; until they are sent, rows are kept compressed.
 */
export async function* readAllResults(
  filters: ReportFilters,
  sort: ResultPage["sort"],
): AsyncGenerator<ResultRow[]> {
  const pages = await withSnapshot(async (snapshot) => {
    const filter = await readFilter(snapshot, filters);
    const { current } = await readReportSpans(snapshot.trx, filters);
    const packed: Buffer[] = [];
    for await (const rows of resultPages(
      snapshot,
      current,
      filters.by ?? defaultSubject,
      filter,
      sort,
    ))
      packed.push(await packRows(rows));
    return packed;
  });
  for (const page of pages) yield deserialize(await inflate(page)) as ResultRow[];
}

async function* resultPages(
  snapshot: Snapshot,
  span: ReportSpan,
  by: ReportSubject,
  filter: ResultFilter,
  sort: ResultPage["sort"],
): AsyncGenerator<ResultRow[]> {
  if (by === "promotion" || by === "generation")
    return yield* readAllCampaignResults(snapshot, span, by, filter, sort);
  yield (await readResults(snapshot, span, by, filter, { sort, limit: Infinity, offset: 0 })).rows;
}

/** A row takes 330 bytes, and compressed 50. */
const packRows = (rows: ResultRow[]): Promise<Buffer> => deflate(serialize(rows), { level: 1 });
