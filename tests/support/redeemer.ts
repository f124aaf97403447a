import { randomUUID } from "node:crypto";
import { afterAll, beforeEach } from "vitest";
import { db } from "../../app/db/connection.server";
import { redeem } from "../../app/features/redemptions/redeem.server";
import type { RedemptionRequest } from "../../app/features/redemptions/redemption-api";
import { makeKey, outcomeOf } from "../factories/redemptions";
import { assertInvariants } from "./invariants";
import { useDatabase } from "./postgres";
import { rowById } from "../factories/rows";

/** The key of the running test, and its secret. */
export let key: Awaited<ReturnType<typeof makeKey>>;
export let secret = "";

/**
 * Gives a test file a database, each of its tests a key of its own, because failed lookups count for a key, and checks the
 * invariants at its end.
 */
export function useRedeemer(options: Parameters<typeof useDatabase>[0] = {}): void {
  useDatabase(options);
  afterAll(assertInvariants);
  beforeEach(async () => {
    key = await makeKey();
    secret = key.secret;
  });
}

/** A serial number that no machine has; misses are counted for each. */
export const nowhere = () => `nowhere ${randomUUID()}`;

export const redeemed = async (sent: RedemptionRequest, now: Date | null = null, by = secret) =>
  outcomeOf(await redeem(sent, by, now));

export async function counters(id: string) {
  const row = await rowById("promotions", id).first(
    "activation_count",
    "period_uses",
    "period_key",
    "version",
  );
  return row as Record<string, number>;
}

export async function attempts(redemptionId: string) {
  return db()("redemption_attempts")
    .where({ redemption_id: redemptionId })
    .select("outcome", "code", "promotion_id", "machine_id", "transaction_id", "integration_id");
}
