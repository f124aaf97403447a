import { db } from "../../app/db/connection.server";
import { runDueJobs } from "../../app/db/job-runner.server";
import { jobsTable } from "../../app/db/jobs.server";
import type {
  LifecycleAction,
  PromotionSelection,
} from "../../app/features/promotions/lifecycle/bulk-actions";
import type { BulkValues } from "../../app/features/promotions/lifecycle/bulk-form";
import {
  bulkActionJob,
  runChunks,
} from "../../app/features/promotions/lifecycle/lifecycle-operations.server";
import {
  findBulk,
  prepareBulk,
  startBulk,
} from "../../app/features/promotions/lifecycle/bulk-actions.server";

type Options = Parameters<typeof startBulk>[2];
type Values = Partial<BulkValues>;

/** Counts the codes of a selection as the confirmation does, and confirms. */
export async function applyBulk(
  action: LifecycleAction,
  ids: string[],
  values: Values,
  options: Options,
) {
  const id = await prepareBulk(action, { kind: "ticked", ids }, options.actor);
  return confirmBulk(id, values, options);
}

/** Returns what the confirmation of an action says. */
export async function previewBulk(action: LifecycleAction, selection: PromotionSelection) {
  const admin = { id: "1", email: "admin@example.com", role: "admin" as const };
  return (await findBulk(admin.id, await prepareBulk(action, selection, admin))).outcome;
}

/** Confirms a prepared action and waits for its last code. */
export async function confirmBulk(id: string, values: Values, options: Options) {
  await startBulk(id, { expirationDate: null, machines: [], groups: [], ...values }, options);
  return (await runChunks(id))!;
}

/** Goes on at once with actions that were stopped. */
export async function resumeOperations(): Promise<void> {
  await db()("jobs").update({ next_attempt_at: db().fn.now() });
  await runDueJobs(jobsTable({ bulk_action: bulkActionJob }));
}
