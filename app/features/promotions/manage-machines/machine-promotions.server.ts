/** The promotions that one machine accepts, counted at the time of the request. */
import { db, query } from "../../../db/connection.server";
import { repeatedJob } from "../../../db/jobs.server";
import type { DiscountType } from "../promotion";
import { clockBindings, clockSql, statusConditions } from "../promotion-sql.server";
import { type Errors, paramReader, parsePositive, rejectUnknown } from "../../../lists/parse-list";
import { conflict, unavailable } from "../../../errors";
import {
  type Confirmation,
  consumeRefreshQuota,
  syncJob,
  syncMachines,
  type SyncOptions,
  type SyncOutcome,
} from "../../machines/sync-machines.server";

/** A single promotion, or a mass generation with the number of its codes that the machine accepts. */
type MachinePromotion = {
  kind: "promotion" | "generation";
  id: string;
  name: string;
  discountType: DiscountType;
  /** Percent, or a number of drinks. */
  discountValue: number;
  isSingleUse: boolean;
  /** Codes with status active. */
  codes: number;
};

export type MachinePromotionList = Awaited<ReturnType<typeof listMachinePromotions>>;

/**
 * Lists the promotions with status active that a machine accepts. One statement, so that the total
 * and the lines belong together; `countPromotionsByMachine` counts the same for all machines.
 * @param machineId a machine flagged deleted accepts none
 * @param options.page from 1; a page after the last one is the last one
 * @param options.now only tests pass one
 * @returns a page with mass generations first, then single promotions, of both the newest first;
 *   `total` counts the lines of all pages, `codes` their codes
 */
export async function listMachinePromotions(
  machineId: string,
  { page, perPage, now = null }: { page: number; perPage: number; now?: Date | null },
) {
  // A row of nulls stands for the page when there is no line at all.
  const rows = await query<MachinePromotion & { total: number; allCodes: number; page: number }>(
    db(),
    `with ${clockSql}, lines as (
       select case when p.mass_generation_id is null then 'promotion' else 'generation' end as kind,
         coalesce(p.mass_generation_id, p.id) as id, count(*)::integer as codes
       from (select distinct set_id from effective_machines where machine_id = :machineId) accepting
         join promotions p on p.set_id = accepting.set_id
       where ${statusConditions.active}
       group by 1, 2
     ), totals as (
       select count(*)::integer as total, coalesce(sum(codes), 0)::integer as all_codes,
         least(:page, greatest(1, ceil(count(*)::numeric / :perPage)))::integer as page
       from lines
     ), shown as (
       select kind, id, codes from lines order by kind, id desc
       limit :perPage offset (select (page - 1) * :perPage from totals)
     )
     select totals.total, totals.all_codes, totals.page, shown.kind, shown.id, shown.codes,
       coalesce(p.name, g.name) as name,
       coalesce(p.discount_type, g.discount_type) as discount_type,
       coalesce(p.discount_value, g.discount_value) as discount_value,
       coalesce(p.is_single_use, g.is_single_use) as is_single_use
     from totals left join shown on true
     left join promotions p on shown.kind = 'promotion' and p.id = shown.id
     left join mass_generations g on shown.kind = 'generation' and g.id = shown.id
     order by shown.kind, shown.id desc`,
    { ...clockBindings(now), machineId, page, perPage },
  );
  const { total, allCodes: codes, page: currentPage } = rows[0]!;
  const promotions = rows
    .map(({ total: _total, allCodes: _allCodes, page: _page, ...promotion }) => promotion)
    .filter(({ kind }) => kind !== null);
  return { promotions, total, codes, page: currentPage, perPage };
}

/**
 * Counts, for all machines in one statement, the codes with status active that each accepts, and
 * stores the counts. Concurrent calls are safe.
 */
export async function countPromotionsByMachine(): Promise<void> {
  await query(
    db(),
    `with ${clockSql}, active as materialized (
       select p.set_id, count(*) as codes
       from promotions p where ${statusConditions.active} group by p.set_id
     ), counted as (
       select accepting.machine_id, sum(active.codes)::integer as codes
       from (select distinct set_id, machine_id from effective_machines) accepting
         join active on active.set_id = accepting.set_id
       group by accepting.machine_id
     )
     insert into machine_promotion_counts (machine_id, active_promotions, counted_at)
     select m.id, coalesce(counted.codes, 0), now()
     from machines m left join counted on counted.machine_id = m.id
     order by m.id
     on conflict (machine_id) do update
       set active_promotions = excluded.active_promotions, counted_at = excluded.counted_at`,
    clockBindings(),
  );
}

const maximum: Record<string, number> = { page: 1_000_000, per_page: 100 };

/** Parses `page` and `per_page`, as the other lists of the API have them; nothing else is known. */
export function parseMachinePromotionsQuery(params: URLSearchParams) {
  const errors: Errors = {};
  const read = paramReader(params, errors);
  const number = (name: string, fallback: number) =>
    read(name, fallback, (text) => parsePositive(text, maximum[name]));
  rejectUnknown(params, Object.keys(maximum), errors);
  return { query: { page: number("page", 1), perPage: number("per_page", 25) }, errors };
}

/** Returns an empty list for a page after the last one, so that a client that counts pages comes to an end. */
export function toApiMachinePromotions(list: MachinePromotionList, requestedPage: number) {
  const isBehindTheLast = list.page !== requestedPage;
  return {
    promotions: isBehindTheLast
      ? []
      : list.promotions.map((promotion) => ({
          name: promotion.name,
          discount_type: promotion.discountType,
          discount_value: promotion.discountValue,
          is_single_use: promotion.isSingleUse,
          promotion_id: promotion.kind === "promotion" ? Number(promotion.id) : null,
          mass_generation_id: promotion.kind === "generation" ? Number(promotion.id) : null,
          codes: promotion.codes,
        })),
    total: list.total,
    active_promotions: list.codes,
    page: requestedPage,
    per_page: list.perPage,
  };
}

/**
 * Brings the machines in line with the platform and, when that has worked, counts their promotions
 * anew (RULES M5, M7).
 * @throws DomainError conflict, when what is confirmed is no longer what is held
 */
export async function refreshMachines(options: SyncOptions = {}): Promise<SyncOutcome> {
  const outcome = await syncMachines(options);
  if (outcome.kind === "done" || outcome.kind === "none") await countPromotionsByMachine();
  return outcome;
}

/** Refreshes by itself; the page of the machines says why the platform gave no list. */
export const machineSyncJob = repeatedJob(syncJob.everySeconds, () =>
  refreshMachines({ isAutomatic: true, isLeased: true }),
);

/**
 * Refreshes for a user, at most once in 30 s on all screens together (RULES M5).
 * @returns the message for the user
 * @throws DomainError unavailable, when the platform gives no list
 */
export async function refreshFor(
  userId: string,
): Promise<{ kind: "success" | "warning"; text: string; isAboutRows?: boolean }> {
  const seconds = await consumeRefreshQuota(userId);
  if (seconds > 0)
    return { kind: "warning", text: `Please wait ${seconds} seconds before refreshing again.` };
  const outcome = await refreshMachines();
  assertRefreshed(outcome);
  if (outcome.kind === "done" || outcome.kind === "none")
    return { kind: "success", text: "Data refreshed successfully", isAboutRows: true };
  return {
    kind: "warning",
    text: "The machines are already being refreshed. Check again in a few seconds.",
  };
}

/**
 * Marks the machines of a held list that are missing still, on an admin's word.
 * @throws DomainError conflict: another list is held by now, or a refresh runs; unavailable: the
 *   platform gives no list
 */
export async function confirmMissing(
  heldId: string,
  by: Omit<Confirmation, "heldId">,
): Promise<number> {
  const outcome = await refreshMachines({ confirmation: { ...by, heldId } });
  assertRefreshed(outcome);
  if (outcome.kind === "done") return outcome.flagged;
  throw conflict("The machines are being refreshed. Try again in a few seconds.");
}

function assertRefreshed(outcome: SyncOutcome): void {
  if (outcome.kind === "failed")
    throw unavailable(`Failed to refresh machines list: ${outcome.message}`);
}
