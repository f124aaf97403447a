import { beforeAll, beforeEach, expect, it } from "vitest";
import { db } from "../../app/db/connection.server";
import { addUser, useServer } from "../support/server";

const server = useServer();
const button = "Resume outgoing messages";
let cookie = "";

beforeAll(async () => {
  cookie = await server.signIn();
});
beforeEach(async () => {
  await db()("site_settings").update({ is_outgoing_paused: true });
});

const page = async (address: string, as = cookie) =>
  (await server.send(address, { cookie: as })).body;
const resume = (returnTo: string, as = cookie) =>
  server.send("/app/outgoing/resume", { method: "POST", body: { returnTo }, cookie: as });

it.each(["/app/dashboard", "/app/webhooks", "/app/jobs"])(
  "shows on %s that outgoing messages wait, and resumes them with a plain post",
  async (address) => {
    const before = await page(address);
    expect(before).toContain("Waiting: 0 mails, 0 webhook events, 0 scheduled reports.");
    expect(before).toContain(button);

    const answer = await resume(address);
    expect(answer.headers.location).toMatch(new RegExp(`^${address}\\?`));
    const after = await page(answer.headers.location!);
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

it("neither shows the notice to users nor lets them resume", async () => {
  await addUser("clerk@example.com");
  const clerk = await server.signIn("clerk@example.com");
  expect(await page("/app/dashboard", clerk)).not.toContain(button);
  expect((await resume("/app/dashboard", clerk)).status).toBe(403);
});
