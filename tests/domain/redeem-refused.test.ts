import pg from "pg";
import { describe, expect, test, vi } from "vitest";
import { db } from "../../app/db/connection.server";
import { redeem } from "../../app/features/redemptions/redeem.server";
import { rollBack } from "../../app/features/redemptions/roll-back.server";
import type { RefusalReason } from "../../app/features/redemptions/refusal-reason";
import { setIdOf } from "../factories/assignments";
import { insertMachine } from "../factories/people-and-machines";
import { insertRedeemable, makeKey, newCode, request } from "../factories/redemptions";
import { isSoak } from "../support/repetitions";
import {
  attempts,
  counters,
  key,
  nowhere,
  redeemed,
  secret,
  useRedeemer,
} from "../support/redeemer";
import { ago, rowById } from "../factories/rows";

useRedeemer();

describe("a refusal", () => {
  const order = [
    ...(["deleted", "inactive", "expired", "used_up", "not_assigned"] as const),
    ...(["not_yet", "outside_hours"] as const),
  ];
  type State = Record<(typeof order)[number], boolean>;
  const states = Array.from({ length: 128 }, (_, bits): State => {
    const has = (bit: number) => ((bits >> bit) & 1) === 1;
    return {
      deleted: has(0),
      inactive: has(1),
      expired: has(2),
      used_up: has(3),
      not_assigned: has(4),
      not_yet: has(5),
      outside_hours: has(6),
    };
  });

  /** A single-use code that is all of this; brought there by what brings it there. */
  async function inState(state: State) {
    const target = await insertRedeemable({ is_single_use: true, max_uses: 1 });
    if (state.used_up) expect(await redeemed(request(target))).toBe("applied");
    await rowById("promotions", target.id).update({
      is_deleted: state.deleted,
      deleted_at: state.deleted ? db().raw("clock_timestamp()") : null,
      is_active: !state.inactive,
      expires_at: state.expired ? ago("1 second") : null,
      starts_at: state.not_yet ? db().raw("now() + interval '1 hour'") : null,
      open_minutes: state.outside_hours ? "{}" : null,
    });
    if (state.not_assigned) {
      // It has machines, only not this one.
      const { id: machine_id } = await insertMachine();
      await db()("assignments")
        .where({ set_id: await setIdOf("promotions", target.id) })
        .update({ machine_id });
    }
    return target;
  }

  /** Pairs are enough to tell an order; the soak tries all combinations. */
  const tried = states.filter((state) => {
    const count = order.filter((name) => state[name]).length;
    return isSoak || count <= 2 || count === order.length;
  });

  test.each(tried)("gives the first reason that holds: %o", async (state) => {
    const target = await inState(state);
    const reason: RefusalReason | undefined = order.find((name) => state[name]);
    const gone = await insertMachine({ is_deleted: true });
    const before = await counters(target.id);

    const sent = request(target);
    expect(await redeemed(sent)).toBe(reason ?? "applied");
    expect(await attempts(sent.redemptionId)).toMatchObject([
      {
        outcome: reason ?? "accepted",
        promotion_id: target.id,
        machine_id: target.machine.id,
        ...(reason && { transaction_id: null }),
      },
    ]);
    for (const serialNumber of [gone.serial_number, nowhere()]) {
      const elsewhere = request({ ...target, serialNumber });
      expect(await redeemed(elsewhere)).toBe("machine_unknown");
      expect(await attempts(elsewhere.redemptionId)).toMatchObject([
        {
          outcome: "machine_unknown",
          machine_id: serialNumber === gone.serial_number ? gone.id : null,
        },
      ]);
    }
    if (reason) expect(await counters(target.id)).toEqual(before);
  });

  test("is 'unknown' for a code that was never issued, and logged", async () => {
    const { serial_number: serialNumber } = await insertMachine();
    const sent = request({ code: newCode(), serialNumber });
    expect(await redeemed(sent)).toBe("unknown");
    expect(await attempts(sent.redemptionId)).toMatchObject([
      { outcome: "unknown", code: sent.code, promotion_id: null },
    ]);
  });

  test.each(["", "ABCD", "ABCD-EFG", "ABCD-EFGH-JKM!", "' or 1=1 --", "x".repeat(5_000)])(
    "of what can't be a code asks nothing about codes, and is logged with its text: %j",
    async (code) => {
      const { serial_number: serialNumber } = await insertMachine();
      const sent = request({ code, serialNumber });
      await redeem(request({ code, serialNumber }), secret);
      const query = vi.spyOn(pg.Client.prototype, "query");
      try {
        expect(await redeemed(sent)).toBe("unknown");
        const asked = query.mock.calls as unknown as [{ text: string }][];
        const texts = asked.map(([{ text }]) => text);
        expect(texts).toHaveLength(1);
        expect(texts[0]).not.toContain("promotions");
      } finally {
        query.mockRestore();
      }
      expect(await attempts(sent.redemptionId)).toMatchObject([
        { outcome: "unknown", code: code.slice(0, 200), promotion_id: null },
      ]);
      const unknownMachine = request({ code, serialNumber: nowhere() });
      expect(await redeemed(unknownMachine)).toBe("machine_unknown");
    },
  );

  test.each([null, "", "vqm_", "x", `vqk_${"a".repeat(49)}`, `vqm_${"a".repeat(49)}`])(
    "of a key that can't be one asks nothing at all: %j",
    async (mistyped) => {
      const target = await insertRedeemable();
      const query = vi.spyOn(pg.Client.prototype, "query");
      try {
        expect(await redeem(request(target), mistyped ?? `${secret}x`)).toEqual({
          outcome: "bad_key",
        });
        expect(await rollBack("r-1", mistyped ?? `${secret}x`)).toEqual({ outcome: "bad_key" });
        expect(query).not.toHaveBeenCalled();
      } finally {
        query.mockRestore();
      }
    },
  );
});

describe("a key", () => {
  test("that is bound redeems at its machine alone", async () => {
    const target = await insertRedeemable();
    const bound = await makeKey(target.serialNumber);
    expect(await redeemed(request(target), null, bound.secret)).toBe("applied");
    for (const serialNumber of [(await insertMachine()).serial_number, nowhere()]) {
      const sent = request({ ...target, serialNumber });
      expect(await redeemed(sent, null, bound.secret)).toBe("wrong_key");
      expect(await redeemed({ ...sent, code: "no code" }, null, bound.secret)).toBe("wrong_key");
      expect(await attempts(sent.redemptionId)).toEqual([]);
    }
    await rowById("machines", target.machine.id).update({
      is_deleted: true,
      deleted_at: new Date(),
    });
    expect(await redeemed(request(target), null, bound.secret)).toBe("machine_unknown");
  });

  test("that has ended or has no scope may nothing, replays included", async () => {
    const sent = request(await insertRedeemable());
    await redeem(sent, secret);
    const change = (to: object) => rowById("api_keys", key.id).update(to);
    await change({ scopes: "{}" });
    expect(await redeemed(sent)).toBe("wrong_key");
    expect((await rollBack(sent.redemptionId, secret)).outcome).toBe("wrong_key");
    await change({ scopes: "{redeem}", expires_at: db().raw("now()") });
    expect(await redeemed(sent)).toBe("bad_key");
    expect((await rollBack(sent.redemptionId, secret)).outcome).toBe("bad_key");
    await change({ expires_at: db().raw("now() + interval '1 hour'"), revoked_at: new Date() });
    expect(await redeemed(sent)).toBe("bad_key");
    expect((await rollBack(sent.redemptionId, secret)).outcome).toBe("bad_key");
  });
});
