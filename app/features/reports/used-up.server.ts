import { one } from "../../db/connection.server";
import { codeCountsBindings, usedUpCodesSql } from "./code-counts.server";
import { bindSpans, type Spans } from "./spans.server";
import type { Snapshot } from "./summary.server";

/** Numbers of codes that were completed in each span (RULES D4). */
export type CompletedPromotions = Record<keyof Spans, number>;

/** Counts codes whose last use was accepted in each span. */
export async function countUsedUp(snapshot: Snapshot, spans: Spans): Promise<CompletedPromotions> {
  const row = await one<CompletedPromotions>(
    snapshot.trx,
    `select (count(*) filter (where used_at >= :currentFrom and used_at < :currentTo))::integer as current,
       (count(*) filter (where used_at >= :previousFrom and used_at < :previousTo))::integer as previous
     from ${usedUpCodesSql} used_up where used_at >= :previousFrom and used_at < :currentTo`,
    { ...codeCountsBindings(snapshot), ...bindSpans(spans) },
    { isPrepared: true },
  );
  return row!;
}
