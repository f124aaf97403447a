import { takeRefresh } from "../machines/refresh-limit.server";
import { syncMachines, type SyncOptions, type SyncOutcome } from "../machines/sync-machines.server";
import { countPromotionsByMachine } from "./count-by-machine.server";

/**
 * Brings the machines in line with the platform and, when that has worked, counts their promotions
 * anew (rulings 4.1, 4.4).
 * @throws DomainError conflict, when what is confirmed is no longer what is held
 */
export async function refreshMachines(options: SyncOptions = {}): Promise<SyncOutcome> {
  const outcome = await syncMachines(options);
  if (outcome.kind === "done") await countPromotionsByMachine();
  return outcome;
}

/** What came of a refresh that a person asked for, in words (core §8, rulings 4.3). */
export type RefreshAnswer = { kind: "success" | "warning" | "error"; text: string };

/** A person's refresh: once in 30 s, on whatever screen. */
export async function refreshFor(userId: string): Promise<RefreshAnswer> {
  const seconds = await takeRefresh(userId);
  if (seconds > 0) {
    return {
      kind: "warning",
      text: `Please wait ${seconds} seconds before refreshing again.`,
    };
  }
  return refreshAnswer(await refreshMachines());
}

function refreshAnswer(outcome: SyncOutcome): RefreshAnswer {
  if (outcome.kind === "done") return { kind: "success", text: "Data refreshed successfully" };
  if (outcome.kind === "failed") {
    return { kind: "error", text: `Failed to refresh machines list: ${outcome.sentence}` };
  }
  return {
    kind: "warning",
    text: "The machines are being refreshed already. Look again in a few seconds.",
  };
}
