import { expect, it } from "vitest";
import { db } from "../../app/db/connection.server";
import { noCaps } from "../../app/features/caps/cap";
import { editCaps, readCaps } from "../../app/features/caps/caps.server";
import { redeemOverHttp } from "../bench/redeem-over-http";
import { assign } from "../factories/assignments";
import { codesOf, insertMassGeneration } from "../factories/mass-generations";
import { insertMachine } from "../factories/people-and-machines";
import { makeKey } from "../factories/redemptions";
import { useInstances } from "../support/app";
import { assertInvariants } from "../support/invariants";

const instances = useInstances([{}, {}]);

it(
  "gives a campaign's uses and money exactly once, to 100,000 redemptions from two instances",
  { timeout: 3_600_000 },
  async () => {
    const id = await insertMassGeneration({
      num_codes: 5_000,
      discount_type: "percentage",
      discount_value: 50,
    });
    const machine = await insertMachine();
    await assign("mass_generations", id, { machine_id: machine.id });
    const codes = await db()("promotions")
      .whereIn("id", await codesOf(id))
      .pluck<string[]>("code");
    const { secret: key, actor } = await makeKey();
    const campaign = { type: "mass_generation", id } as const;
    // A redemption gives 125 cents, so that money is what ends it.
    const caps = { ...noCaps, uses: 100_000, usesPerDay: 100_000, money: 60_000 * 125 + 124 };
    await editCaps(campaign, caps, 1, { actor });
    let asked = 0;
    while (asked < 100_000) {
      const rounds = await Promise.all(
        instances.map(({ origin }) =>
          redeemOverHttp({
            origin,
            key,
            codes,
            serials: [machine.serial_number],
            seconds: 20,
            connections: 50,
          }),
        ),
      );
      for (const { answers } of rounds) {
        // A busy machine may ask to come back.
        expect(["201", "422", "503"]).toEqual(expect.arrayContaining(Object.keys(answers)));
        asked += Object.values(answers).reduce((sum, count) => sum + count, 0);
      }
    }
    const [given] = await db()("transactions")
      .count<{ count: string }[]>("id as count")
      .sum({ money: "discount" });
    expect(given).toMatchObject({ count: "60000", money: String(60_000 * 125) });
    expect((await readCaps(campaign)).use).toMatchObject({ uses: 60_000, money: 60_000 * 125 });
    await assertInvariants();
  },
);
