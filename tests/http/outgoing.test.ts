import { beforeEach, expect, it } from "vitest";
import { db } from "../../app/db/connection.server";
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

it("does not show the notice to users", async () => {
  expect(await clerk.page("/app/dashboard")).not.toContain(button);
});
