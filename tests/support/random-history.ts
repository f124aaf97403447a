import fc from "fast-check";
import { db } from "../../app/db/connection.server";
import { loadSite } from "../../app/db/site.server";
import { refusalReasons } from "../../app/features/redemptions/refusal-reason";

import { insertMachine } from "../factories/people-and-machines";
import { insertGeneration, insertPromotion } from "../factories/promotions";

/** Zones with a day of another length than 24 hours, and an instant on that day. */
const unevenDays: [string, string][] = [
  ["UTC", "2026-06-30T23:00:00Z"],
  ["Europe/Berlin", "2026-03-29T00:30:00Z"],
  ["Europe/Berlin", "2026-10-25T01:30:00Z"],
  ["America/Santiago", "2026-09-06T04:00:00Z"],
  ["America/Havana", "2026-11-01T04:30:00Z"],
  ["Asia/Beirut", "2026-03-28T22:30:00Z"],
  ["Asia/Beirut", "2026-10-24T20:30:00Z"],
  ["Australia/Lord_Howe", "2026-10-03T15:20:00Z"],
  ["Asia/Kathmandu", "2026-01-01T18:20:00Z"],
];

const changes = {
  delete: { is_deleted: true, deleted_at: new Date() },
  restore: { is_deleted: false, deleted_at: null },
  deactivate: { is_active: false },
  reactivate: { is_active: true },
  expire: { expires_at: "centre" },
  extend: { expires_at: null },
  schedule: { starts_at: new Date("2099-01-01") },
  start: { starts_at: null },
  "give an own set": { set_id: "new" },
  assign: { is_assigned: true },
  "remove assignments": { is_assigned: false },
} as const;

/** Changes that people make to a code, in `changes`. */
type Change = { kind: keyof typeof changes; promotion: number };

/** The events that can happen to the rows that the summary is made from, and to the summary. */
export type Event =
  /** A transaction, so many minutes before the centre of the history, or just now. */
  | { kind: "redeem"; promotion: number; machine: number; price: number; minutesAgo: number | null }
  | {
      kind: "refuse";
      promotion: number | null;
      machine: number | null;
      reason: number;
      minutesAgo: number;
    }
  /** Changes the status of transactions at once, each in a database transaction of its own. */
  | { kind: "roll back" | "apply again"; nths: number[] }
  | Change
  /** Instances that refresh at once, while transactions are rolled back and codes changed. */
  | {
      kind: "refresh";
      instances: number;
      chunkSize: number;
      rolledBack: number[];
      changes: Change[];
    }
  | { kind: "rebuild" };

export type History = { zone: string; centre: string; events: Event[] };

const promotions = 6;
const machines = 3;
const nth = (count: number) => fc.nat({ max: count - 1 });
const minutes = fc.oneof(
  fc.integer({ min: -120, max: 120 }),
  fc.integer({ min: -60 * 24 * 35, max: 60 * 24 * 35 }),
);
const redeem = fc.record({
  kind: fc.constant("redeem" as const),
  promotion: nth(promotions),
  machine: nth(machines),
  price: fc.integer({ min: 0, max: 1_000 }),
  minutesAgo: fc.oneof(
    { weight: 30, arbitrary: minutes },
    { weight: 1, arbitrary: fc.constant(null) },
  ),
});
const someNths = fc.array(fc.nat({ max: 99 }), { minLength: 1, maxLength: 3 });
const change: fc.Arbitrary<Change> = fc.record({
  kind: fc.constantFrom(...(Object.keys(changes) as (keyof typeof changes)[])),
  promotion: nth(promotions),
});
const event: fc.Arbitrary<Event> = fc.oneof(
  { weight: 10, arbitrary: redeem },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant("refuse" as const),
      promotion: fc.option(nth(promotions)),
      machine: fc.option(nth(machines)),
      reason: nth(refusalReasons.length),
      minutesAgo: minutes,
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constantFrom("roll back", "apply again"), nths: someNths }),
  },
  { weight: 3, arbitrary: change },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant("refresh" as const),
      instances: fc.integer({ min: 1, max: 2 }),
      chunkSize: fc.integer({ min: 1, max: 5 }),
      rolledBack: fc.array(fc.nat({ max: 99 }), { maxLength: 3 }),
      changes: fc.array(change, { maxLength: 3 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("rebuild" as const) }) },
);

export const history: fc.Arbitrary<History> = fc
  .tuple(fc.constantFrom(...unevenDays), fc.array(event, { minLength: 20, maxLength: 60 }))
  .map(([[zone, centre], events]) => ({ zone, centre, events }));

export type World = {
  promotions: string[];
  machines: string[];
  centre: number;
  redemptions: number;
};

/** Empties the database and gives it codes of every kind: single and generated, limited, renewable, expired. */
export async function arrangeWorld({ zone, centre }: History): Promise<World> {
  await db().raw(
    `truncate transactions, redemption_attempts, redemption_ids, promotions, mass_generations, machines,
       daily_activity, campaign_activity, campaign_years, code_counts, used_up_codes cascade;
     update activity_summary set version = 0, has_code_counts = false`,
  );
  await db()("site_settings").update({ time_zone: zone });
  await loadSite();
  const day = 86_400_000;
  const middle = Date.parse(centre);
  const generation = await insertGeneration({ num_codes: 2 });
  const expires_at = new Date(middle + 2 * day);
  const drinks = { discount_type: "free_drink", discount_value: 3 };
  return {
    centre: middle,
    redemptions: 0,
    machines: await inOrder(machines, async () => (await insertMachine()).id),
    promotions: [
      await insertPromotion({}),
      await insertPromotion(drinks),
      await insertPromotion({ ...drinks, is_renewable: true, period_key: 203_001 }),
      await insertPromotion({ is_single_use: true, expires_at }),
      await insertPromotion({ mass_generation_id: generation, has_own_set: false, expires_at }),
      await insertPromotion({
        mass_generation_id: generation,
        has_own_set: false,
        is_single_use: true,
      }),
    ],
  };
}

async function inOrder<Result>(count: number, make: () => Promise<Result>): Promise<Result[]> {
  const made: Result[] = [];
  while (made.length < count) made.push(await make());
  return made;
}

/** Makes an event of the raw rows happen; those of the summary are left to the test. */
export async function apply(world: World, event: Event): Promise<void> {
  const at = (minutesAgo: number | null) =>
    minutesAgo === null ? new Date() : new Date(world.centre - minutesAgo * 60_000);
  switch (event.kind) {
    case "redeem":
      await db().raw(
        `with used as (
           update promotions set period_uses = period_uses + 1, activation_count = activation_count + 1
           where id = :promotion and (max_uses is null or period_uses < max_uses) returning *
         )
         insert into transactions
           (redemption_id, promotion_id, machine_id, type, original_price, discount, period_key, created_at)
         select :id, id, :machine, discount_type, :price,
           case discount_type when 'free_drink' then :price::integer
             else (:price::integer * discount_value + 50) / 100 end, period_key, :at
         from used`,
        {
          id: `history-${world.redemptions++}`,
          promotion: world.promotions[event.promotion]!,
          machine: world.machines[event.machine]!,
          price: event.price,
          at: at(event.minutesAgo),
        },
      );
      return;
    case "refuse":
      await db()("redemption_attempts").insert({
        redemption_id: `history-${world.redemptions++}`,
        code: "ABCDEFGHJKMN",
        serial_number: "1",
        original_price: 100,
        promotion_id: event.promotion === null ? null : world.promotions[event.promotion],
        machine_id: event.machine === null ? null : world.machines[event.machine],
        outcome: refusalReasons[event.reason],
        created_at: at(event.minutesAgo),
      });
      return;
    case "roll back":
    case "apply again":
      await changeStatus(event.nths, event.kind === "roll back");
      return;
    case "refresh":
    case "rebuild":
      return;
    default:
      await changeCode(world, event);
  }
}

async function changeCode(world: World, { kind, promotion }: Change): Promise<void> {
  const code = db()("promotions").where({ id: world.promotions[promotion]! });
  const values = { ...changes[kind] };
  if ("is_assigned" in values) {
    const { set_id } = (await code.first<{ set_id: string }>("set_id"))!;
    const assignment = { set_id, machine_id: world.machines[0]! };
    await db()("assignment_sets").where({ id: set_id }).update(values);
    if (values.is_assigned) await db()("assignments").insert(assignment).onConflict().ignore();
    else await db()("assignments").where(assignment).delete();
  } else if ("set_id" in values) {
    await db().raw(
      `with own as (insert into assignment_sets (copied_from)
         select g.set_id from promotions p left join mass_generations g on g.id = p.mass_generation_id
         where p.id = :id returning id)
       update promotions set set_id = own.id from own where promotions.id = :id`,
      { id: world.promotions[promotion]! },
    );
  } else if ("expires_at" in values) {
    await code.where({ is_renewable: false }).update({
      expires_at: values.expires_at && new Date(world.centre),
      has_own_expiration: db().raw("mass_generation_id is not null"),
    });
  } else if ("starts_at" in values) {
    const { mass_generation_id } = (await code.first<{ mass_generation_id: string | null }>(
      "mass_generation_id",
    ))!;
    if (mass_generation_id === null) await code.update(values);
    else await db()("mass_generations").where({ id: mass_generation_id }).update(values);
  } else {
    await code.update(values);
  }
}

/** Rolls transactions back, or undoes it, as an administrator of the database may do at any time. */
export async function changeStatus(nths: number[], isRolledBack: boolean): Promise<void> {
  const ids: string[] = await db()("transactions").orderBy("id").pluck("id");
  if (ids.length === 0) return;
  await Promise.all(
    [...new Set(nths.map((nth) => ids[nth % ids.length]!))].map((id) =>
      changeOne(id, isRolledBack),
    ),
  );
}

/** Gives the use back with the transaction, or takes it again if there is one. */
function changeOne(id: string, isRolledBack: boolean): Promise<void> {
  return db().transaction(async (trx) => {
    await trx.raw(
      `select from promotions where id = (select promotion_id from transactions where id = ?)
       for no key update`,
      [id],
    );
    await trx.raw(
      `with changed as (
         update transactions t set status = :status, rolled_back_at = :rolledBackAt
         from promotions p
         where t.id = :id and p.id = t.promotion_id and t.status <> :status
           and (:isRolledBack or p.max_uses is null or p.period_uses < p.max_uses)
         returning t.promotion_id
       )
       update promotions set period_uses = period_uses + :change, activation_count = activation_count + :change
       where id = (select promotion_id from changed)`,
      {
        id,
        isRolledBack,
        status: isRolledBack ? "rolled_back" : "applied",
        rolledBackAt: isRolledBack ? new Date() : null,
        change: isRolledBack ? -1 : 1,
      },
    );
  });
}
