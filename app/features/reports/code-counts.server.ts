/**
 * Counts of codes by what decides their status (RULES D1), a part of the summary. Triggers add the changes that people
 * make; a refresh adds the uses by the transactions that it sums up, and whoever reads the counts those by later ones.
 */
import type { Knex } from "knex";
import { isArchivedSql } from "../../db/archived-months.server";
import { query, readValue } from "../../db/connection.server";
import { latest, number, type SummaryPart } from "./summary-sql.server";
import type { Snapshot } from "./snapshot.server";

const key = ["set_id", "is_active", "expires_at", "discount_type", "is_used_up"];
const keys = key.join(", ");
const maxId = "9223372036854775807";

/**
 * Selects the limited codes that the transactions after `from`, up to `to`, used: how often (`number`), and the uses
 * that were left after `to`.
 */
const usedCodesSql = (from: string, to: string) => `
  select c.id, c.set_id, c.is_active, c.expires_at, c.discount_type, c.uses_left + used.later as uses_left, used.number
  from (select t.promotion_id, count(*) filter (where t.id <= ${to}) as number,
      count(*) filter (where t.id > ${to}) as later
    from transactions t where t.id > ${from} and t.status = 'applied' group by t.promotion_id) used
  join countable_codes c on c.id = used.promotion_id and c.is_limited
  where used.number > 0`;

/** Selects the differences that these uses make to the counts. A limited code that was used has uses left before. */
const usesSql = (usedCodes: string) => `
  select used.set_id, used.is_active, used.expires_at, used.discount_type, moved.is_used_up, moved.codes, moved.uses
  from ${usedCodes} used cross join lateral (values (false, -1, -(uses_left + number)),
    (uses_left = 0, 1, uses_left)) moved (is_used_up, codes, uses)`;

/** Selects those of them that were used up, with their last use. */
const usedUpSql = (usedCodes: string) => `
  select used.id as promotion_id, (select max(t.created_at) from transactions t
    where t.promotion_id = used.id and t.status = 'applied') as used_at
  from ${usedCodes} used where used.uses_left = 0`;

/** Selects all codes with the uses that they had left after the transaction `last`. */
const allSql = (last: string) => `
  select c.set_id, c.is_active, c.expires_at, c.discount_type,
    c.is_limited and c.uses_left + coalesce(later, 0) = 0 as is_used_up, 1 as codes,
    c.uses_left + coalesce(later, 0) as uses
  from countable_codes c left join (select t.promotion_id, count(*) as later from transactions t
    where t.id > ${last} and t.status = 'applied' group by t.promotion_id) used
    on used.promotion_id = c.id and c.is_limited`;

const summedUp = (rows: string) =>
  `select ${keys}, sum(codes) as codes, sum(uses) as uses from (${rows}) codes
   group by ${keys} having sum(codes) <> 0 or sum(uses) <> 0`;

/** The codes that the summary has not counted as used yet, as a common table expression of the statements below. */
export const youngCodesSql = `young_codes as materialized (${usedCodesSql(":lastTransaction", maxId)})`;

/**
 * Codes that are not deleted, each row as many as its `codes`, with the uses that they have left together. Needs
 * `youngCodesSql` and `codeCountsBindings`.
 */
export const codeCountsSql = `(
  select ${keys}, codes, uses from code_counts where :hasCodeCounts
  union all select * from (${usesSql("young_codes")}) young where :hasCodeCounts
  union all select * from (${allSql(maxId)}) raw where not :hasCodeCounts)`;

/** Renewable codes with a limit of which a use was taken this month. Needs `clockSql`. */
export const renewableUsesSql = `(
  select p.*, g.id is not null as is_shared
  from promotions p left join mass_generations g on g.set_id = p.set_id
  where p.is_renewable and p.use_rank > 0 and p.period_uses > 0 and p.max_uses is not null
    and not p.is_deleted
    and p.period_key >= (select period_key from clock))`;

/** Codes that are used up for good and not deleted, with their last use. Needs `youngCodesSql` and `codeCountsBindings`. */
export const usedUpCodesSql = `(
  select used_at from used_up_codes where :isSummarised
  union all select used_at from (${usedUpSql("young_codes")}) young)`;

export function codeCountsBindings({ summarised, hasCodeCounts }: Snapshot) {
  const lastTransaction = summarised.transactions;
  return { hasCodeCounts, lastTransaction, isSummarised: lastTransaction !== "0" };
}

/**
 * Counts the uses by transactions after `from`, up to `to`, in the transaction that holds the lock of the summary.
 * @param hasCodeCounts false leaves out the counts of all codes, which are not made yet
 */
export async function countUses(
  trx: Knex.Transaction,
  { hasCodeCounts, ...span }: { from: number; to: number; hasCodeCounts: boolean },
): Promise<void> {
  // A row that is there by mistake must not stop each refresh from now on.
  await query(
    trx,
    `insert into used_up_codes ${usedUpSql(`(${usedCodesSql(":from", ":to")})`)}
     on conflict (promotion_id) do update set used_at = greatest(used_up_codes.used_at, excluded.used_at)`,
    span,
  );
  if (!hasCodeCounts) return;
  await query(
    trx,
    `insert into code_counts ${summedUp(usesSql(`(${usedCodesSql(":from", ":to")})`))}`,
    span,
  );
  await sumUpChanges(trx);
}

/** Counts all codes. A statement alone, whose snapshot also removes the changes that it counts. */
export async function countAllCodes(trx: Knex.Transaction, lastTransaction: number): Promise<void> {
  await trx.raw("set local statement_timeout = 0");
  await query(
    trx,
    `with replaced as (delete from code_counts)
     insert into code_counts ${summedUp(allSql(":lastTransaction"))}`,
    { lastTransaction },
  );
  await trx.raw("update activity_summary set has_code_counts = true");
}

/** Sums up rows of the same codes once they are more than twice as many as necessary. */
async function sumUpChanges(trx: Knex.Transaction): Promise<void> {
  const areMany = await readValue<boolean>(
    trx,
    `select count(*) > 1000 + 2 * (select count(*) from (select distinct ${keys} from code_counts) needed)
     from code_counts`,
  );
  if (!areMany) return;
  await trx.raw(
    `with changes as (delete from code_counts returning *)
     insert into code_counts ${summedUp("select * from changes")}`,
  );
}

/** A table that is compared with the raw rows. */
export type CheckedPart = Omit<SummaryPart, "table" | "archivedSql"> & {
  table: string;
  storedSql?: string;
  archivedSql?: string;
};

export const usedUpPart: CheckedPart = {
  table: "used_up_codes",
  source: "transactions",
  key: ["promotion_id"],
  columns: { used_at: latest },
  // Nothing else tells the time of a last use that is archived.
  storedSql: `select * from used_up_codes where not ${isArchivedSql("used_at")}`,
  rowsSql: (condition) => `
    select t.promotion_id, max(t.created_at) as used_at
    from transactions t
      join countable_codes c on c.id = t.promotion_id and c.is_limited and c.uses_left = 0
    where t.status = 'applied' and not exists (select from used_up_codes u
      where u.promotion_id = t.promotion_id and ${isArchivedSql("u.used_at")})
    group by t.promotion_id having bool_and(${condition})`,
};

export const codeCountsPart: CheckedPart = {
  table: "code_counts",
  source: "transactions",
  key,
  columns: { codes: number, uses: number },
  storedSql: summedUp("select * from code_counts"),
  rowsSql: () => summedUp(allSql(":last")),
};
