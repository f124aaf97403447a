/**
 * Reads rows in the order of their ids, each once every statement that ran when the last id was stored has ended, so
 * that none is committed behind a place that was read already. `event_log` remembers the place.
 */
import type { Knex } from "knex";
import { db, one, query, readValue } from "../../db/connection.server";
import {
  horizonSql,
  isVisibleUpToSql,
  type ReadOutcome,
  readUpToHorizon,
} from "../../db/xmin-horizon.server";

export type RowReader = {
  sequence: string;
  /** Columns of `event_log`: the id that was read last, the one to read up to, and the horizon when that was stored. */
  columns: { last: string; visibleUpTo: string; xid: string };
  /** Tells as SQL whether there is something to read beside new ids. */
  hasMoreSql?: string;
  /** Reads the rows with ids after `first`, up to `last`. */
  readRows: (trx: Knex.Transaction, span: { first: string; last: number }) => Promise<void>;
};

type State = {
  last: string;
  /** null without a stored horizon. */
  visibleUpTo: string | null;
  /** Whether every statement that ran when the horizon was stored has ended. */
  isVisibleUpTo: boolean;
  /** Whether anything may have happened since. */
  hasNews: boolean;
};

const lastIdSql = ({ sequence }: RowReader) => `coalesce(pg_sequence_last_value('${sequence}'), 0)`;

function readState(database: Knex, reader: RowReader) {
  const { columns, hasMoreSql = "false" } = reader;
  return one<State>(
    database,
    `select ${columns.last} as last, ${columns.visibleUpTo} as visible_up_to,
       coalesce(${isVisibleUpToSql(columns.xid)}, false) as is_visible_up_to,
       ${lastIdSql(reader)} > ${columns.last} or ${hasMoreSql} as has_news
     from event_log`,
  );
}

/**
 * Reads what has been committed. One instance at a time does it; the next run finds what this one missed.
 * @param chunkSize how many ids are read in one database transaction
 */
export async function readCommittedRows(
  reader: RowReader,
  { chunkSize = 5_000 }: { chunkSize?: number } = {},
): Promise<ReadOutcome> {
  const idle = (await readState(db(), reader))!;
  if (!idle.hasNews && idle.visibleUpTo === null) return "done";
  return readUpToHorizon({
    lockSql: "select from event_log for no key update skip locked",
    readLastIds: () => readValue<string>(db(), `select ${lastIdSql(reader)}`),
    run: (trx, lastId) => readChunk(trx, reader, lastId, chunkSize),
  });
}

async function readChunk(
  trx: Knex.Transaction,
  reader: RowReader,
  lastId: string,
  chunkSize: number,
): Promise<ReadOutcome | "unfinished"> {
  const { last: first, visibleUpTo, ...state } = (await readState(trx, reader))!;
  const { columns } = reader;
  if (visibleUpTo === null) {
    if (!state.hasNews) return "done";
    await query(
      trx,
      `update event_log set ${columns.xid} = ${horizonSql},
         ${columns.visibleUpTo} = greatest(${columns.last}, cast(:lastId as bigint))`,
      { lastId },
    );
    return "unfinished";
  }
  if (!state.isVisibleUpTo) return "waiting";
  const last = Math.min(Number(first) + chunkSize, Number(visibleUpTo));
  await reader.readRows(trx, { first, last });
  const isAtEnd = last === Number(visibleUpTo);
  await query(
    trx,
    `update event_log set ${columns.last} = :last
       ${isAtEnd ? `, ${columns.visibleUpTo} = null, ${columns.xid} = null` : ""}`,
    { last },
  );
  return "unfinished";
}
