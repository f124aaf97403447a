import { randomUUID } from "node:crypto";
import { db } from "../../app/db/connection.server";
import { generateCodes } from "../../app/features/promotions/code";
import { createIntegration } from "../../app/features/integrations/integrations.server";
import { createKey } from "../../app/features/integrations/new-keys.server";
import { redeem } from "../../app/features/redemptions/redeem.server";
import type { RedemptionRequest } from "../../app/features/redemptions/redemption-api";
import { assign } from "./assignments";
import { insertMachine, insertUser } from "./people-and-machines";
import { insertPromotion } from "./promotions";

/** An integration with one key, bound to a machine when its serial number is given. */
export async function makeKey(machineSerial: string | null = null) {
  const actor = await insertUser();
  const { id: integrationId } = await createIntegration({ name: "Platform" }, { actor });
  const key = await createKey(integrationId, { machineSerial, days: 30 }, { actor });
  return { ...key, integrationId, actor };
}

/** A promotion with its code, assigned to a machine of its own unless one is given. */
export async function insertRedeemable(
  row: Record<string, unknown> = {},
  machine?: { id: string; serial_number: string },
) {
  const at = machine ?? (await insertMachine());
  const code = newCode();
  const id = await insertPromotion({ code, ...row });
  await assign("promotions", id, { machine_id: at.id });
  return { id, code, machine: at, serialNumber: at.serial_number };
}

export function newCode(): string {
  return generateCodes(1, (size) => crypto.getRandomValues(new Uint8Array(size)))[0]!;
}

/** A request with an id of its own. */
export function request(
  target: { code: string; serialNumber: string },
  more: Partial<RedemptionRequest> = {},
): RedemptionRequest {
  const { code, serialNumber } = target;
  return { code, serialNumber, originalPrice: 250, redemptionId: randomUUID(), ...more };
}

/** Returns the outcome of a redemption, or the reason if it was refused. */
export const outcomeOf = (answer: Awaited<ReturnType<typeof redeem>>) =>
  answer.outcome === "refused" ? answer.reason : answer.outcome;

/** Redeems a code with a key of its own. @returns the outcome, or the reason if it was refused */
export const redeemWithNewKey = async (code: string, serialNumber: string) =>
  outcomeOf(await redeem(request({ code, serialNumber }), (await makeKey()).secret));

/** Counts failed lookups of a key in the minute that begins now. */
export async function useUpLookups(keyId: string, points = 300): Promise<void> {
  const expire = db().raw("(extract(epoch from now()) * 1000)::bigint + 60000");
  await db()("rate_limits").insert({ key: `redeem/key/${keyId}`, points, expire });
}
