import { randomInt, randomUUID } from "node:crypto";
import { removedSampleMachine, sampleMachines } from "./sample-machines.js";

/**
 * Sample data of an empty installation: machines, promotions of every status and type, two mass
 * generations and the redemptions that moved their counters. Dates count back from now.
 */

const alphabet = "23456789ABCDEFGHJKMNPQRSTUVWXYZ";
const day = 86_400_000;
/** The last one is no longer listed by the platform. */
const places = [...sampleMachines, removedSampleMachine];

/**
 * @typedef {object} Sample
 * @property {string} name
 * @property {"percentage" | "free_drink"} type
 * @property {number} value
 * @property {boolean} [isSingleUse]
 * @property {boolean} [isRenewable]
 * @property {number} [expiresInDays] of the site's local days; a negative one has passed
 * @property {boolean} [isInactive]
 * @property {boolean} [isDeleted]
 * @property {number} [machines] how many it is assigned to
 * @property {number} [uses] accepted redemptions that count
 * @property {number} ageInDays
 * @property {number} [generation] index of its mass generation
 */

/** @type {Sample[]} */
const singles = [
  {
    name: "Welcome drink",
    type: "free_drink",
    value: 1,
    isSingleUse: true,
    machines: 24,
    ageInDays: 2,
  },
  {
    name: "Spring opening",
    type: "percentage",
    value: 20,
    expiresInDays: 30,
    machines: 12,
    uses: 9,
    ageInDays: 21,
  },
  {
    name: "Staff coffee",
    type: "free_drink",
    value: 20,
    isRenewable: true,
    machines: 3,
    uses: 7,
    ageInDays: 160,
  },
  {
    name: "Hospital night shift",
    type: "free_drink",
    value: 10,
    isRenewable: true,
    machines: 3,
    uses: 4,
    ageInDays: 95,
  },
  { name: "Student card", type: "percentage", value: 15, machines: 4, uses: 14, ageInDays: 120 },
  {
    name: "Exam week",
    type: "percentage",
    value: 50,
    expiresInDays: -12,
    machines: 3,
    uses: 11,
    ageInDays: 40,
  },
  {
    name: "Ferry delay apology",
    type: "free_drink",
    value: 1,
    isSingleUse: true,
    machines: 1,
    uses: 1,
    ageInDays: 6,
  },
  {
    name: "Cinema evening",
    type: "percentage",
    value: 30,
    isSingleUse: true,
    expiresInDays: 14,
    machines: 1,
    ageInDays: 9,
  },
  {
    name: "Fitness club members",
    type: "percentage",
    value: 10,
    machines: 2,
    uses: 8,
    ageInDays: 75,
  },
  {
    name: "Open day",
    type: "free_drink",
    value: 3,
    expiresInDays: 3,
    machines: 5,
    uses: 2,
    ageInDays: 11,
  },
  {
    name: "Press conference",
    type: "free_drink",
    value: 5,
    expiresInDays: -30,
    machines: 2,
    uses: 5,
    ageInDays: 45,
  },
  {
    name: "Summer cooler",
    type: "percentage",
    value: 25,
    expiresInDays: 60,
    machines: 24,
    uses: 12,
    ageInDays: 18,
  },
  { name: "Machine test", type: "free_drink", value: 1000, machines: 24, uses: 3, ageInDays: 200 },
  {
    name: "Winter tea",
    type: "percentage",
    value: 15,
    expiresInDays: -90,
    machines: 24,
    uses: 6,
    ageInDays: 170,
  },
  {
    name: "Lost coin refund",
    type: "free_drink",
    value: 1,
    isSingleUse: true,
    machines: 24,
    uses: 1,
    ageInDays: 1,
  },
  {
    name: "Lost coin refund",
    type: "free_drink",
    value: 1,
    isSingleUse: true,
    machines: 24,
    ageInDays: 1,
  },
  {
    name: "Business park launch",
    type: "percentage",
    value: 40,
    expiresInDays: 7,
    machines: 2,
    uses: 5,
    ageInDays: 13,
  },
  {
    name: "Brewery concert",
    type: "percentage",
    value: 100,
    isSingleUse: true,
    machines: 1,
    ageInDays: 4,
  },
  {
    name: "Partner offer, paused",
    type: "percentage",
    value: 20,
    isInactive: true,
    machines: 6,
    uses: 4,
    ageInDays: 66,
  },
  {
    name: "Wrong print run",
    type: "percentage",
    value: 90,
    isInactive: true,
    machines: 24,
    ageInDays: 33,
  },
  {
    name: "Pool season ticket",
    type: "free_drink",
    value: 12,
    isInactive: true,
    machines: 1,
    uses: 2,
    ageInDays: 54,
  },
  {
    name: "Hostel breakfast",
    type: "free_drink",
    value: 2,
    isRenewable: true,
    machines: 1,
    ageInDays: 28,
  },
  {
    name: "Town hall waiting room",
    type: "percentage",
    value: 10,
    expiresInDays: 90,
    machines: 1,
    uses: 3,
    ageInDays: 31,
  },
  { name: "Trade fair draft", type: "percentage", value: 35, ageInDays: 3 },
  {
    name: "Trade fair draft, drinks",
    type: "free_drink",
    value: 2,
    expiresInDays: 45,
    ageInDays: 3,
  },
  { name: "Reserved for autumn", type: "percentage", value: 20, isSingleUse: true, ageInDays: 15 },
  {
    name: "Cancelled raffle",
    type: "free_drink",
    value: 1,
    isSingleUse: true,
    isDeleted: true,
    machines: 4,
    ageInDays: 80,
  },
  {
    name: "Duplicate of Spring opening",
    type: "percentage",
    value: 20,
    isDeleted: true,
    machines: 12,
    uses: 1,
    ageInDays: 20,
  },
  {
    name: "Airport crew",
    type: "percentage",
    value: 25,
    isRenewable: true,
    machines: 3,
    uses: 10,
    ageInDays: 140,
  },
  {
    name: "Late train voucher",
    type: "free_drink",
    value: 1,
    isSingleUse: true,
    expiresInDays: 1,
    machines: 3,
    ageInDays: 1,
  },
  {
    name: "Two for the team",
    type: "free_drink",
    value: 2,
    expiresInDays: 20,
    machines: 5,
    uses: 2,
    ageInDays: 10,
  },
  {
    name: "Loyalty, one free drink",
    type: "free_drink",
    value: 1,
    isSingleUse: true,
    isRenewable: true,
    machines: 12,
    uses: 1,
    ageInDays: 58,
  },
  {
    name: "Library anniversary",
    type: "percentage",
    value: 50,
    isSingleUse: true,
    expiresInDays: -3,
    machines: 2,
    ageInDays: 25,
  },
  {
    name: "Mall Sunday opening",
    type: "percentage",
    value: 15,
    expiresInDays: 5,
    machines: 3,
    uses: 6,
    ageInDays: 8,
  },
  {
    name: "Volunteers",
    type: "free_drink",
    value: 50,
    expiresInDays: 120,
    machines: 8,
    uses: 13,
    ageInDays: 88,
  },
  {
    name: "Crème brûlée latte – première",
    type: "percentage",
    value: 33,
    machines: 7,
    uses: 4,
    ageInDays: 17,
  },
  {
    name: "Technical college workshop",
    type: "percentage",
    value: 5,
    machines: 1,
    uses: 2,
    ageInDays: 49,
  },
  {
    name: "Complaint 4711",
    type: "free_drink",
    value: 1,
    isSingleUse: true,
    machines: 2,
    uses: 1,
    ageInDays: 5,
  },
  {
    name: "Complaint 4718",
    type: "free_drink",
    value: 1,
    isSingleUse: true,
    machines: 2,
    ageInDays: 0,
  },
  {
    name: "Night market",
    type: "percentage",
    value: 20,
    isSingleUse: true,
    machines: 5,
    uses: 1,
    ageInDays: 12,
  },
];

/** @type {(Sample & {codes: number, usedCodes: number})[]} */
const generations = [
  {
    name: "Summer campaign flyers",
    type: "free_drink",
    value: 1,
    isSingleUse: true,
    expiresInDays: 45,
    machines: 16,
    codes: 60,
    usedCodes: 17,
    ageInDays: 14,
  },
  {
    name: "Conference badges",
    type: "percentage",
    value: 25,
    machines: 5,
    codes: 25,
    usedCodes: 8,
    ageInDays: 36,
  },
];

/**
 * @param {import("knex").Knex} knex
 * @param {string} timeZone
 */
export async function seed(knex, timeZone) {
  const { rows: clock } = await knex.raw(
    "select now() as now, to_char(now() at time zone ?, 'YYYYMM')::integer as period",
    [timeZone],
  );
  const now = /** @type {Date} */ (clock[0].now).getTime();
  const currentPeriod = /** @type {number} */ (clock[0].period);

  const machineIds = await insertMachines(knex, now);
  const generationRows = await insertGenerations(knex, now, timeZone, machineIds);

  const samples = [...singles];
  generations.forEach((generation, index) => {
    for (let number = 0; number < generation.codes; number++) {
      const uses = number < generation.usedCodes ? 1 : 0;
      samples.push({ ...generation, generation: index, uses });
    }
  });

  const promotionIds = await insertPromotions(knex, samples, {
    now,
    timeZone,
    currentPeriod,
    generationRows,
    machineIds,
  });
  await insertTransactions(knex, samples, { now, currentPeriod, promotionIds, machineIds });
  await insertRefusals(knex, now);
  await insertHistory(knex, samples, { now, promotionIds, generationRows });
  await knex.raw(`
    update machines set last_qr_used_at = latest.at
    from (select machine_id, max(created_at) as at from transactions group by machine_id) latest
    where latest.machine_id = machines.id
  `);
  await knex.raw(
    `
    insert into machine_promotion_counts (machine_id, active_promotions)
    select machines.id, count(promotions.id)
    from machines
    left join (
      select distinct set_id, machine_id from effective_machines
    ) accepting on accepting.machine_id = machines.id
    left join promotions on promotions.set_id = accepting.set_id
      and promotions.is_active and not promotions.is_deleted
      and (promotions.expires_at is null or promotions.expires_at > now())
      and (promotions.max_uses is null or promotions.max_uses >
        case when promotions.is_renewable and promotions.period_key <> ? then 0 else promotions.period_uses end)
    group by machines.id
  `,
    [currentPeriod],
  );
}

/**
 * Writes to the audit log how single promotions and mass generations came to be what they are.
 * @param {import("knex").Knex} knex
 * @param {Sample[]} samples
 * @param {{now: number, promotionIds: string[], generationRows: {id: string}[]}} facts
 */
async function insertHistory(knex, samples, { now, promotionIds, generationRows }) {
  /** @param {Sample} sample @param {string} type @param {string | undefined} id @param {number} covered */
  const rowsOf = (sample, type, id, covered) => {
    const created = createdAt(sample, now);
    /** @param {string} action @param {Date} at @param {object} details */
    const row = (action, at, details) => ({
      actor_name: "System",
      action: `${type}.${action}`,
      subject_type: type,
      subject_id: id,
      covered,
      details: JSON.stringify(details),
      created_at: at,
    });
    const later = new Date(created.getTime() + day / 2);
    const rows = [row("created", created, {})];
    if (sample.isInactive)
      rows.push(row("deactivated", later, { is_active: { from: true, to: false } }));
    if (sample.isDeleted)
      rows.push(row("deleted", later, { is_deleted: { from: false, to: true } }));
    return rows;
  };
  const rows = [
    ...generations.flatMap((generation, index) =>
      rowsOf(generation, "mass_generation", generationRows[index]?.id, generation.codes),
    ),
    ...samples.flatMap((sample, index) =>
      sample.generation === undefined ? rowsOf(sample, "promotion", promotionIds[index], 1) : [],
    ),
  ];
  // The log is read by id, newest first.
  rows.sort((one, other) => one.created_at.getTime() - other.created_at.getTime());
  await knex("audit_log").insert(rows);
}

/** @param {import("knex").Knex} knex @param {number} now */
async function insertMachines(knex, now) {
  const rows = places.map((place, index) => {
    const isDeleted = place === removedSampleMachine;
    return {
      serial_number: place.serialNumber,
      human_name: place.humanName,
      last_seen_at: new Date(
        now - (isDeleted ? 20 * day : index === 11 ? 2 * day : index * 61_000),
      ),
      is_deleted: isDeleted,
      deleted_at: isDeleted ? new Date(now - 19 * day) : null,
      created_at: new Date(now - 220 * day + index * day),
    };
  });
  return idsOf(await knex("machines").insert(rows).returning("id"));
}

/**
 * @param {import("knex").Knex} knex
 * @param {number} now
 * @param {string} timeZone
 * @param {string[]} machineIds
 */
async function insertGenerations(knex, now, timeZone, machineIds) {
  const rows = generations.map((generation) => ({
    name: generation.name,
    num_codes: generation.codes,
    discount_type: generation.type,
    discount_value: generation.value,
    is_single_use: generation.isSingleUse ?? false,
    is_renewable: false,
    expires_at: expiry(knex, generation, timeZone),
    created_at: createdAt(generation, now),
  }));
  /** @type {{id: string, set_id: string}[]} */
  const inserted = await knex("mass_generations").insert(rows).returning(["id", "set_id"]);
  await insertAssignments(
    knex,
    generations.map((generation, index) => ({
      setId: inserted[index]?.set_id ?? "",
      machineIds: machinesOf(generation, index, machineIds),
    })),
  );
  return inserted;
}

/**
 * @param {import("knex").Knex} knex
 * @param {Sample[]} samples
 * @param {{now: number, timeZone: string, currentPeriod: number, generationRows: {id: string, set_id: string}[], machineIds: string[]}} context
 */
async function insertPromotions(
  knex,
  samples,
  { now, timeZone, currentPeriod, generationRows, machineIds },
) {
  const codes = new Set();
  while (codes.size < samples.length) codes.add(randomCode());
  const code = codes.values();

  const rows = samples.map((sample) => {
    const isSingleUse = sample.isSingleUse ?? false;
    const generation = sample.generation === undefined ? null : generationRows[sample.generation];
    const created = createdAt(sample, now);
    const uses = sample.uses ?? 0;
    return {
      code: code.next().value,
      mass_generation_id: generation?.id ?? null,
      ...(generation && { set_id: generation.set_id }),
      name: sample.name,
      discount_type: sample.type,
      discount_value: sample.value,
      is_single_use: isSingleUse,
      is_renewable: sample.isRenewable ?? false,
      expires_at: expiry(knex, sample, timeZone),
      max_uses: isSingleUse ? 1 : sample.type === "free_drink" ? sample.value : null,
      period_key: sample.isRenewable ? currentPeriod : 0,
      period_uses: uses,
      activation_count: uses,
      is_active: !sample.isInactive,
      is_deleted: sample.isDeleted ?? false,
      deleted_at: sample.isDeleted ? new Date(created.getTime() + day / 2) : null,
      created_at: created,
      updated_at: created,
    };
  });
  /** @type {{id: string, set_id: string}[]} */
  const inserted = await knex("promotions").insert(rows).returning(["id", "set_id"]);
  await insertAssignments(
    knex,
    samples.flatMap((sample, index) =>
      sample.generation === undefined
        ? {
            setId: inserted[index]?.set_id ?? "",
            machineIds: machinesOf(sample, index, machineIds),
          }
        : [],
    ),
  );
  return idsOf(inserted);
}

/**
 * @param {import("knex").Knex} knex
 * @param {{setId: string, machineIds: string[]}[]} sets
 */
async function insertAssignments(knex, sets) {
  await knex.raw(
    `insert into assignments (set_id, machine_id)
     select * from unnest(?::bigint[], ?::bigint[])`,
    [
      sets.flatMap(({ setId, machineIds }) => machineIds.map(() => setId)),
      sets.flatMap(({ machineIds }) => machineIds),
    ],
  );
  await knex.raw(
    "update assignment_sets set is_assigned = true where id in (select set_id from assignments)",
  );
}

/**
 * Redemptions at the assigned machines that were there, spread from the promotion's first day to
 * its last; of a renewable one within this month. Every ninth has a companion that was rolled back.
 *
 * @param {import("knex").Knex} knex
 * @param {Sample[]} samples
 * @param {{now: number, currentPeriod: number, promotionIds: string[], machineIds: string[]}} context
 */
async function insertTransactions(knex, samples, { now, currentPeriod, promotionIds, machineIds }) {
  const prices = [120, 150, 180, 200, 220, 250, 280, 350];
  /** @type {Record<string, unknown>[]} */
  const rows = [];
  samples.forEach((sample, index) => {
    const first = createdAt(sample, now).getTime();
    const last = sample.isDeleted
      ? first + day / 3
      : Math.min(now, now + (sample.expiresInDays ?? 0) * day);
    const generationIndex = sample.generation ?? index;
    // The last three places saw nothing yet, one of them because it is gone.
    const machines = machinesOf(sample, generationIndex, machineIds).filter(
      (id) => machineIds.indexOf(id) < 21,
    );
    const total = sample.uses ?? 0;
    for (let use = 0; use < total; use++) {
      const price = prices[(index + use * 3) % prices.length] ?? 200;
      const share = (use + 0.5 + randomInt(400) / 1_000) / (total + 1);
      const at = new Date(
        sample.isRenewable ? now - (total - use) * 40_000 : first + (last - first) * share,
      );
      const row = {
        redemption_id: randomUUID(),
        promotion_id: promotionIds[index],
        machine_id: machines[(index + use) % machines.length],
        period_key: sample.isRenewable ? currentPeriod : 0,
        type: sample.type,
        original_price: price,
        discount:
          sample.type === "free_drink" ? price : Math.floor((price * sample.value + 50) / 100),
        status: "applied",
        created_at: at,
        rolled_back_at: /** @type {Date | null} */ (null),
      };
      if (rows.length % 9 === 4) {
        rows.push({
          ...row,
          redemption_id: randomUUID(),
          status: "rolled_back",
          created_at: new Date(at.getTime() - 90_000),
          rolled_back_at: new Date(at.getTime() - 60_000),
        });
      }
      rows.push(row);
    }
  });
  rows.sort((one, other) => Number(one.created_at) - Number(other.created_at));
  await knex("transactions").insert(rows);
  await knex.raw(`
    insert into redemption_attempts (redemption_id, code, serial_number, original_price, promotion_id,
      machine_id, outcome, transaction_id, created_at)
    select t.redemption_id, p.code, m.serial_number, t.original_price, p.id, m.id, 'accepted', t.id, t.created_at
    from transactions t
    join promotions p on p.id = t.promotion_id
    join machines m on m.id = t.machine_id
    order by t.id
  `);
}

/**
 * Refused attempts: used codes that were tried again, texts that are no code, and at one machine, since yesterday, a code
 * that it is not assigned to.
 *
 * @param {import("knex").Knex} knex @param {number} now
 */
async function insertRefusals(knex, now) {
  await knex.raw(`
    insert into redemption_attempts (redemption_id, code, serial_number, original_price, promotion_id,
      machine_id, outcome, created_at)
    select gen_random_uuid(), p.code, m.serial_number, t.original_price, p.id, m.id, 'used_up',
      t.created_at + interval '3 minutes'
    from transactions t
    join promotions p on p.id = t.promotion_id and p.is_single_use
    join machines m on m.id = t.machine_id
    where t.status = 'applied' and t.id % 4 = 0 and t.created_at < now() - interval '3 minutes'
    order by t.id
  `);
  const unknown = places.slice(0, 18).map(({ serialNumber }, index) => ({
    code: randomCode(),
    serial_number: serialNumber,
    machine_id: knex("machines").where({ serial_number: serialNumber }).select("id"),
    outcome: "unknown",
    created_at: new Date(now - index * 1.6 * day - 7_200_000),
  }));
  const draft = await knex("promotions").where({ name: "Trade fair draft" }).first("id", "code");
  const serialNumber = places[6]?.serialNumber ?? "";
  const unassigned = Array.from({ length: 24 }, (_, index) => ({
    code: draft.code,
    promotion_id: draft.id,
    serial_number: serialNumber,
    machine_id: knex("machines").where({ serial_number: serialNumber }).select("id"),
    outcome: "not_assigned",
    created_at: new Date(now - index * 3_000_000 - 1_200_000),
  }));
  for (const row of [...unknown, ...unassigned])
    await knex("redemption_attempts").insert({
      ...row,
      redemption_id: randomUUID(),
      original_price: 200,
    });
  // Samples are no events.
  await knex.raw(`
    update event_log set last_transaction_id = (select max(id) from transactions),
      last_attempt_id = (select max(id) from redemption_attempts)
  `);
}

/**
 * The start of the local day after the last valid one.
 * @param {import("knex").Knex} knex @param {Sample} sample @param {string} timeZone
 */
function expiry(knex, sample, timeZone) {
  if (sample.expiresInDays === undefined) return null;
  return knex.raw(
    "(date_trunc('day', now() at time zone ?) + make_interval(days => ? + 1)) at time zone ?",
    [timeZone, sample.expiresInDays, timeZone],
  );
}

/** @param {Sample} sample @param {number} now */
function createdAt(sample, now) {
  return new Date(now - sample.ageInDays * day - 3_600_000 - sample.value * 60_000);
}

/** @param {Sample} sample @param {number} index @param {string[]} machineIds */
function machinesOf(sample, index, machineIds) {
  const count = sample.machines ?? 0;
  return Array.from(
    { length: count },
    (_, step) => machineIds[(((index * 5) % 21) + step) % machineIds.length] ?? "",
  );
}

/** 12 characters from an alphabet without 0 O 1 I L. */
function randomCode() {
  return Array.from({ length: 12 }, () => alphabet[randomInt(alphabet.length)]).join("");
}

/** @param {{id: string}[]} rows */
function idsOf(rows) {
  return rows.map((row) => row.id);
}
