/**
 * One action on many promotions: all of them in one transaction, with a reason for each that stays
 * as it is. Locks are taken as everywhere: generations before promotions, each by id.
 */
import type { Knex } from "knex";
import { db } from "../../../db/connection.server";
import { siteTimeZone } from "../../../db/site.server";
import { DomainError } from "../../../errors";
import {
  withGroupLocks,
  lockGroupsForShare,
  tryLockGroupsForShare,
} from "../../machines/machine-groups.server";
import { recordAction, type Actor } from "../../activity/audit-log.server";
import {
  isForAdmins,
  maxBulkCodes,
  tooManyCodes,
  type BulkAction,
  type BulkCount,
} from "./bulk-actions";
import { readGroupsOfGenerations } from "../../assignments/assignments.server";
import { type BulkValues } from "./bulk-form";
import {
  changeMachines,
  findMachineIds,
  hasSomeSql,
  lacksSql,
  refuseTooManyAssignments,
} from "./bulk-machines.server";
import type { PromotionSelection } from "./bulk-selection";
import { selectionSql } from "./bulk-selection.server";
import { storeResult, claimIdempotencyKey } from "../../activity/idempotency.server";
import { clockBindings, clockSql } from "../promotion-sql.server";
import { endOfDaySql, refusePastDate } from "../site-day.server";

type Rows<Row> = { rows: Row[] };

/** Codes that stay as they are, by reason, and the first of them. */
export type Refusals = {
  reasons: { reason: string; count: number }[];
  shown: { id: string; name: string; code: string; reason: string }[];
};

export type BulkPreview = BulkCount & { refusals: Refusals };

export type BulkResult = BulkPreview & {
  action: BulkAction;
  /** What the page before said; null where nothing was shown. */
  expected: number | null;
};

/** Lists of ids stay text that PostgreSQL wrote: a hundred thousand never become objects here. */
const noIds = "{}";
const maxListed = 100;

type Judgement = { action: BulkAction; lastDay: string | null; machineIds: string };

/** Why a code `p` would stay as it is; the first reason that holds. Null: it is changed. */
function reasonSql(action: BulkAction): string {
  const cases: Record<BulkAction, string> = {
    deactivate: `when p.is_deleted then 'It is deleted.'
      when not p.is_active then 'It is inactive already.'`,
    extend: `when p.is_deleted then 'It is deleted.'
      when p.is_renewable then 'A renewable code has no expiration date.'
      when p.expires_at is null then 'It has no expiration date: it is valid without end.'
      when p.expires_at >= (select ends_at from wanted) then 'It is valid as long already.'`,
    "add-machines": `when p.is_deleted then 'It is deleted.'
      when :machineIds <> '${noIds}' and not ${lacksSql} then 'It has these machines already.'`,
    "remove-machines": `when p.is_deleted then 'It is deleted.'
      when :machineIds <> '${noIds}' and not ${hasSomeSql} then 'None of these machines is assigned to it by itself.'`,
    delete: "when p.is_deleted then 'It is deleted already.'",
    restore: "when not p.is_deleted then 'It is not deleted.'",
  };
  return `(case ${cases[action]} end)`;
}

/** Deleting or restoring one code of a generation does it to the whole generation (rulings 3.6). */
function isOfWholeGenerations(action: BulkAction): action is "delete" | "restore" {
  return action === "delete" || action === "restore";
}

/** What an action would do now; nothing is written. */
export async function previewBulk(
  action: BulkAction,
  selection: PromotionSelection,
): Promise<BulkPreview> {
  const chosen = await choose(db(), selection);
  const judgement = { action, lastDay: null, machineIds: noIds };
  return (await judge(db(), chosen.ids, judgement)).preview;
}

/**
 * Does it. The selection is read again inside the transaction, so what counts is how things are now.
 * @param expected the number of codes that the page before said
 * @throws DomainError forbidden, invalid, conflict; then nothing is changed
 */
export async function applyBulk(
  action: BulkAction,
  selection: PromotionSelection,
  values: BulkValues,
  options: {
    actor: Actor & { role: string };
    idempotencyKey: string;
    expected: number | null;
  },
): Promise<BulkResult> {
  const { actor, idempotencyKey: key, expected } = options;
  if (isForAdmins(action) && actor.role !== "admin")
    throw new DomainError("forbidden", "You are not allowed to do this.");
  return withGroupLocks(async (trx) => {
    // A hundred thousand rows in a dozen indexes take longer than one statement usually may.
    await trx.raw("set local statement_timeout = '60s'");
    const input = { action, selection, values };
    const earlier = await claimIdempotencyKey(trx, { userId: actor.id, key, input });
    if (earlier?.bulk) return earlier.bulk as BulkResult;

    await refusePastDate(trx, values.expirationDate);
    const machineIds = await findMachineIds(trx, values.machines, action === "add-machines");
    const chosen = await choose(trx, selection);
    const ids = await lock(trx, action, selection, chosen);
    const judgement = { action, lastDay: values.expirationDate, machineIds };
    refuseTooManyAssignments(chosen.count, values.machines.length);
    const { changing, preview } = await judge(trx, ids, judgement);
    const result: BulkResult = { ...preview, action, expected };
    if (preview.codes > 0) {
      const details = await change(trx, changing, judgement, values);
      await recordAction(trx, {
        actor,
        action: auditNames[action],
        subjectType: "promotion",
        subjectId: null,
        subjectIds: changing.slice(1, -1).split(","),
        covered: preview.codes,
        details: { ...details, selection: describeSelection(selection) },
      });
    }
    await storeResult(trx, { userId: actor.id, key, result: { bulk: result } });
    return result;
  });
}

/** What a bulk action came to, for a day; null for anything that is not this person's. */
export async function findBulkResult(userId: string, key: string): Promise<BulkResult | null> {
  const { rows } = await db().raw<Rows<{ bulk: BulkResult | null }>>(
    "select result->'bulk' as bulk from idempotency_keys where user_id = :userId and key = :key",
    { userId, key },
  );
  return rows[0]?.bulk ?? null;
}

const auditNames: Record<BulkAction, string> = {
  deactivate: "promotion.deactivated",
  extend: "promotion.edited",
  "add-machines": "promotion.machines_added",
  "remove-machines": "promotion.machines_removed",
  delete: "promotion.deleted",
  restore: "promotion.restored",
};

function describeSelection(selection: PromotionSelection): object {
  return selection.kind === "ticked" ? { ticked: selection.ids.length } : selection;
}

type Chosen = { ids: string; generations: string; count: number };

/** The codes that a selection means now. */
async function choose(knex: Knex, selection: PromotionSelection): Promise<Chosen> {
  const { sql, bindings, parts } = selectionSql(selection);
  const part = (condition: string) =>
    `(select p.id, p.mass_generation_id from promotions p where ${condition} and (${sql})
      limit ${maxBulkCodes + 1})`;
  const { rows } = await knex.raw<Rows<Chosen>>(
    `with ${clockSql}, chosen as materialized (${parts.map(part).join(" union all ")})
     select count(*)::integer as count,
       coalesce(array_agg(id order by id)::text, '${noIds}') as ids,
       coalesce(array_agg(distinct mass_generation_id)
         filter (where mass_generation_id is not null)::text, '${noIds}') as generations
     from chosen`,
    { ...clockBindings(), ...bindings },
  );
  if (rows[0]!.count > maxBulkCodes) throw new DomainError("invalid", tooManyCodes);
  return rows[0]!;
}

/** @returns the ids that are locked and are still what was meant */
async function lock(
  trx: Knex.Transaction,
  action: BulkAction,
  selection: PromotionSelection,
  { ids, generations }: Chosen,
): Promise<string> {
  if (action !== "deactivate" && action !== "extend") {
    // Codes that get machines of their own take the groups of their generation along.
    const takesGroups = !isOfWholeGenerations(action);
    if (takesGroups) await lockGroupsForShare(trx, await readGroupsOfGenerations(trx, generations));
    await trx.raw(
      `select from mass_generations where id = any(cast(:generations as bigint[]))
       order by id for update`,
      { generations },
    );
    if (takesGroups)
      await tryLockGroupsForShare(trx, await readGroupsOfGenerations(trx, generations));
  }
  if (isOfWholeGenerations(action)) {
    await trx.raw(
      `select count(*) from (
         select from promotions
         where id = any(cast(:ids as bigint[]))
           or mass_generation_id = any(cast(:generations as bigint[]))
         order by id for update) locked`,
      { ids, generations },
    );
  }
  const { sql, bindings } = selectionSql(selection);
  const { rows } = await trx.raw<Rows<{ ids: string }>>(
    `with ${clockSql}
     select coalesce(array_agg(id)::text, '${noIds}') as ids from (
       select p.id from promotions p
       where p.id = any(cast(:ids as bigint[])) and (${sql})
       order by p.id for update) locked`,
    { ...clockBindings(), ...bindings, ids },
  );
  return rows[0]!.ids;
}

/** Which of the codes would be changed and what that covers, and why the others would not. */
async function judge(
  knex: Knex,
  ids: string,
  { action, lastDay, machineIds }: Judgement,
): Promise<{ changing: string; preview: BulkPreview }> {
  const covered = isOfWholeGenerations(action)
    ? `select id, mass_generation_id from judged where reason is null and mass_generation_id is null
       union all
       select id, mass_generation_id from promotions
       where mass_generation_id in (select mass_generation_id from judged where reason is null)
         and ${action === "delete" ? "not is_deleted" : "is_deleted"}`
    : "select id, mass_generation_id from judged where reason is null";
  const { rows } = await knex.raw<Rows<BulkCount & Refusals & { changing: string }>>(
    `with wanted as materialized (
       select case when cast(:lastDay as date) is not null then ${endOfDaySql} end as ends_at
     ), judged as materialized (
       select p.id, p.name, p.code, p.mass_generation_id, ${reasonSql(action)} as reason
       from promotions p where p.id = any(cast(:ids as bigint[]))
     ), covered as materialized (select * from (${covered}) all_codes limit ${maxBulkCodes + 1})
     select coalesce(array_agg(id order by id)::text, '${noIds}') as changing,
       count(*)::integer as codes,
       (count(*) filter (where mass_generation_id is null))::integer as singles,
       count(mass_generation_id)::integer as "generationCodes",
       count(distinct mass_generation_id)::integer as generations,
       (select coalesce(json_agg(r), '[]') from (
          select reason, count(*)::integer as count from judged
          where reason is not null group by reason order by 2 desc, 1) r) as reasons,
       (select coalesce(json_agg(s), '[]') from (
          select id::text as id, name, code, reason from judged
          where reason is not null order by id limit ${maxListed}) s) as shown
     from covered`,
    { ids, lastDay, machineIds, timeZone: siteTimeZone() },
  );
  const { changing, reasons, shown, ...counts } = rows[0]!;
  if (counts.codes > maxBulkCodes) throw new DomainError("invalid", tooManyCodes);
  return { changing, preview: { ...counts, refusals: { reasons, shown } } };
}

/** @returns what the audit log says about it */
async function change(
  trx: Knex.Transaction,
  ids: string,
  { action, lastDay, machineIds }: Judgement,
  { machines }: BulkValues,
): Promise<object> {
  switch (action) {
    case "deactivate":
      await update(trx, ids, "is_active = false");
      return { is_active: { from: true, to: false } };
    case "extend": {
      const from = await lastDays(trx, ids);
      await update(trx, ids, `expires_at = ${endOfDaySql}`, { lastDay });
      return { expiration_date: { from, to: lastDay } };
    }
    case "delete":
    case "restore": {
      const isDeleted = action === "delete";
      // One moment for all of it, after their locks: what was redeemed before is older.
      const moment = isDeleted ? await momentNow(trx) : null;
      const sets = `is_deleted = ${isDeleted}, deleted_at = cast(:moment as timestamptz)`;
      await update(trx, ids, sets, { moment });
      await trx.raw(
        `update mass_generations set ${sets}, version = version + 1
         where is_deleted <> :isDeleted and id in (
           select mass_generation_id from promotions where id = any(cast(:ids as bigint[])))`,
        { ids, isDeleted, moment },
      );
      return { is_deleted: { from: !isDeleted, to: isDeleted } };
    }
    case "add-machines":
      await changeMachines(trx, { ids, machineIds, isAdding: true });
      return { machines_added: { from: null, to: machines } };
    case "remove-machines":
      await changeMachines(trx, { ids, machineIds, isAdding: false });
      return { machines_removed: { from: machines, to: null } };
  }
}

async function update(
  trx: Knex.Transaction,
  ids: string,
  sets: string,
  bindings: { lastDay?: string | null; moment?: string | null } = {},
): Promise<void> {
  await trx.raw(
    `update promotions set ${sets}, version = version + 1, updated_at = now()
     where id = any(cast(:ids as bigint[]))`,
    { ids, timeZone: siteTimeZone(), ...bindings },
  );
}

/** As PostgreSQL writes it: a Date would cut off the microseconds. */
async function momentNow(trx: Knex.Transaction): Promise<string> {
  const { rows } = await trx.raw<Rows<{ moment: string }>>(
    "select cast(clock_timestamp() as text) as moment",
  );
  return rows[0]!.moment;
}

/** The last valid days that the codes have now, the first ten of them. */
async function lastDays(trx: Knex.Transaction, ids: string): Promise<string[]> {
  const { rows } = await trx.raw<Rows<{ day: string }>>(
    `select distinct to_char((expires_at - interval '1 microsecond') at time zone :timeZone,
       'YYYY-MM-DD') as day
     from promotions where id = any(cast(:ids as bigint[])) order by 1 limit 10`,
    { ids, timeZone: siteTimeZone() },
  );
  return rows.map((row) => row.day);
}
