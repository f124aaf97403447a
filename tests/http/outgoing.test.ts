import { randomUUID } from "node:crypto";
import { beforeEach, expect, it } from "vitest";
import { db } from "../../app/db/connection.server";
import { insertUser } from "../factories/people-and-machines";
import { insertDelivery, insertSchedule } from "../support/action-cases/settings";
import { useServer } from "../support/server";
import { useSession } from "../support/session";

const server = useServer();
const button = "Resume outgoing messages";
const { page, post, follow } = useSession(server);
const clerk = useSession(server, "clerk@example.com");

beforeEach(async () => {
  await db()("site_settings").update({ is_outgoing_paused: true });
});

const resume = (returnTo: string) => post("/app/outgoing/resume", { returnTo });

it.each(["/app/dashboard", "/app/webhooks", "/app/jobs"])(
  "shows on %s that outgoing messages wait, and resumes them with a plain post",
  async (address) => {
    const before = await page(address);
    expect(before).toContain("Waiting: 0 mails, 0 webhook events, 0 scheduled reports.");
    expect(before).toContain(button);

    const answer = await resume(address);
    expect(answer.headers.location).toMatch(new RegExp(`^${address}\\?`));
    const after = await follow(answer);
    expect(after).toContain("Outgoing messages resumed");
    expect(after).not.toContain(button);
  },
);

it("lists who resumed outgoing messages in the audit log", async () => {
  await resume("/app/dashboard");
  expect(await page("/app/audit?subject_type=site")).toMatch(
    /admin@example\.com[^]*Outgoing messages resumed[^]*Site/,
  );
});

const idOfJob = async (kind: string) =>
  (await db()("jobs").where({ kind }).first<{ id: string }>()).id;

const pressed: Record<
  string,
  [button: () => Promise<[path: string, fields?: object]>, message: string]
> = {
  "'Send test mail'": [
    async () => ["/app/jobs/test-mail", { idempotency_key: randomUUID() }],
    "A test mail to admin@example.com will be sent",
  ],
  "'Run now' of a delivery": [
    async () => [`/app/jobs/webhook-${(await insertDelivery()).delivery}/run`],
    "The job will run",
  ],
  "'Run now' of reports by mail": [
    async () => [`/app/jobs/job-${await idOfJob("reports")}/run`],
    "The job will run",
  ],
  "'Send test event'": [
    async () => [`/app/webhooks/${(await insertDelivery()).id}`, { intent: "test" }],
    "A test event will be sent",
  ],
  "'Send now' of a webhook": [
    async () => [`/app/webhooks/${(await insertDelivery()).id}`, { intent: "send-now" }],
    "All waiting events will be sent",
  ],
  "'Send again' of an event": [
    async () => {
      const { id, delivery } = await insertDelivery();
      return [`/app/webhooks/${id}/deliveries/${delivery}`, { intent: "redeliver" }];
    },
    "The event will be sent again",
  ],
  "'Send test report'": [
    async () => [`/app/reports/mailing/${await insertSchedule()}`, { intent: "test" }],
    "A test report to admin@example.com will be sent",
  ],
  "'Resend invitation'": [
    async () => [`/app/users/${(await insertUser()).id}/edit`, { intent: "invite" }],
    "A new invitation will be sent",
  ],
};

it.each(Object.entries(pressed))("says after %s that it waits", async (_name, [press, message]) => {
  const [path, fields] = await press();
  expect(await follow(await post(path, { ...fields }))).toContain(
    `${message} once an admin resumes outgoing messages, which are paused.`,
  );
});

it("says nothing of the pause after 'Run now' of what stays within the site", async () => {
  const answer = await post(`/app/jobs/job-${await idOfJob("sweep")}/run`);
  expect(await follow(answer)).not.toContain("which are paused");
});

it("does not show the notice to users", async () => {
  expect(await clerk.page("/app/dashboard")).not.toContain(button);
});
