import { expect } from "vitest";
import { connect, disconnect, query } from "../../app/db/connection.server";
import { loadSite } from "../../app/db/site.server";
import { assertInvariants } from "./invariants";
import type { startVendingMachines } from "./vending-machines";

/**
 * Fails unless everything that machines were told is stored, nothing else was redeemed, and repeated requests get the
 * same answers.
 * @param url of a database that nothing of the test is connected to
 * @returns how many redemptions it compared, and how many it repeated
 */
export async function assertLedger(
  url: string,
  machines: ReturnType<typeof startVendingMachines>,
): Promise<{ compared: number; repeated: number }> {
  const database = connect(url);
  try {
    await loadSite();
    const rows = await query<{ redemptionId: string; status: string }>(
      database,
      "select t.redemption_id, t.status from transactions t",
    );
    const stored = new Map(rows.map((row) => [row.redemptionId, row.status]));
    const missing = [...machines.redemptions].filter(([id, { status }]) => {
      const expected = machines.rollbacks.has(id) ? "rolled_back" : "applied";
      return stored.get(id) !== (status === 201 ? expected : undefined);
    });
    expect(missing).toEqual([]);
    expect([...stored.keys()].filter((id) => !machines.redemptions.has(id))).toEqual([]);
    await assertInvariants();
  } finally {
    await disconnect();
  }
  const sample = [...machines.redemptions].filter(
    ([id], index) => index % 7 === 0 && !machines.rollbacks.has(id),
  );
  for (const [id, { status, body }] of sample)
    expect(await machines.again(id)).toMatchObject({ status, body });
  return { compared: machines.redemptions.size, repeated: sample.length };
}
