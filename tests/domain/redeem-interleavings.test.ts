import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { db } from "../../app/db/connection.server";
import { DomainError } from "../../app/errors";
import { redeem } from "../../app/features/redemptions/redeem.server";
import { rollBack } from "../../app/features/redemptions/roll-back.server";
import { type RedemptionRequest } from "../../app/features/redemptions/redemption-api";
import {
  deactivatePromotion,
  deletePromotion,
  reactivatePromotion,
  restorePromotion,
} from "../factories/lifecycle";
import { assignMachines, ofPromotion } from "../factories/assignments";
import { insertMachine } from "../factories/people-and-machines";
import { insertRedeemable, outcomeOf, request } from "../factories/redemptions";
import { assertInvariants } from "../support/invariants";
import { repetitions } from "../support/repetitions";
import { counters, useTwoInstances, type Sent } from "../support/two-instances";

const { key, output, redeemOverHttp, rollBackOverHttp } = useTwoInstances();

describe("any interleaving", () => {
  /** Steps on one of three codes; machines act by HTTP, people in this process. */
  const step = fc.oneof(
    { weight: 6, arbitrary: fc.record({ kind: fc.constant("redeem"), code: fc.nat(2) }) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant("repeat"), code: fc.nat(2) }) },
    { weight: 3, arbitrary: fc.record({ kind: fc.constant("roll back"), code: fc.nat(2) }) },
    {
      weight: 2,
      arbitrary: fc.record({
        kind: fc.constantFrom(
          "deactivate",
          "reactivate",
          "delete",
          "restore",
          "assign",
          "unassign",
        ),
        code: fc.nat(2),
      }),
    },
  );

  test("of redeeming, rolling back and what people do keeps the books and ends", async () => {
    const { actor } = key;
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(step, { minLength: 3, maxLength: 12 }), { minLength: 4, maxLength: 8 }),
        async (queues) => {
          const machine = await insertMachine();
          const codes = [
            await insertRedeemable({ is_single_use: true, max_uses: 1 }, machine),
            await insertRedeemable({ discount_type: "free_drink", discount_value: 3 }, machine),
            await insertRedeemable({ is_renewable: true, period_key: 202601 }, machine),
          ];
          const sent: RedemptionRequest[] = [];
          const answers = new Map<string, Set<string>>();
          const note = ({ redemptionId }: RedemptionRequest, { status, body }: Sent) => {
            if (body.includes('"rolled_back"')) return;
            const result = status === 201 ? String((JSON.parse(body) as { id: number }).id) : body;
            answers.set(redemptionId, (answers.get(redemptionId) ?? new Set()).add(result));
          };
          const people: Record<string, (id: string) => Promise<unknown>> = {
            deactivate: (id) => deactivatePromotion(id, { actor }),
            reactivate: (id) => reactivatePromotion(id, { actor }),
            delete: (id) => deletePromotion(id, { actor }),
            restore: (id) => restorePromotion(id, { actor }),
            assign: (id) => assignMachines(id, [machine.serial_number], { actor }),
            unassign: (id) => ofPromotion.removeAll(id, { actor }),
          };
          await Promise.all(
            queues.map(async (queue) => {
              for (const { kind, code } of queue) {
                const target = codes[code]!;
                const earlier = sent[(sent.length * (code + 1)) >> 2];
                if (kind === "redeem") {
                  const mine = request(target);
                  sent.push(mine);
                  note(mine, await redeemOverHttp(mine));
                } else if (kind === "repeat") {
                  if (earlier) note(earlier, await redeemOverHttp(earlier));
                } else if (kind === "roll back") {
                  if (!earlier) continue;
                  const { status } = await rollBackOverHttp(earlier.redemptionId);
                  expect([200, 404, 409]).toContain(status);
                } else {
                  await people[kind]!(target.id).catch((error: unknown) => {
                    if (!(error instanceof DomainError && error.reason === "conflict")) throw error;
                  });
                }
              }
            }),
          );
          // Repeated requests got the same answer, until a rollback.
          for (const [id, results] of answers) expect([...results], id).toHaveLength(1);
          await assertInvariants();
        },
      ),
      { numRuns: repetitions(5, 300) },
    );
    const { rows } = await db().raw<{ rows: { deadlocks: string }[] }>(
      "select deadlocks from pg_stat_database where datname = current_database()",
    );
    expect(rows).toEqual([{ deadlocks: "0" }]);
  }, 300_000);

  /** One after the other, everything is foreseeable: the books in memory, held against the answers. */
  type Model = {
    isActive: boolean;
    isDeleted: boolean;
    isAssigned: boolean;
    limit: number | null;
    live: Set<string>;
    spent: Map<string, { sent: RedemptionRequest; outcome: string }>;
  };

  test("one after the other answers as the books in memory say", async () => {
    const { actor } = key;
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom<[Record<string, unknown>, number | null]>(
          [{ is_single_use: true, max_uses: 1 }, 1],
          [{ discount_type: "free_drink", discount_value: 2 }, 2],
          [{}, null],
        ),
        fc.array(step, { minLength: 5, maxLength: 40 }),
        async ([row, limit], steps) => {
          const target = await insertRedeemable(row);
          const model: Model = {
            isActive: true,
            isDeleted: false,
            isAssigned: true,
            limit,
            live: new Set(),
            spent: new Map(),
          };
          const foreseen = () => {
            if (model.isDeleted) return "deleted";
            if (!model.isActive) return "inactive";
            if (model.limit !== null && model.live.size >= model.limit) return "used_up";
            return model.isAssigned ? "applied" : "not_assigned";
          };
          const change = async (work: Promise<unknown>, apply: () => void) => {
            const outcome = await work.then(
              () => "done",
              (error: unknown) => (error as DomainError).reason,
            );
            if (outcome === "done") apply();
            else expect([outcome, model.isDeleted]).toEqual(["conflict", true]);
          };
          const { id, serialNumber } = target;
          const actions: Record<string, (pick: number) => Promise<void>> = {
            redeem: async () => {
              const sent = request(target);
              const outcome = foreseen();
              expect(outcomeOf(await redeem(sent, key.secret))).toBe(outcome);
              model.spent.set(sent.redemptionId, { sent, outcome });
              if (outcome === "applied") model.live.add(sent.redemptionId);
            },
            repeat: async (pick) => {
              const known = [...model.spent.values()].at(-1 - pick);
              if (!known) return;
              const isBack =
                known.outcome === "applied" && !model.live.has(known.sent.redemptionId);
              const outcome = outcomeOf(await redeem(known.sent, key.secret));
              expect(outcome).toBe(isBack ? "rolled_back" : known.outcome);
            },
            "roll back": async (pick) => {
              const known = [...model.spent.values()].at(-1 - pick);
              if (!known) return;
              const answer = await rollBack(known.sent.redemptionId, key.secret);
              const isLive = model.live.has(known.sent.redemptionId);
              const back = isLive ? "rolled_back" : "repeated";
              expect(answer.outcome).toBe(known.outcome === "applied" ? back : "conflict");
              model.live.delete(known.sent.redemptionId);
            },
            deactivate: () =>
              change(deactivatePromotion(id, { actor }), () => (model.isActive = false)),
            reactivate: () =>
              change(reactivatePromotion(id, { actor }), () => (model.isActive = true)),
            delete: () => change(deletePromotion(id, { actor }), () => (model.isDeleted = true)),
            restore: () => change(restorePromotion(id, { actor }), () => (model.isDeleted = false)),
            assign: () =>
              change(assignMachines(id, [serialNumber], { actor }), () => {
                model.isAssigned = true;
              }),
            unassign: () =>
              change(ofPromotion.removeAll(id, { actor }), () => (model.isAssigned = false)),
          };
          for (const { kind, code } of steps) await actions[kind]!(code);
          expect(await counters(id)).toEqual({
            activation_count: model.live.size,
            period_uses: model.live.size,
          });
        },
      ),
      { numRuns: repetitions(10, 300) },
    );
  });
});

test("logs no failed request and no deadlock", () => {
  expect(output()).not.toMatch(/A request failed|failed with status code 500|deadlock/);
});
