import { randomUUID } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { db } from "../../app/db/connection.server";
import { insertDelivery } from "../support/action-cases/settings";
import { useServer } from "../support/server";
import { useSession } from "../support/session";

const dataDir = mkdtempSync(path.join(tmpdir(), "promo-mail-"));
const outbox = path.join(dataDir, "outbox");
const server = useServer({ environment: { DATA_DIR: dataDir } });
const session = useSession(server);
const { post, page, follow } = session;
afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

const mails = "/app/jobs?kind=mail";

async function insertMail(recipient: string, values: object) {
  const [row] = await db()("outbox")
    .insert({
      dedup_key: randomUUID(),
      message_id: randomUUID(),
      template: "test",
      data: { askedBy: "canary-of-the-data" },
      recipient,
      give_up_at: db().raw("now() + interval '5 days'"),
      ...values,
    })
    .returning<{ id: string }[]>("id");
  return row!.id;
}
const failed = {
  state: "failed",
  attempts: 1,
  finished_at: "now()",
  last_error: "The mail server refused the recipient: 550 No such user",
};

describe("the screen Background jobs", () => {
  it("sends a test mail once to whoever asks, as a file that nobody else can read", async () => {
    expect(await page(mails)).toContain("Nothing matches");
    const idempotency_key = randomUUID();
    for (let time = 0; time < 2; time++) {
      const answer = await post("/app/jobs/test-mail", { idempotency_key });
      expect(answer.headers.location).toMatch(/^\/app\/jobs\?kind=mail&flash=/);
    }
    await expect
      .poll(() => db()("outbox").select("recipient", "state"))
      .toEqual([{ recipient: "admin@example.com", state: "sent" }]);
    const files = readdirSync(outbox);
    expect(files).toHaveLength(1);
    const file = path.join(outbox, files[0]!);
    expect([statSync(file).mode & 0o777, statSync(outbox).mode & 0o777]).toEqual([0o600, 0o700]);
    expect(readFileSync(file, "utf8")).toMatch(/^To: admin@example\.com\r$/m);
    expect(server.output()).toContain(`A mail to admin@example.com is in ${file}`);
    expect(await page(mails)).toMatch(/admin@example\.com[^]*Test[^]*Finished \d\d\.\d\d\.\d{4}/);
  });

  it("shows why a mail failed, and sends it again", async () => {
    const id = await insertMail("gone@example.com", failed);
    const body = await page("/app/jobs?kind=mail&state=failed");
    expect(body).toContain("The mail server refused the recipient: 550 No such user");
    expect(body).toContain(`action="/app/jobs/mail-${id}/run"`);
    expect(body).not.toContain("admin@example.com</th>");
    expect(body).not.toContain("canary-of-the-data");
    const answer = await post(`/app/jobs/mail-${id}/run`);
    expect(answer.status).toBe(303);
    expect(await follow(answer)).toContain("The job will run now");
    await expect.poll(() => db()("outbox").where({ id }).pluck("state")).toEqual(["sent"]);
    const repeated = await post(`/app/jobs/mail-${id}/run`);
    expect(await follow(repeated)).toContain("This mail was already sent.");
  });

  it("has no button for a mail whose link has expired", async () => {
    const id = await insertMail("late@example.com", {
      ...failed,
      template: "password_reset",
      data: { minutes: 10 },
      link_expires_at: "now()",
    });
    const body = await page(mails);
    expect(body).toContain("late@example.com");
    expect(body).not.toContain(`/app/jobs/mail-${id}/run`);
  });

  it("falls back to all mails for a state that does not exist, and says so", async () => {
    const body = await page("/app/jobs?state=lost");
    expect(body).toContain("late@example.com");
    expect(body).toMatch(/state[^<]*ignored/i);
  });

  it("stands in the sidebar, and under the address of the former list of mails", async () => {
    expect(await page("/app/dashboard")).toContain('href="/app/jobs"');
    const answer = await session.get("/app/mail");
    expect([answer.status, answer.headers.location]).toEqual([301, "/app/jobs?kind=mail"]);
  });

  it("lists what is repeated, and runs it now", async () => {
    const rowOf = (name: string) =>
      db()("jobs")
        .where({ kind: name })
        .first<{ id: string; attempts: number; is_running: boolean }>();
    await expect.poll(async () => (await rowOf("sweep"))?.is_running).toBe(false);
    const { id, attempts } = (await rowOf("sweep"))!;
    const body = await page("/app/jobs?kind=sweep");
    expect(body).toMatch(/Deletion of old data[^]*Waiting[^]*Runs \d\d\.\d\d\.\d{4}/);
    expect(body).toContain(`action="/app/jobs/job-${id}/run"`);
    const answer = await post(`/app/jobs/job-${id}/run`, { returnTo: "/app/jobs?kind=sweep" });
    expect(answer.headers.location).toMatch(/^\/app\/jobs\?kind=sweep&flash=/);
    await expect.poll(async () => (await rowOf("sweep"))!.attempts).toBeGreaterThan(attempts);
  });

  it("lists deliveries that wait, and sends one that has failed once more", async () => {
    const { id, delivery } = await insertDelivery();
    expect(await page("/app/jobs?kind=webhook&state=failed")).toContain(
      "Machine deleted: example.com",
    );
    await post(`/app/jobs/webhook-${delivery}/run`);
    await expect
      .poll(() => db()("webhook_deliveries").where({ webhook_id: id }).pluck("state"))
      .toHaveLength(2);
    await db()("webhooks").delete();
  });

  it("rejects a job that is not there", async () => {
    for (const address of ["mail-x", "job-99999999", "lost-1"]) {
      const answer = await post(`/app/jobs/${address}/run`);
      expect(await follow(answer)).toMatch(/not found/);
    }
  });
});
