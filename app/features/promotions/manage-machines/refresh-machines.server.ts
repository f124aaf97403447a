import { DomainError } from "../../../errors";
import { consumeRefreshQuota } from "../../machines/refresh-limit.server";
import {
  syncMachines,
  type Confirmation,
  type SyncOptions,
  type SyncOutcome,
} from "../../machines/sync-machines.server";
import { countPromotionsByMachine } from "./machine-promotions.server";

/**
 * Brings the machines in line with the platform and, when that has worked, counts their promotions
 * anew (RULES M5, M7).
 * @throws DomainError conflict, when what is confirmed is no longer what is held
 */
export async function refreshMachines(options: SyncOptions = {}): Promise<SyncOutcome> {
  const outcome = await syncMachines(options);
  if (outcome.kind === "done") await countPromotionsByMachine();
  return outcome;
}

/**
 * Refreshes for a user, at most once in 30 s on all screens together (RULES M5).
 * @returns the message for the user
 * @throws DomainError unavailable, when the platform gives no list
 */
export async function refreshFor(
  userId: string,
): Promise<{ kind: "success" | "warning"; text: string }> {
  const seconds = await consumeRefreshQuota(userId);
  if (seconds > 0) {
    return { kind: "warning", text: `Please wait ${seconds} seconds before refreshing again.` };
  }
  const outcome = await refreshMachines();
  assertRefreshed(outcome);
  if (outcome.kind === "done") return { kind: "success", text: "Data refreshed successfully" };
  return {
    kind: "warning",
    text: "The machines are being refreshed already. Look again in a few seconds.",
  };
}

/**
 * Marks the machines of a held list that are missing still, on an admin's word.
 * @returns how many
 * @throws DomainError conflict: another list is held by now, or a refresh runs; unavailable: the
 *   platform gives no list
 */
export async function confirmMissing(
  heldId: string,
  by: Omit<Confirmation, "heldId">,
): Promise<number> {
  const outcome = await refreshMachines({ confirmation: { ...by, heldId } });
  assertRefreshed(outcome);
  if (outcome.kind === "done") return outcome.flagged;
  throw new DomainError(
    "conflict",
    "The machines are being refreshed at this moment. Try again in a few seconds.",
  );
}

/** @throws DomainError unavailable */
function assertRefreshed(outcome: SyncOutcome): void {
  if (outcome.kind === "failed")
    throw new DomainError("unavailable", `Failed to refresh machines list: ${outcome.message}`);
}
