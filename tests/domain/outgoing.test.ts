import { randomUUID } from "node:crypto";
import { beforeEach, describe, expect, it } from "vitest";
import { db } from "../../app/db/connection.server";
import { runDueJobs } from "../../app/db/job-runner.server";
import { jobsTable } from "../../app/db/jobs.server";
import { enqueueMail } from "../../app/features/mail/outbox.server";
import { outgoingJobs } from "../../app/features/report-schedules/send-reports.server";
import { readPausedOutgoing, resumeOutgoing } from "../../app/features/outgoing/outgoing.server";
import { insertWebhook } from "../factories/webhooks";
import { insertSchedule } from "../support/action-cases/settings";
import { useActor } from "../support/actor";
import { deliverDueMails } from "../support/mailbox";
import { useDatabase } from "../support/postgres";
import { deliver, happen, publish } from "../support/webhook-deliveries";
import { startReceiver } from "../support/webhook-receiver";

useDatabase();
const { actor } = useActor(beforeEach);
beforeEach(async () => {
  for (const table of ["webhooks", "outbox", "report_schedules"]) await db()(table).delete();
  await db()("site_settings").update({ is_outgoing_paused: true });
});

/** A mail, a report and a webhook event that are due, and what sends them. */
async function arrange() {
  const receiver = await startReceiver();
  await publish();
  await insertWebhook({ url: receiver.url });
  await happen();
  await insertSchedule({ next_run_at: "2026-01-01" });
  await enqueueMail(db(), {
    template: "test",
    data: { askedBy: "ada@example.com" },
    recipient: "boss@example.com",
    dedupKey: randomUUID(),
  });
  const mails: string[] = [];
  const transport = {
    send: ({ recipient }: { recipient: string }) => Promise.resolve(void mails.push(recipient)),
  };
  const sendEverything = async () => {
    await runDueJobs(jobsTable(outgoingJobs));
    await deliverDueMails(transport);
    await deliver();
  };
  return { sendEverything, mails, calls: receiver.calls };
}

describe("a restored database", () => {
  it("sends no mail, no report and no webhook call until they are resumed", async () => {
    const { sendEverything, mails, calls } = await arrange();
    await sendEverything();
    expect({ mails, calls }).toEqual({ mails: [], calls: [] });

    await resumeOutgoing({ actor });
    await sendEverything();
    expect(mails.sort()).toEqual(["a@example.com", "boss@example.com"]);
    expect(calls.map(({ event }) => event.type)).toContain("machine.deleted");
  });

  it("tells admins alone how much waits", async () => {
    await arrange();
    expect(await readPausedOutgoing("admin")).toEqual({ mails: 1, events: 1, reports: 1 });
    expect(await readPausedOutgoing("user")).toBeNull();
    await resumeOutgoing({ actor });
    expect(await readPausedOutgoing("admin")).toBeNull();
  });

  it("gives events that waited for days their three days once they are resumed", async () => {
    const { sendEverything, calls } = await arrange();
    await db()("site_settings").update({ is_outgoing_paused: false });
    await db()("webhooks").update({ url: "http://127.0.0.1:1/" });
    await sendEverything();
    await db()("webhook_deliveries").update({ give_up_at: "2026-01-01" });
    await db()("site_settings").update({ is_outgoing_paused: true });

    await resumeOutgoing({ actor });
    await sendEverything();
    expect(calls).toEqual([]);
    expect(await db()("webhook_deliveries").pluck("state")).toEqual(["pending"]);
  });

  it("sends mails that waited for longer than their five days once they are resumed", async () => {
    const { sendEverything, mails } = await arrange();
    await db()("outbox").update({ give_up_at: "2026-01-01" });
    await resumeOutgoing({ actor });
    await sendEverything();
    expect(mails).toContain("boss@example.com");
  });

  it("is resumed once, and audited", async () => {
    expect(await resumeOutgoing({ actor })).toEqual({ changed: true });
    expect(await resumeOutgoing({ actor })).toEqual({ changed: false });
    const action = "site.outgoing_messages_resumed";
    expect(await db()("audit_log").where({ action, actor_id: actor.id })).toHaveLength(1);
  });
});
