import { randomBytes } from "node:crypto";
import { expect, it } from "vitest";
import { db } from "../../app/db/connection.server";
import { generateCodes } from "../../app/features/promotions/code";
import { redeem } from "../../app/features/redemptions/redeem.server";
import { rollBack } from "../../app/features/redemptions/roll-back.server";
import { type RedemptionRequest } from "../../app/features/redemptions/redemption-api";
import { hashSecret, newSecret } from "../../app/features/sign-in/tokens.server";
import {
  deactivatePromotion,
  deletePromotion,
  reactivatePromotion,
  restorePromotion,
} from "../factories/lifecycle";
import { insertUser } from "../factories/people-and-machines";
import { outcomeOf } from "../factories/redemptions";
import { assertInvariants } from "../support/invariants";
import { useDatabase } from "../support/postgres";
import { repetitions } from "../support/repetitions";

useDatabase();

const number = repetitions(300, 1_000_000);
const workers = 16;
const serials = Array.from({ length: 20 }, (_, index) => `VM-${index}`);

/**
 * Codes of every kind: unlimited, used up after 1, 50 and 1,000 redemptions, renewable, expiring
 * and expired ones; every tenth is valid at half of the machines only.
 */
async function prepare(): Promise<{ codes: string[]; ids: string[]; key: string }> {
  const key = newSecret("vqm_");
  await db().raw(
    `with integration as (insert into integrations (name) values ('Platform') returning id)
     insert into api_keys (integration_id, hash, last_four, scopes, expires_at)
     select id, ?, ?, '{redeem}', now() + interval '1 day' from integration`,
    [hashSecret(key), key.slice(-4)],
  );
  await db()("machines").insert(
    serials.map((serial) => ({ serial_number: serial, human_name: "Lobby" })),
  );
  const codes = generateCodes(repetitions(100, 2_000), randomBytes);
  const { rows } = await db().raw<{ rows: { id: string }[] }>(
    `insert into promotions (code, name, discount_type, discount_value, is_single_use, is_renewable,
       max_uses, expires_at)
     select code, 'Many', case at % 5 when 0 then 'percentage' else 'free_drink' end,
       case at % 5 when 0 then 1 + at % 100 when 1 then 1 when 2 then 50 else 1000 end,
       at % 5 = 1, at % 5 = 3,
       case at % 5 when 0 then null when 1 then 1 when 2 then 50 else 1000 end,
       case when at % 5 = 4 then now() + interval '1 second' * (at % 40 - 5) end
     from unnest(cast(? as text[])) with ordinality as listed (code, at) returning id`,
    [codes],
  );
  await db().raw(
    `insert into assignments (set_id, machine_id)
     select p.set_id, m.id from promotions p, machines m where p.id % 10 <> 0 or m.id % 2 = 0;
     update assignment_sets set is_assigned = true;`,
  );
  return { codes, ids: rows.map((row) => row.id), key };
}

it(
  "holds its invariants over many redemptions, replays, rollbacks and changes by people at once",
  { timeout: 3_600_000 },
  async () => {
    const { codes, ids, key } = await prepare();
    const actor = { ...(await insertUser()), role: "admin" as const };
    const outcomes = new Map<string, number>();
    const note = (outcome: string) => outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
    let turn = 0;

    const work = async (worker: number) => {
      let last: RedemptionRequest | undefined;
      while (turn < number) {
        const at = turn++;
        const request = {
          code: codes[(at * 7_919) % codes.length]!,
          serialNumber: serials[(at * 31 + worker) % serials.length]!,
          originalPrice: (at * 37) % 1_000,
          redemptionId: `many-${at}`,
        };
        const answer = await redeem(request, key);
        note(outcomeOf(answer));
        if (at % 20 === 3 && last) {
          // The same once more, and another's id for something else.
          const [again, conflict] = await Promise.all([
            redeem(last, key),
            redeem({ ...last, originalPrice: last.originalPrice + 1 }, key),
          ]);
          expect(["applied", "refused", "rolled_back"]).toContain(again.outcome);
          expect(conflict.outcome).toBe("conflict");
        }
        if (at % 10 === 7 && answer.outcome === "applied") {
          const answers = await Promise.all([
            rollBack(request.redemptionId, key),
            rollBack(request.redemptionId, key),
          ]);
          expect(answers.map(({ outcome }) => outcome)).toContain("rolled_back");
          note("rolled back");
        }
        if (at % 100 === 11) {
          const id = ids[(at * 13) % ids.length]!;
          await deactivatePromotion(id, { actor });
          await reactivatePromotion(id, { actor });
        }
        if (at % 250 === 21) {
          const id = ids[(at * 17) % ids.length]!;
          await deletePromotion(id, { actor });
          await restorePromotion(id, { actor });
        }
        last = request;
      }
    };
    const started = performance.now();
    await Promise.all(Array.from({ length: workers }, (_, worker) => work(worker)));
    const seconds = (performance.now() - started) / 1_000;
    console.log(`${number} in ${seconds.toFixed(0)} s: ${JSON.stringify([...outcomes])}`);

    const { rows } = await db().raw<{ rows: Record<string, string>[] }>(
      `select (select count(*) from transactions) as transactions,
         (select count(*) from transactions where status = 'rolled_back') as rolled_back,
         (select count(*) from redemption_attempts) as attempts`,
    );
    expect(rows[0]).toEqual({
      transactions: String(outcomes.get("applied")),
      rolled_back: String(outcomes.get("rolled back")),
      attempts: String(number),
    });
    for (const outcome of ["applied", "used_up", "expired", "not_assigned"])
      expect([outcome, outcomes.get(outcome) ?? 0]).not.toEqual([outcome, 0]);
    await assertInvariants();
  },
);
