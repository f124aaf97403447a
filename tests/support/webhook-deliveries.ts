import { beforeEach, expect } from "vitest";
import { db } from "../../app/db/connection.server";
import { runDueJobs } from "../../app/db/job-runner.server";
import { publishEvents } from "../../app/features/events/publish-events.server";
import { recordEvent } from "../../app/features/events/record-event.server";
import { deliveryJobs } from "../../app/features/webhooks/webhook-jobs.server";
import { addDeliveries } from "../../app/features/webhooks/webhook-queue.server";
import { webhookPoster } from "../../app/services/webhooks/post-webhook.server";
import { useActor } from "./actor";
import { useDatabase } from "./postgres";

/** Gives a test file a database without webhooks, mails and events before each test, and an admin who acts. */
export function useWebhooks() {
  useDatabase();
  const { options } = useActor();
  beforeEach(async () => {
    for (const table of ["webhooks", "outbox", "events"]) await db()(table).delete();
  });
  return { options, admin: () => ({ ...options(), idempotencyKey: null }) };
}

/** Sends what is due. */
export async function deliver({
  poster = webhookPoster({ allowsPrivate: true, timeoutMs: 500 }),
  ...signals
}: { poster?: ReturnType<typeof webhookPoster>; stopping?: AbortSignal } = {}): Promise<void> {
  await addDeliveries();
  await runDueJobs(deliveryJobs(poster), signals);
  poster.close();
}
export async function publish(): Promise<void> {
  await expect.poll(() => publishEvents()).toBe("done");
}
/** Records an event of its own and publishes it. */
export async function happen(subject = "machine:1", count = 1): Promise<void> {
  for (let made = 0; made < count; made++)
    await recordEvent(db(), {
      type: "machine.deleted",
      subject,
      data: { machine: { serialNumber: `VM-${made}`, humanName: "" } },
    });
  await publish();
}

type Row = {
  id: string;
  state: string;
  attempts: number;
  response_status: number | null;
  response_body: string | null;
  last_error: string | null;
  waits: number;
};
/** The deliveries in order, with the time until their next attempt in seconds. */
export const rows = (): Promise<Row[]> =>
  db()("webhook_deliveries")
    .select("*", db().raw("extract(epoch from next_attempt_at - now())::float as waits"))
    .orderBy("id");
/** Ends the time until the next attempt. */
export const makeDue = () =>
  db()("webhook_deliveries").where({ state: "pending" }).update({ next_attempt_at: db().fn.now() });
