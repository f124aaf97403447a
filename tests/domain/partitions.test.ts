import { beforeEach, describe, expect, it } from "vitest";
import { db, one, query } from "../../app/db/connection.server";
import { makePartitions } from "../../app/db/partitions.server";
import { sweep } from "../../app/db/sweep.server";
import { oldEvents } from "../../app/features/events/record-event.server";
import { redeem } from "../../app/features/redemptions/redeem.server";
import { rollBack } from "../../app/features/redemptions/roll-back.server";
import { insertRedeemable, outcomeOf, request } from "../factories/redemptions";
import { assertInvariants } from "../support/invariants";
import { useDatabase } from "../support/postgres";
import { secret, useRedeemer } from "../support/redeemer";

const parents = ["events", "redemption_attempts", "transactions"];

type Partition = { parent: string; name: string; begins: string; ends: string };

const readPartitions = () =>
  query<Partition>(
    db(),
    `select parent, name, to_char(begins at time zone 'UTC', 'YYYY-MM-DD') as begins,
       to_char(ends at time zone 'UTC', 'YYYY-MM-DD') as ends
     from table_partitions where not is_default order by parent, table_partitions.begins`,
  );

/** The partition that a row of `transactions` or `redemption_attempts` is in. */
async function partitionOf(table: string, redemptionId: string): Promise<string | undefined> {
  const sql = `select tableoid::regclass::text as name from ${table} where redemption_id = :redemptionId`;
  return (await one<{ name: string }>(db(), sql, { redemptionId }))?.name;
}

/** Names of the partitions of a month from now. */
async function monthFromNow(months: number): Promise<string> {
  const { rows } = await db().raw<{ rows: { name: string }[] }>(
    `select to_char(date_trunc('month', now() at time zone 'UTC') + interval '1 month' * ?, 'YYYY_MM') as name`,
    [months],
  );
  return rows[0]!.name;
}

describe("partitions", () => {
  useDatabase({ isOwner: true });

  const drop = async (months: number) => {
    for (const parent of parents)
      await db().raw(`drop table if exists ${parent}_${await monthFromNow(months)}`);
  };

  it("are there for this month and three more", async () => {
    const expected = [];
    for (const parent of parents)
      for (const months of [0, 1, 2, 3]) expected.push(`${parent}_${await monthFromNow(months)}`);
    expect((await readPartitions()).map(({ name }) => name)).toEqual(expected);
  });

  it("that are missing are made once, by however many instances", async () => {
    const all = await readPartitions();
    await drop(2);
    await drop(3);
    expect(await readPartitions()).toHaveLength(6);
    await Promise.all([1, 2, 3].map(() => makePartitions()));
    await makePartitions();
    expect(await readPartitions()).toEqual(all);
  });

  it("take the rows that the default partition has of their month", async () => {
    await drop(0);
    const target = await insertRedeemable();
    const id = `default-${target.id}`;
    await db()("transactions").insert({
      redemption_id: id,
      promotion_id: target.id,
      machine_id: target.machine.id,
      type: "percentage",
      original_price: 100,
      discount: 10,
    });
    expect(await partitionOf("transactions", id)).toBe("transactions_default");
    await makePartitions();
    expect(await partitionOf("transactions", id)).toBe(`transactions_${await monthFromNow(0)}`);
  });

  it("are left to the next run where somebody has the table, and made for the others", async () => {
    await drop(3);
    await db().transaction(async (trx) => {
      await trx.raw("lock table events_default in access share mode");
      await makePartitions();
    });
    expect(await readPartitions()).toHaveLength(11);
    await makePartitions();
    expect(await readPartitions()).toHaveLength(12);
  });
});

describe("months of events", () => {
  useDatabase({ isOwner: true });

  it("go once all their events were deleted, and the feed goes on", async () => {
    const event = (position: number, at: string) =>
      db().raw(
        `insert into events (position, type, subject, data, occurred_at)
         values (?, 'machine.deleted', 'machine:1', '{}', cast(? as timestamptz))`,
        [position, at],
      );
    await event(1, "2024-02-03T00:00:00Z");
    await event(2, "2024-03-31T23:59:59.999999Z");
    const { rows } = await db().raw<{ rows: { position: string }[] }>(
      "insert into events (position, type, subject, data, occurred_at) values (3, 'machine.deleted', 'machine:1', '{}', now()) returning position",
    );
    await makePartitions();
    const months = async () => (await readPartitions()).map(({ name }) => name).slice(0, 3);
    expect((await months()).slice(0, 2)).toEqual(["events_2024_02", "events_2024_03"]);
    await sweep([oldEvents()]);
    await makePartitions();
    expect(await months()).not.toContain("events_2024_02");
    expect(await months()).not.toContain("events_2024_03");
    expect(await db()("events").pluck("position")).toEqual(rows.map(({ position }) => position));
  });
});

describe("a redemption", () => {
  useRedeemer();

  let target: Awaited<ReturnType<typeof insertRedeemable>>;
  beforeEach(async () => {
    target = await insertRedeemable({
      discount_type: "free_drink",
      discount_value: 3,
      max_uses: 3,
    });
  });

  /** The last microsecond of a month that has a partition, and the first one of the next. */
  async function endOfMonth(): Promise<[Date, Date]> {
    const { rows } = await db().raw<{ rows: { ends: Date }[] }>(
      "select min(ends) as ends from table_partitions where begins <= now() and ends > now()",
    );
    return [new Date(rows[0]!.ends.getTime() - 1), rows[0]!.ends];
  }

  it("is answered again after the end of its month, and has its id once on both sides", async () => {
    const [before, after] = await endOfMonth();
    const sent = request(target);
    const first = await redeem(sent, secret, before);
    expect(first.outcome).toBe("applied");
    expect(await redeem(sent, secret, after)).toEqual(first);
    const other = request(target, { redemptionId: sent.redemptionId, originalPrice: 1 });
    expect(outcomeOf(await redeem(other, secret, after))).toBe("conflict");
    const next = request(target);
    expect(outcomeOf(await redeem(next, secret, after))).toBe("applied");
    for (const table of ["transactions", "redemption_attempts"])
      expect(await partitionOf(table, next.redemptionId)).not.toBe(
        await partitionOf(table, sent.redemptionId),
      );
  });

  it("is made once where both sides of a month's end ask for it at the same moment", async () => {
    const [before, after] = await endOfMonth();
    const sent = request(target);
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        redeem(sent, secret, index % 2 === 0 ? before : after),
      ),
    );
    expect(new Set(answers.map(outcomeOf))).toEqual(new Set(["applied"]));
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    const { rowCount } = await db().raw<{ rowCount: number }>(
      "select from transactions where redemption_id = ?",
      [sent.redemptionId],
    );
    expect(rowCount).toBe(1);
  });

  it("is stored in a month without a partition, answered again and rolled back", async () => {
    const later = new Date(Date.now() + 200 * 86_400_000);
    const sent = request(target);
    const first = await redeem(sent, secret, later);
    expect(first.outcome).toBe("applied");
    expect(await partitionOf("transactions", sent.redemptionId)).toBe("transactions_default");
    expect(await redeem(sent, secret, later)).toEqual(first);
    expect(await rollBack(sent.redemptionId, secret, { now: later })).toMatchObject({
      outcome: "rolled_back",
    });
    expect(await redeem(sent, secret, later)).toEqual({ outcome: "rolled_back" });
    await assertInvariants();
  });

  it("whose attempt is gone is told so when it is asked for again", async () => {
    const sent = request({ ...target, code: "ABCDEFGHJKMN" });
    expect(outcomeOf(await redeem(sent, secret))).toBe("unknown");
    await db()("redemption_attempts").where({ redemption_id: sent.redemptionId }).delete();
    expect(outcomeOf(await redeem({ ...sent, code: target.code }, secret))).toBe("archived");
  });
});
