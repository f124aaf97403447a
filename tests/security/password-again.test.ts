import { beforeEach, expect, it } from "vitest";
import { db } from "../../app/db/connection.server";
import { formIdField } from "../../app/forms/validator";
import { insertApproval } from "../factories/approvals";
import { insertPasskey, insertUser } from "../factories/people-and-machines";
import { makeKey } from "../factories/redemptions";
import { insertWebhook } from "../factories/webhooks";
import { insertSchedule } from "../support/action-cases/settings";
import { password, useServer } from "../support/server";
import { expectRejection, useSession, type Fields } from "../support/session";

/**
 * Actions that ask for the password when it was checked more than ten minutes ago. How it is asked for in all its phases
 * is tested in tests/http/integrations.
 */
const server = useServer({ environment: { WEBHOOK_PRIVATE: "1" } });
const session = useSession(server);
beforeEach(() => session.makeStale());

type Action = { to: string; fields?: Record<string, string | string[]> };
const webhook = { url: "https://example.com/new", events: ["machine.deleted"] };

const keyPath = async (action: string) => {
  const { id, integrationId } = await makeKey();
  return `/app/integrations/${integrationId}/${action}/${id}`;
};

it("is asked for by fields of their own where a page has several forms", async () => {
  const { id } = await insertWebhook();
  const page = `/app/webhooks/${id}`;
  const { body } = await session.get(page);
  const ids = [...body.matchAll(/<input[^>]*id="([^"]+)"/g)].map(([, found]) => found);
  expect(ids.filter((found) => found!.endsWith("-password")).length).toBeGreaterThan(1);
  expect(new Set(ids).size).toBe(ids.length);
  const refused = await session.post(page, {
    [formIdField]: "rotate-secret",
    intent: "rotate",
    password: "wrong",
  });
  expect(refused.body).toMatch(/href="#[\w-]+-password"/);
});

async function insertOwnPasskey(): Promise<string> {
  const user = await db()("users").where({ email: "admin@example.com" }).first<{ id: string }>();
  return insertPasskey(user!.id);
}

it.each<[string, () => Promise<Action> | Action]>([
  [
    "the creation of a user",
    () => ({ to: "/app/user/new", fields: { email: "new@example.com", role: "user" } }),
  ],
  [
    "a change of a user",
    async () => {
      const { id, email } = await insertUser();
      const fields = { intent: "save", email, role: "viewer", version: "1" };
      return { to: `/app/users/${id}/edit`, fields };
    },
  ],
  ["the deletion of a user", async () => ({ to: `/app/users/${(await insertUser()).id}/delete` })],
  [
    "the approval of a request",
    async () => ({
      to: `/app/approvals/${await insertApproval((await insertUser({ role: "admin" })).id)}`,
      fields: { intent: "approve" },
    }),
  ],
  ["the limit of a key", async () => ({ to: await keyPath("limit"), fields: { limit: "2000" } })],
  ["the renewal of a key", async () => ({ to: await keyPath("renew") })],
  [
    "a schedule of reports",
    () => ({
      to: "/app/reports/mailing",
      fields: { frequency: "daily", recipients: "boss@example.com", hour: "7" },
    }),
  ],
  [
    "other recipients of a report",
    async () => ({
      to: `/app/reports/mailing/${await insertSchedule()}/edit`,
      fields: { frequency: "daily", recipients: "boss@example.com", hour: "7", version: "1" },
    }),
  ],
  ["a webhook", () => ({ to: "/app/webhooks", fields: webhook })],
  [
    "another secret of a webhook",
    async () => ({
      to: `/app/webhooks/${(await insertWebhook()).id}`,
      fields: { intent: "rotate" },
    }),
  ],
  [
    "another address of a webhook",
    async () => ({
      to: `/app/webhooks/${(await insertWebhook()).id}`,
      fields: { intent: "save", version: "1", ...webhook },
    }),
  ],
  [
    "a passkey",
    () => ({
      to: "/app/profile/second-factor/passkey",
      fields: { intent: "start", name: "Phone" },
    }),
  ],
  [
    "the removal of a passkey",
    async () => ({
      to: `/app/profile/second-factor/remove/${await insertOwnPasskey()}`,
    }),
  ],
  [
    "an API key of one's own",
    () => ({ to: "/app/profile/api-key", fields: { days: "30", scopes: "read" } }),
  ],
  ["the secret of that key", () => ({ to: "/app/profile", fields: { intent: "reveal" } })],
])("asks for the password before %s", async (_action, arrange) => {
  const { to, fields } = await arrange();
  const post = (more: Fields) => session.post(to, { ...fields, ...more } as Fields);
  const count = () => db()("audit_log").count();
  const before = await count();

  const refused = await post({});
  expectRejection(refused, 403, "Enter your password to confirm this action");
  expect(refused.body).toMatch(/<input[^>]*name="password"/);
  expect(await count()).toEqual(before);

  const accepted = await post({ password });
  expect([200, 303], accepted.body).toContain(accepted.status);
});
