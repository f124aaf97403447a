import { describe, expect, test } from "vitest";
import { db } from "../../app/db/connection.server";
import { redeem } from "../../app/features/redemptions/redeem.server";
import {
  deactivatePromotion,
  deleteMassGeneration,
  deletePromotion,
  reactivatePromotion,
} from "../factories/lifecycle";
import { assign, assignMachines, ofPromotion, setIdOf } from "../factories/assignments";
import { applyBulk } from "../factories/bulk";
import { insertMachine } from "../factories/people-and-machines";
import { insertCodes, insertGeneration } from "../factories/promotions";
import { insertRedeemable, request } from "../factories/redemptions";
import { countSessions } from "../support/database-sessions";
import { reportFigures } from "../support/fault-figures";
import { inSoak, isSoak, repetitions } from "../support/repetitions";
import { counters, times, useTwoInstances, type Sent } from "../support/two-instances";

const { key, output, redeemOverHttp, rollBackOverHttp } = useTwoInstances();
const rounds = repetitions(1, 20);
/** More than there are connections, so that redemptions also wait for one. */
const many = repetitions(60, 200);

test.each(Array.from({ length: rounds }, (_, round) => round + 1))(
  `${many} ask for the 5 uses of a code: exactly 5 get one (round %i)`,
  async () => {
    const target = await insertRedeemable({ discount_type: "free_drink", discount_value: 5 });
    const answers = await times(many, () => redeemOverHttp(request(target)));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(5);
    const refusals = answers.filter(({ status }) => status === 422).map(({ body }) => body);
    expect(refusals).toHaveLength(many - 5);
    expect(new Set(refusals)).toEqual(
      new Set(['{"error":"This code is used up.","reason":"used_up"}']),
    );
    expect(await counters(target.id)).toEqual({ activation_count: 5, period_uses: 5 });
    const logged = await db()("redemption_attempts")
      .where({ promotion_id: target.id })
      .groupBy("outcome")
      .orderBy("outcome")
      .select("outcome", db().raw("count(*)::integer as count"));
    expect(logged).toEqual([
      { outcome: "accepted", count: 5 },
      { outcome: "used_up", count: many - 5 },
    ]);
  },
);

test("the same redemption 50 times at once has one effect and 50 equal answers", async () => {
  for (const row of [{ is_single_use: true, max_uses: 1 }, {}, { is_active: false }]) {
    const target = await insertRedeemable(row);
    const sent = request(target);
    const answers = await times(50, () => redeemOverHttp(sent));
    expect(new Set(answers.map(({ body }) => body)).size).toBe(1);
    const isRefused = "is_active" in row;
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([isRefused ? 422 : 201]));
    const effects = isRefused ? 0 : 1;
    expect(await counters(target.id)).toMatchObject({ activation_count: effects });
  }
});

test("one id for two codes at once is one redemption; the other one is told nothing", async () => {
  for (let attempt = 0; attempt < rounds; attempt++) {
    const one = await insertRedeemable();
    const other = await insertRedeemable({}, one.machine);
    const sent = request(one);
    const answers = await times(20, (index) =>
      redeemOverHttp(index % 2 ? sent : { ...sent, code: other.code }),
    );
    const statuses = answers.map(({ status }) => status);
    expect([...new Set(statuses)].sort()).toEqual([201, 409]);
    expect(statuses.filter((status) => status === 201)).toHaveLength(10);
    const used = [await counters(one.id), await counters(other.id)];
    expect(used.map((row) => row.activation_count).sort()).toEqual([0, 1]);
  }
});

test("20 rollbacks at once give one use back", async () => {
  const target = await insertRedeemable({ discount_type: "free_drink", discount_value: 3 });
  const sent = [request(target), request(target), request(target)];
  for (const each of sent) await redeemOverHttp(each);
  const answers = await times(20, () => rollBackOverHttp(sent[0]!.redemptionId));
  const statuses = answers.map(({ status }) => status);
  expect(statuses.toSorted()).toEqual([200, ...Array<number>(19).fill(409)]);
  expect(await counters(target.id)).toEqual({ activation_count: 2, period_uses: 2 });
});

test("a use that comes back while many ask is given to one", async () => {
  for (let attempt = 0; attempt < rounds; attempt++) {
    const target = await insertRedeemable({ is_single_use: true, max_uses: 1 });
    const first = request(target);
    await redeemOverHttp(first);
    const others = times(30, () => redeemOverHttp(request(target)));
    await times(5, () => rollBackOverHttp(first.redemptionId));
    const statuses = (await others).map(({ status }) => status);
    expect(statuses.filter((status) => status === 201).length).toBeLessThanOrEqual(1);
    expect(statuses.filter((status) => status !== 201 && status !== 422)).toEqual([]);
  }
});

describe("while machines redeem", () => {
  /** Ten machines, until it is over; what they were told. */
  function redeemers(targets: { code: string; serialNumber: string }[]) {
    let isRunning = true;
    const told: Sent[] = [];
    const loop = times(10, async (index) => {
      for (let number = index; isRunning; number++)
        told.push(await redeemOverHttp(request(targets[number % targets.length]!)));
    });
    return {
      told,
      until: async (count: number) => {
        while (told.length < count) await new Promise((resolve) => setImmediate(resolve));
      },
      stop: async () => {
        isRunning = false;
        await loop;
      },
    };
  }

  async function deletedAt(table: string, id: string): Promise<string | null> {
    const { rows } = await db().raw<{ rows: { at: string | null }[] }>(
      "select deleted_at::text as at from ?? where id = ?",
      [table, id],
    );
    return rows[0]!.at;
  }

  /** Nothing is accepted once the deletion was answered, and nothing accepted is younger than it. */
  async function expectNoneAfter(ids: string[], before: number): Promise<void> {
    const { rows } = await db().raw<{ rows: { late: number; accepted: number }[] }>(
      `select (count(*) filter (where t.created_at > p.deleted_at))::integer as late,
         count(*)::integer as accepted
       from transactions t join promotions p on p.id = t.promotion_id where p.id = any(:ids)`,
      { ids },
    );
    expect(rows).toEqual([{ late: 0, accepted: before }]);
  }

  const accepted = async (ids: string[]) => {
    const rows = await db()("transactions").whereIn("promotion_id", ids).count();
    return Number((rows as { count: string }[])[0]!.count);
  };

  test("a code is deleted", async () => {
    let [redeemed, refused] = [0, 0];
    for (let attempt = 0; attempt < rounds; attempt++) {
      const target = await insertRedeemable();
      const running = redeemers([target]);
      await running.until(30);
      await deletePromotion(target.id, { actor: key.actor });
      const before = await accepted([target.id]);
      await running.until(running.told.length + 40);
      await running.stop();
      await expectNoneAfter([target.id], before);
      expect(running.told.at(-1)!.body).toContain('"deleted"');
      redeemed += before;
      refused += running.told.filter(({ body }) => body.includes('"deleted"')).length;
    }
    reportFigures(
      "F13",
      `${rounds} codes deleted while 10 machines redeem: ${redeemed} redemptions before, ${refused} refused as deleted`,
    );
  });

  test("a generation is deleted, at one moment for all its codes", async () => {
    const machine = await insertMachine();
    const ways = ["by itself", "by one of its codes", "in bulk"] as const;
    let redeemed = 0;
    for (const way of isSoak ? ways : (["in bulk"] as const)) {
      const generation = await insertGeneration({ num_codes: 20, is_assigned: true });
      const ids = await insertCodes(generation, 20, { is_assigned: true });
      await assign("mass_generations", generation, { machine_id: machine.id });
      const codes = await db()("promotions").whereIn("id", ids).pluck<string[]>("code");
      const running = redeemers(
        codes.map((code) => ({ code, serialNumber: machine.serial_number })),
      );
      await running.until(60);
      const options = { actor: key.actor };
      if (way === "by itself") await deleteMassGeneration(generation, options);
      if (way === "by one of its codes") await deletePromotion(ids[3]!, options);
      if (way === "in bulk")
        await applyBulk("delete", [ids[3]!], {}, { actor: { ...key.actor, role: "admin" } });
      const before = await accepted(ids);
      await running.until(running.told.length + 40);
      await running.stop();
      await expectNoneAfter(ids, before);
      const moments = await Promise.all(ids.map((id) => deletedAt("promotions", id)));
      expect(new Set([...moments, await deletedAt("mass_generations", generation)]).size).toBe(1);
      redeemed += before;
    }
    reportFigures(
      "F13",
      `${ways.length} mass generations of 20 codes deleted meanwhile: ${redeemed} redemptions before`,
    );
  });

  inSoak(test)("a code is deactivated, loses its machines and comes back", async () => {
    const target = await insertRedeemable();
    const running = redeemers([target]);
    const { actor } = key;
    for (let change = 0; change < repetitions(3, 8); change++) {
      await running.until(running.told.length + 15);
      await deactivatePromotion(target.id, { actor });
      const inactive = await accepted([target.id]);
      await running.until(running.told.length + 15);
      expect(await accepted([target.id])).toBe(inactive);
      await reactivatePromotion(target.id, { actor });
      await ofPromotion.removeAll(target.id, { actor });
      const without = await accepted([target.id]);
      await running.until(running.told.length + 15);
      expect(await accepted([target.id])).toBe(without);
      await assignMachines(target.id, [target.serialNumber], { actor });
    }
    await running.stop();
    const reasons = new Set(running.told.map(({ body }) => /"reason":"(\w+)"/.exec(body)?.[1]));
    expect([...reasons].sort()).toEqual(["inactive", "not_assigned", undefined]);
  });

  test("a code loses the machine that already waits for its row", async () => {
    const target = await insertRedeemable();
    const other = await insertMachine();
    await assignMachines(target.id, [other.serial_number], { actor: key.actor });
    const change = await db().transaction();
    await change("promotions").where({ id: target.id }).increment("version", 1);
    await change("assignments")
      .where({ set_id: await setIdOf("promotions", target.id), machine_id: target.machine.id })
      .delete();
    // It has seen the machine assigned, and stands in line behind the change.
    const redeeming = redeem(request(target), key.secret);
    await expect.poll(() => countSessions("waiting for a lock")).toBe(1);
    await change.commit();
    expect(await redeeming).toEqual({ outcome: "refused", reason: "not_assigned" });
  });
});

test("logs no failed request and no deadlock", () => {
  expect(output()).not.toMatch(/A request failed|failed with status code 500|deadlock/);
});
