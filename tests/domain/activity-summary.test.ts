import fc from "fast-check";
import type { Knex } from "knex";
import { beforeEach, describe, expect, test } from "vitest";
import { db, query } from "../../app/db/connection.server";
import { siteTimeZone } from "../../app/db/site.server";
import {
  clockBindings,
  clockSql,
  statusSql,
} from "../../app/features/promotions/promotion-sql.server";
import { readActivityDays, sumActivity } from "../../app/features/reports/activity.server";
import { readDashboard } from "../../app/features/dashboard/dashboard.server";
import { checkSummary } from "../../app/features/reports/check-summary.server";
import { periods, type Period } from "../../app/features/reports/period";
import { readPeriod, type Span } from "../../app/features/reports/spans.server";
import { reportList } from "../../app/features/reports/report-filters";
import { readReport } from "../../app/features/reports/report.server";
import { noFiltersOf } from "../../app/lists/list";
import { rebuildSummary, refreshSummary } from "../../app/features/reports/summary.server";
import { withSnapshot } from "../../app/features/reports/snapshot.server";
import { readLiability } from "../../app/features/reports/liability.server";
import { redeem } from "../../app/features/redemptions/redeem.server";
import { insertRedeemable, makeKey, request } from "../factories/redemptions";
import { openTransaction } from "../support/database-sessions";
import { useDatabase } from "../support/postgres";
import {
  apply,
  arrangeWorld,
  changeStatus,
  history,
  type Event,
  type World,
} from "../support/random-history";
import { repetitions } from "../support/repetitions";

useDatabase({ isOwner: true });

async function happen(world: World, event: Event): Promise<void> {
  if (event.kind === "rebuild") return rebuildSummary({ chunkSize: 50 });
  if (event.kind !== "refresh") return apply(world, event);
  const { instances, chunkSize, rolledBack, changes } = event;
  await Promise.all([
    ...Array.from({ length: instances }, () => refreshSummary({ chunkSize })),
    changeStatus(rolledBack, true),
    ...changes.map((change) => apply(world, change)),
  ]);
}

/** Counts the raw rows of a span of time, as anybody would. */
async function countPlainly({ from, to }: Span, machineIds: string[] | null) {
  const bindings = { from, to, machineIds, zone: siteTimeZone() };
  const inSpan = `created_at >= :from and created_at < :to
    ${machineIds ? "and machine_id = any(:machineIds)" : ""}`;
  const [redemptions] = await query<Record<string, number>>(
    db(),
    `select count(*) filter (where type = 'free_drink')::integer as drinks,
       count(*) filter (where type = 'percentage')::integer as percentages,
       coalesce(sum(discount) filter (where type = 'free_drink'), 0)::integer as drink_discount,
       coalesce(sum(discount) filter (where type = 'percentage'), 0)::integer as percentage_discount
     from transactions where status = 'applied' and ${inSpan}`,
    bindings,
  );
  const countBy = async (key: string, rows: string) => {
    const counted = await query<{ key: string; count: number }>(
      db(),
      `select ${key} as key, count(*)::integer as count from ${rows} and ${inSpan} group by 1`,
      bindings,
    );
    return Object.fromEntries(counted.map(({ key, count }) => [key, count]));
  };
  const applied = "transactions where status = 'applied'";
  return {
    ...redemptions,
    byDay: await countBy("to_char(created_at at time zone :zone, 'YYYY-MM-DD')", applied),
    byHour: await countBy("extract(hour from created_at at time zone :zone)::integer", applied),
    refused: await countBy("outcome", "redemption_attempts where outcome <> 'accepted'"),
  };
}

const withoutZeros = (counts: Record<string, number> | number[]) =>
  Object.fromEntries(Object.entries(counts).filter(([, count]) => count !== 0));

async function expectExactFigures(
  world: World,
  compared: readonly Period[] = periods,
): Promise<void> {
  const now = new Date(world.centre);
  for (const period of compared) {
    for (const machineIds of [null, world.machines.slice(0, 2)]) {
      const { spans, current, previous } = await withSnapshot(async (snapshot) => {
        const spans = await readPeriod(snapshot.trx, period, now);
        return {
          spans,
          ...(await readActivityDays(snapshot, spans, { machineIds, generationId: null })),
        };
      });
      for (const [span, days] of [
        [spans.current, current],
        [spans.previous, previous],
      ] as const) {
        const { byHour, refused, ...sum } = sumActivity(days);
        const byDay = days.map(({ day, drinks, percentages }) => [day, drinks + percentages]);
        expect({
          ...sum,
          byDay: withoutZeros(Object.fromEntries(byDay) as Record<string, number>),
          byHour: withoutZeros(byHour),
          refused: withoutZeros(refused),
        }).toEqual(await countPlainly(span, machineIds));
      }
    }
  }
  const states = await countStates(now);
  for (const period of compared) {
    const { spans, completed, promotions } = await readDashboard(period, now);
    expect(promotions).toEqual(states);
    expect({ period, completed }).toEqual({
      period,
      completed: {
        current: await countCompleted(spans.current, now),
        previous: await countCompleted(spans.previous, now),
      },
    });
  }
  expect(await checkSummary()).toEqual([]);
}

/** Counts the codes with the status that lists show for each of them. */
async function countStates(now: Date) {
  const count = (condition: string) => `(count(*) filter (where ${condition}))::integer`;
  const [row] = await query<object>(
    db(),
    `with ${clockSql}
     select count(*)::integer as total, ${count("discount_type = 'free_drink'")} as free_drinks,
       ${count("status = 'active'")} as active, ${count("status = 'expired'")} as expired,
       ${count("status = 'active' and expires_at <= cast(:now as timestamptz) + interval '7 days'")} as expiring,
       ${count("status = 'used_up'")} as used_up, ${count("status = 'not_assigned'")} as not_assigned,
       ${count("status = 'scheduled'")} as scheduled
     from (select p.*, ${statusSql} as status from promotions p) p where not is_deleted`,
    clockBindings(now),
  );
  return row;
}

/** Counts the codes that were used up or expired in a span of time. */
async function countCompleted({ from, to }: Span, now: Date): Promise<number> {
  const [row] = await query<{ count: number }>(
    db(),
    `select count(*)::integer as count from (
       select case when not is_renewable and period_uses = max_uses
         then (select max(created_at) from transactions t where t.promotion_id = p.id and status = 'applied')
         else expires_at end as completed_at, expires_at
       from promotions p where not is_deleted) p
     where completed_at >= :from and completed_at < :to
       and (completed_at <> expires_at or expires_at <= :now or expires_at is null)`,
    { from, to, now },
  );
  return row!.count;
}

const outcomeKeys = {
  generation: "p.mass_generation_id",
  promotion: "case when p.mass_generation_id is null then p.id end",
  machine: "t.machine_id",
};

/** Adds up the raw redemptions of a span by what a report has rows of. */
function countOutcomes(
  by: keyof typeof outcomeKeys,
  { from, to }: Span,
  filter: { machineId?: string; generationId?: string },
): Promise<object[]> {
  return query<object>(
    db(),
    `select * from (
       select ${outcomeKeys[by]} as id, count(*)::integer as redemptions,
         sum(t.discount)::float8 as discount, min(t.created_at) as first_use,
         max(t.created_at) as last_use
       from transactions t join promotions p on p.id = t.promotion_id
       where t.status = 'applied' and t.created_at >= :from and t.created_at < :to
         and (cast(:machineId as bigint) is null or t.machine_id = :machineId)
         and (cast(:generationId as bigint) is null or p.mass_generation_id = :generationId)
       group by 1) counted where id is not null order by id`,
    { from, to, machineId: null, generationId: null, ...filter },
  );
}

/** Adds up what each active code owes, with the prices of its own machines. */
async function countLiability(now: Date, machineId: string | null) {
  const [row] = await query<object>(
    db(),
    `with ${clockSql}, drinks as (
       select t.machine_id, t.discount from transactions t, clock
       where t.status = 'applied' and t.type = 'free_drink'
         and (t.created_at at time zone :timeZone)::date between local_time::date - 89 and local_time::date
     ), codes as (
       select p.discount_type, ${statusSql} as status, p.set_id, p.max_uses
         - case when p.is_renewable and p.period_key < (select period_key from clock) then 0 else p.period_uses end as owed
       from promotions p
     )
     select coalesce(sum(owed) filter (where discount_type = 'free_drink'), 0)::integer as drinks,
       case when exists (select from drinks) then coalesce(round(sum(owed * coalesce(
         (select avg(discount) from drinks where machine_id in (
           select e.machine_id from effective_machines e where e.set_id = codes.set_id)),
         (select avg(discount) from drinks))) filter (where discount_type = 'free_drink')), 0) end::integer as value,
       (count(*) filter (where discount_type = 'percentage'))::integer as percentage_codes
     from codes
     where status = 'active' and (cast(:machineId as bigint) is null or exists (
       select from effective_machines e where e.set_id = codes.set_id and e.machine_id = :machineId))`,
    { ...clockBindings(now), machineId },
  );
  return row;
}

/** Compares the rows of reports with what anybody would count. */
async function expectExactReports(world: World): Promise<void> {
  const machineId = world.machines[0]!;
  const { serial_number: machine } = (await db()("machines").where({ id: machineId }).first())!;
  const { id: generationId } = (await db()("mass_generations").first("id"))!;
  const page = { sort: reportList.defaultSort, limit: 100, offset: 0 };
  const now = new Date(world.centre);
  for (const filters of [{}, { machine }, { generationId }]) {
    const isAtMachine = "machine" in filters;
    const liability = await countLiability(now, isAtMachine ? machineId : null);
    for (const by of ["generation", "promotion", "machine"] as const)
      for (const period of ["7d", "month", "last-month", "year"] as const) {
        const reportQuery = { ...noFiltersOf(reportList.filters), by, period, ...filters };
        const report = await readReport(reportQuery, page, now);
        if (!("generationId" in filters)) expect(report.liability).toEqual(liability);
        const rows = report.rows
          .filter(({ redemptions }) => redemptions > 0)
          .map(({ id, redemptions, discount, firstUse, lastUse }) => ({
            id,
            redemptions,
            discount,
            firstUse,
            lastUse,
          }))
          .sort((one, other) => Number(one.id) - Number(other.id));
        const plain = await countOutcomes(by, report.spans.current, {
          ...filters,
          ...(isAtMachine && { machineId }),
        });
        expect({ by, period, filters, rows }).toEqual({ by, period, filters, rows: plain });
      }
  }
}

test("every figure equals a plain count of the raw rows, whatever happened and whenever the summary was refreshed", async () => {
  await fc.assert(
    fc.asyncProperty(history, async (history) => {
      const world = await arrangeWorld(history);
      for (const event of history.events) await happen(world, event);
      await expectExactFigures(world);
      await expectExactReports(world);
    }),
    // A failure names its seed at once: to shrink it takes longer than the test may.
    { numRuns: repetitions(1, 100), endOnFailure: true },
  );
}, 600_000);

test("half a cent of what free drinks are worth is rounded up", async () => {
  const { secret } = await makeKey();
  const target = await insertRedeemable({
    discount_type: "free_drink",
    discount_value: 3,
    max_uses: 3,
  });
  for (const originalPrice of [49, 100]) await redeem(request(target, { originalPrice }), secret);
  const machine = await db()("machines").where({ serial_number: target.serialNumber }).first("id");
  const filter = { machineIds: [machine.id], generationId: null };
  const liability = await withSnapshot((snapshot) => readLiability(snapshot, filter));
  expect(liability).toEqual({ drinks: 1, value: 75, percentageCodes: 0 });
});

test("more people read figures at once than there are connections", async () => {
  const page = { sort: reportList.defaultSort, limit: 100, offset: 0 };
  // A snapshot that waited for a connection would keep its own from those that it waits for.
  const read = Array.from({ length: 6 }, () =>
    Promise.all([readDashboard("year"), readReport(noFiltersOf(reportList.filters), page)]),
  );
  expect(await Promise.all(read)).toHaveLength(6);
});

async function refreshToTheEnd(): Promise<void> {
  await expect.poll(() => refreshSummary()).toBe("done");
}

test("a refresh finds the counts of codes right before the first redemption", async () => {
  await arrangeWorld({ zone: "UTC", centre: "2026-06-15T12:00:00Z", events: [] });
  await refreshToTheEnd();
  expect(await checkSummary()).toEqual([]);
});

describe("a refresh", () => {
  let world: World;
  beforeEach(async () => {
    world = await arrangeWorld({
      zone: "Europe/Berlin",
      centre: "2026-06-15T12:00:00Z",
      events: [],
    });
    for (let minutesAgo = 0; minutesAgo < 5; minutesAgo++) await redeemAgo(minutesAgo);
  });

  const redeemAgo = (minutesAgo: number | null) =>
    apply(world, { kind: "redeem", promotion: 0, machine: 0, price: 100, minutesAgo });

  async function summarised(): Promise<number> {
    const { rows } = await db().raw<{ rows: { sum: number }[] }>(
      `select coalesce(sum(drinks + percentages), 0)::integer as sum from daily_activity where machine_id = 0`,
    );
    return rows[0]!.sum;
  }

  const redeemIn = (trx: Knex.Transaction, redemptionId: string) =>
    trx.raw(
      `insert into transactions (redemption_id, promotion_id, machine_id, type, original_price, discount, created_at)
       select ?, promotion_id, machine_id, type, 100, 25, created_at from transactions limit 1`,
      [redemptionId],
    );

  test("adds a redemption of this moment, and a rollback takes it out again", async () => {
    await redeemAgo(null);
    await refreshToTheEnd();
    expect(await summarised()).toBe(6);
    await changeStatus([5], true);
    expect(await summarised()).toBe(5);
    expect(await checkSummary()).toEqual([]);
  });

  test("waits for a redemption that has begun and not ended", async () => {
    await refreshToTheEnd();
    const redeeming = await openTransaction();
    await redeemIn(redeeming, "late");
    await redeemAgo(10);
    // A refresh ends with a new mark, which the next one must not pass. Other databases of the cluster may delay the mark.
    await expect.poll(() => refreshSummary()).toBe("waiting");
    await redeeming.commit();
    await refreshToTheEnd();
    await refreshToTheEnd();
    expect(await summarised()).toBe(7);
    expect(await checkSummary()).toEqual([]);
  });

  test("waits for a redemption that began last, beside one that began before it and has a higher id", async () => {
    await refreshToTheEnd();
    const [first, last] = [await openTransaction(), await openTransaction()];
    await first.raw("select pg_current_xact_id()");
    await redeemIn(last, "began last");
    await redeemIn(first, "began first");
    await first.commit();
    await expect.poll(() => refreshSummary()).toBe("waiting");
    await last.commit();
    await refreshToTheEnd();
    await refreshToTheEnd();
    expect(await checkSummary()).toEqual([]);
  });

  test("waits for the rollback of a transaction that is in the summary", async () => {
    await refreshToTheEnd();
    const rollingBack = await db().transaction();
    await rollingBack.raw(
      "update transactions set status = 'rolled_back', rolled_back_at = now() where redemption_id = 'history-0'",
    );
    expect(await refreshSummary()).toBe("busy");
    await rollingBack.commit();
    expect(await summarised()).toBe(4);
    await refreshToTheEnd();
    expect(await checkSummary()).toEqual([]);
  });

  test("goes on after a used-up code that was counted by mistake", async () => {
    await refreshToTheEnd();
    // The fourth code of the world has one use.
    await apply(world, { kind: "redeem", promotion: 3, machine: 0, price: 100, minutesAgo: 1 });
    await db()("used_up_codes").insert({ promotion_id: world.promotions[3], used_at: new Date(0) });
    // The first refresh ends with what was marked before.
    await refreshToTheEnd();
    await refreshToTheEnd();
    expect(await checkSummary()).toEqual([]);
  });

  test("builds a summary of an earlier release anew", async () => {
    await refreshToTheEnd();
    await db().raw(
      "update activity_summary set version = version - 1; update daily_activity set drinks = 77",
    );
    // The raw rows are read meanwhile.
    await expectExactFigures(world, ["year"]);
    await refreshToTheEnd();
    expect(await summarised()).toBe(5);
    expect(await checkSummary()).toEqual([]);
  });

  test("leaves the summary of a later release alone", async () => {
    await refreshToTheEnd();
    await db().raw("update activity_summary set version = version + 1");
    await redeemAgo(3);
    await refreshToTheEnd();
    expect(await summarised()).toBe(5);
    await expectExactFigures(world, ["year"]);
  });
});

test("a check names what differs", async () => {
  const world = await arrangeWorld({ zone: "UTC", centre: "2026-06-15T12:00:00Z", events: [] });
  await apply(world, { kind: "redeem", promotion: 0, machine: 0, price: 100, minutesAgo: 0 });
  await rebuildSummary();
  expect(await checkSummary()).toEqual([]);
  await db().raw("update daily_activity set percentages = 2 where machine_id = 0");
  await db().raw("delete from campaign_activity");
  const differences = await checkSummary();
  expect(differences.map(({ table, key }) => ({ table, key }))).toEqual([
    { table: "daily_activity", key: { day: "2026-06-15", machine_id: 0 } },
    {
      table: "campaign_activity",
      key: { month: "2026-06-01", campaign_id: expect.any(Number) as number },
    },
  ]);
  expect(differences[0]!.summary).toMatchObject({ percentages: 2 });
  expect(differences[0]!.raw).toMatchObject({ percentages: 1 });
  await rebuildSummary();
  expect(await checkSummary()).toEqual([]);
  await db().raw("update code_counts set codes = codes + 1");
  await db().raw("insert into used_up_codes values (999, now())");
  const tables = (await checkSummary()).map(({ table }) => table);
  expect([...new Set(tables)]).toEqual(["used_up_codes", "code_counts"]);
  await rebuildSummary();
  expect(await checkSummary()).toEqual([]);
});
