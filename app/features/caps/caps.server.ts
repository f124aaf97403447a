/** Sets and reads the caps of a campaign (RULES U6). */
import { isDeepStrictEqual } from "node:util";
import type { Knex } from "knex";
import { db, one, query, readValue } from "../../db/connection.server";
import { siteTimeZone } from "../../db/site.server";
import { conflict, notFound, requireVersion } from "../../errors";
import { parseRecordId } from "../../forms/record-id";
import { recordAction, type Actor } from "../activity/audit-log.server";
import { runOnce, type ActionOptions } from "../activity/idempotency.server";
import type { CampaignRef } from "../activity/subject";
import { formatCents } from "../../format/money";
import { siteFormat } from "../settings/settings.server";
import {
  describeCaps,
  hasCaps,
  noCaps,
  reachedCap,
  reachedMessages,
  toApiCaps,
  type Caps,
  type CapUse,
} from "./cap";
import {
  countUsesOfDay,
  noUses,
  redemptionsSql,
  startOfTodaySql,
  sumRecentUses,
  sumEarlierUses,
  todaySql,
  type UseSums,
} from "./campaign-uses.server";
import { capsIdOf, capsOf, leftOfDaySql, maxParts } from "./cap-sql.server";

export const capsToTexts = (caps: Caps, use: CapUse | null = null) =>
  describeCaps(caps, (cents) => formatCents(cents, siteFormat().currency), use);

/** Cents that a part holds at least: about a hundred vends, so that parts are not too small for one before the end. */
const minPartMoney = 20_000;

/** Statements on a campaign `:id`. */
const statements = {
  promotion: {
    capsId: "select p.caps_id from promotions p where p.id = :id and p.mass_generation_id is null",
    // A code of a mass generation has no caps of its own.
    lock: `select p.version, p.is_deleted, p.caps_id from promotions p
      where p.id = :id and p.mass_generation_id is null for no key update`,
    link: "update promotions set caps_id = :capsId where id = :id",
    // The version makes a redemption that is under way judge again.
    touch: "update promotions set version = version + 1, updated_at = now() where id = :id",
  },
  mass_generation: {
    capsId: "select g.caps_id from mass_generations g where g.id = :id",
    lock: "select g.version, g.is_deleted, g.caps_id from mass_generations g where g.id = :id for update",
    link: "update mass_generations set caps_id = :capsId where id = :id",
    touch: "update mass_generations set version = version + 1 where id = :id",
  },
};

/** Reads the caps of a campaign, and how much of them was used; those of a code of a mass generation are the generation's. */
export async function readCaps(campaign: CampaignRef): Promise<{ caps: Caps; use: CapUse | null }> {
  const row = await one<{ caps: Caps; use: CapUse }>(
    db(),
    `select ${capsOf("c.id")} as caps, jsonb_build_object(
       'uses', coalesce(c.max_uses - remaining.uses, 0),
       'usesToday', coalesce(c.max_uses_per_day - remaining.of_day, 0),
       'money', coalesce(c.max_money - remaining.money, 0)) as use
     from caps c cross join lateral (
       select sum(part.uses_left) as uses, sum(part.money_left) as money,
         sum(${leftOfDaySql("part", todaySql)}) as of_day
       from cap_parts part where part.caps_id = c.id) remaining
     where c.id = ${campaign.type === "promotion" ? capsIdOf(":id") : `(${statements.mass_generation.capsId})`}`,
    { id: parseRecordId(campaign.id), now: null, timeZone: siteTimeZone() },
  );
  return row ?? { caps: noCaps, use: null };
}

/** Describes the caps of a campaign and what was used of them, and the one that is reached, for its page. */
export async function describeCapsOf(
  campaign: CampaignRef,
): Promise<{ text: string; reached: string | null }> {
  const { caps, use } = await readCaps(campaign);
  const cap = use && reachedCap(caps, use);
  return {
    text: capsToTexts(caps, use).join(", ") || "None",
    reached: cap && reachedMessages[cap],
  };
}

export async function createCaps(trx: Knex.Transaction, campaign: CampaignRef, caps: Caps) {
  const options = { existingId: null, earlierUses: noUses, now: null };
  if (hasCaps(caps)) await storeCaps(trx, campaign, caps, options);
}

/**
 * Changes the caps of a campaign. What was used before counts.
 * @param version the one that the editor saw; repeating the same change is no conflict
 * @param options.now only tests pass one
 * @throws DomainError not_found, conflict
 */
export async function editCaps(
  campaign: CampaignRef,
  caps: Caps,
  version: number,
  options: ActionOptions & { now?: Date | null },
): Promise<{ changed: boolean }> {
  return runOnce(options, { campaign, caps }, async (trx) => {
    const earlierUses = await prepareCapsChange(trx, campaign, caps, options.now);
    if (!earlierUses) return { changed: false };
    return changeCaps(trx, campaign, caps, version, { ...options, earlierUses });
  });
}

/**
 * Begins an edit with caps: sums up what was used before, which can take a minute, and then locks the parts of a promotion.
 * @returns null if the campaign has these caps already
 */
export async function prepareCapsChange(
  trx: Knex.Transaction,
  { type, id: rawId }: CampaignRef,
  caps: Caps,
  now: Date | null = null,
): Promise<UseSums | null> {
  const id = parseRecordId(rawId) ?? "0";
  const sql = `select ${capsOf("of.caps_id")} as caps from (${statements[type].capsId}) of`;
  const row = await one<{ caps: Caps | null }>(trx, sql, { id });
  if (row && isSame(row.caps, caps)) return null;
  const earlierUses = await sumEarlierUses(trx, { type, id }, now);
  if (type === "promotion") await lockParts(trx, { type, id });
  return earlierUses;
}

const isSame = (existing: Caps | null, caps: Caps) =>
  isDeepStrictEqual(toApiCaps(existing ?? noCaps), toApiCaps(caps));

/** `editCaps` as a part of an edit that began with `prepareCapsChange`. */
export async function changeCaps(
  trx: Knex.Transaction,
  campaign: CampaignRef,
  caps: Caps,
  version: number,
  { actor, earlierUses, now = null }: { actor: Actor; earlierUses: UseSums; now?: Date | null },
): Promise<{ changed: boolean }> {
  const { type } = campaign;
  const id = parseRecordId(campaign.id) ?? "0";
  type Row = { version: number; isDeleted: boolean; capsId: string | null };
  const row = await one<Row>(trx, statements[type].lock, { id });
  if (!row) throw notFound("This campaign does not exist.");
  const sql = `select ${capsOf(":capsId")} as caps`;
  const existing = (await one<{ caps: Caps | null }>(trx, sql, row))!.caps;
  if (isSame(existing, caps)) return { changed: false };
  if (row.isDeleted) throw conflict("This campaign is deleted. Nothing was changed.");
  requireVersion(row.version, version, "Someone else changed this campaign");
  if (type === "mass_generation") await lockParts(trx, { type, id });
  await storeCaps(trx, { type, id }, caps, { existingId: row.capsId, earlierUses, now });
  await query(trx, statements[type].touch, { id });
  await recordAction(trx, actor, `${type}.edited`, id, {
    details: { caps: { from: capsToTexts(existing ?? noCaps), to: capsToTexts(caps) } },
  });
  return { changed: true };
}

/**
 * Waits for the redemptions that take from a campaign's caps, and holds up others. Comes before the lock of a promotion,
 * as in redemptions, and late in an edit of a mass generation, whose row these don't lock.
 */
async function lockParts(trx: Knex.Transaction, { type, id }: CampaignRef) {
  const row = await one<{ capsId: string | null }>(trx, statements[type].capsId, { id });
  if (row?.capsId)
    await query(
      trx,
      `select part.part from cap_parts part where part.caps_id = :capsId
       order by part.part for no key update`,
      row,
    );
}

/** Writes caps and what the redemptions until now left of them. @param options.now only tests pass one */
async function storeCaps(
  trx: Knex.Transaction,
  campaign: CampaignRef,
  caps: Caps,
  {
    existingId,
    earlierUses,
    now,
  }: { existingId: string | null; earlierUses: UseSums; now: Date | null },
): Promise<void> {
  const { type, id } = campaign;
  // `now()` is the start of the transaction, which may have waited for its locks since the day before.
  const setAt = now ?? (await readValue<Date>(trx, "select clock_timestamp()"));
  const capsId = await upsertCaps(trx, existingId, caps);
  if (existingId === null) await query(trx, statements[type].link, { id, capsId });
  await query(trx, "delete from cap_parts where caps_id = :capsId", { capsId });
  await query(trx, "delete from cap_machine_days where caps_id = :capsId", { capsId });
  const recent = await sumRecentUses(trx, campaign, now);
  const used = {
    uses: earlierUses.uses + recent.uses,
    money: earlierUses.money + recent.money,
    usesOfDay: caps.usesPerDay === null ? 0 : await countUsesOfDay(trx, campaign, setAt),
  };
  const bindings = { capsId, now: setAt, timeZone: siteTimeZone() };
  await query(trx, insertPartsSql, { ...bindings, ...spreadOverParts(caps, used) });
  if (caps.usesPerMachineAndDay !== null)
    await query(trx, insertMachineDaysSql(type), { ...bindings, ...caps, id });
}

const insertPartsSql = `
  insert into cap_parts (caps_id, part, uses_left, money_left, uses_a_day, uses_left_of_day, day)
  select :capsId, part - 1, uses_left, money_left, uses_a_day, uses_left_of_day, ${todaySql}
  from unnest(cast(:usesLeft as integer[]), cast(:moneyLeft as bigint[]),
    cast(:usesADay as integer[]), cast(:usesLeftOfDay as integer[])) with ordinality
    as listed (uses_left, money_left, uses_a_day, uses_left_of_day, part)`;

const insertMachineDaysSql = (type: CampaignRef["type"]) => `
  insert into cap_machine_days (caps_id, machine_id, day, uses, max_uses)
  select :capsId, t.machine_id, ${todaySql}, count(*), greatest(count(*), :usesPerMachineAndDay)
  ${redemptionsSql[type]} and t.created_at >= ${startOfTodaySql} group by t.machine_id`;

/** Returns what is left of each cap, spread over its parts. */
function spreadOverParts(caps: Caps, used: UseSums & { usesOfDay: number }) {
  const parts = countParts(caps);
  const left = (cap: number | null, usedOfCap = 0) =>
    shares(cap === null ? null : cap - usedOfCap, parts);
  return {
    usesLeft: left(caps.uses, used.uses),
    moneyLeft: left(caps.money, used.money),
    usesADay: left(caps.usesPerDay),
    usesLeftOfDay: left(caps.usesPerDay, used.usesOfDay),
  };
}

async function upsertCaps(trx: Knex.Transaction, id: string | null, caps: Caps): Promise<string> {
  const columns = `(max_uses, max_uses_per_day, max_uses_per_machine_day, max_money,
    lowest_price, highest_discount)`;
  const values = `(:uses, :usesPerDay, :usesPerMachineAndDay, :money, :lowestPrice, :highestDiscount)`;
  const row = await one<{ id: string }>(
    trx,
    id === null
      ? `insert into caps ${columns} values ${values} returning id`
      : `update caps set ${columns} = ${values} where id = :id returning id`,
    { ...caps, id },
  );
  return row!.id;
}

function countParts({ uses, usesPerDay, money }: Caps): number {
  const maxCount = Math.min(
    uses ?? maxParts,
    usesPerDay ?? maxParts,
    money === null ? maxParts : Math.floor(money / minPartMoney),
    maxParts,
  );
  return Math.max(maxCount, 1);
}

/** Splits a number among parts; part 0 has all that is below zero. */
function shares(total: number | null, parts: number): (number | null)[] {
  if (total === null) return Array.from({ length: parts }, () => null);
  if (total < 0) return Array.from({ length: parts }, (_, part) => (part === 0 ? total : 0));
  const each = Math.floor(total / parts);
  return Array.from({ length: parts }, (_, part) => each + Number(part < total % parts));
}

/**
 * Lists campaigns, not deleted, inactive or expired, that have used at least 80 % of their uses or their money in all, the most
 * used first; for alerts.
 */
export async function listNearCaps(limit: number) {
  return query<CampaignRef & { name: string; cap: "uses" | "money"; used: number; total: number }>(
    db(),
    `with remaining as materialized (
       select c.id, c.max_uses, c.max_money, sum(part.uses_left) as uses_left, sum(part.money_left) as money_left
       from caps c join cap_parts part on part.caps_id = c.id
       where c.max_uses is not null or c.max_money is not null group by c.id
     ), near as (
       select id, 'uses' as cap, max_uses::double precision as total, uses_left as left_over from remaining
       union all
       select id, 'money', max_money, money_left from remaining
     ), campaigns as (
       select p.caps_id, 'promotion' as type, p.id, p.name from promotions p
       where p.caps_id in (select id from remaining) and p.is_active and not p.is_deleted
         and coalesce(p.expires_at, 'infinity') > now()
       union all
       select g.caps_id, 'mass_generation', g.id, g.name from mass_generations g
       where g.caps_id in (select id from remaining) and g.is_active and not g.is_deleted
         and coalesce(g.expires_at, 'infinity') > now()
     )
     select campaigns.type, campaigns.id, campaigns.name, near.cap, near.total,
       (near.total - near.left_over)::double precision as used
     from near join campaigns on campaigns.caps_id = near.id
     where near.left_over * 5 <= near.total
     order by near.left_over / near.total, campaigns.id limit :limit`,
    { limit },
  );
}
