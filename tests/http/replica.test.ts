import { beforeAll, expect, it } from "vitest";
import { db } from "../../app/db/connection.server";
import { createKey } from "../../app/features/integrations/new-keys.server";
import { insertUser } from "../factories/people-and-machines";
import { makeKey } from "../factories/redemptions";
import { readMetrics } from "../support/read-metrics";
import { openSession, useServer } from "../support/server";

/** The rules that need no replica; `npm run cluster` tries those that do. The server is told that its primary is one. */
const token = "token-of-the-metrics";
const server = useServer({
  environment: () => {
    const { connectionString } = db().client.config.connection as { connectionString: string };
    const separator = connectionString.includes("?") ? "&" : "?";
    const DATABASE_REPLICA_URL = `${connectionString}${separator}application_name=replica`;
    return { METRICS_TOKEN: token, DATABASE_REPLICA_URL };
  },
});
let actor: { id: string; email: string };
beforeAll(async () => {
  actor = await insertUser({ role: "admin" });
});

/** Returns whose writes work has recorded. */
async function recordedBy(work: () => Promise<{ status: number }>, status: number) {
  await db()("last_writes").delete();
  expect((await work()).status).toBe(status);
  return db()("last_writes").pluck("user_id");
}

it("reads from the primary where the other server is no replica, and says so", async () => {
  const cookie = await openSession(actor.id);
  expect((await server.send("/app/dashboard", { cookie })).status).toBe(200);
  expect((await server.send("/readyz")).status).toBe(200);
  const headers = { Authorization: `Bearer ${token}` };
  const metrics = readMetrics((await server.send("/metrics", { headers })).body);
  expect(metrics.get("promo_replica_used")).toBe(0);
  expect(metrics.has("promo_replica_lag_seconds")).toBe(false);
  const reason = "The replica is not used: it was promoted, or never was a replica.";
  await expect.poll(server.output).toContain(reason);
});

it("records the writes of people and keys, and no reads", async () => {
  const cookie = await openSession(actor.id);
  const read = () => server.send("/app/qr-list", { cookie });
  const write = () =>
    server.send("/app/qr-list", { method: "POST", cookie, body: { intent: "refresh" } });
  expect(await recordedBy(read, 200)).toEqual([]);
  expect(await recordedBy(write, 303)).toEqual([actor.id]);

  const { integrationId } = await makeKey();
  const input = { days: 1, machineSerial: null, scopes: ["promotions" as const] };
  const { secret } = await createKey(integrationId, input, { actor });
  const create = () => server.call("POST", "/api/create_promotion", { token: secret, body: {} });
  expect(await recordedBy(create, 422)).toEqual([actor.id]);
});

it("records the sign-in of a person, and no write of somebody who is unknown", async () => {
  const [admin] = await db()("users").where({ email: "admin@example.com" }).pluck("id");
  const signIn = (password: string) =>
    server.send("/login", { method: "POST", body: { email: "admin@example.com", password } });
  expect(await recordedBy(() => signIn("a password of the tests"), 303)).toEqual([admin]);
  expect(await recordedBy(() => signIn("a wrong password"), 401)).toEqual([]);
});

it("stores the latest position of a user, whatever the order of requests", async () => {
  const cookie = await openSession(actor.id);
  const write = () =>
    server.send("/app/qr-list", { method: "POST", cookie, body: { intent: "refresh" } });
  await write();
  const before = await db()("last_writes").where({ user_id: actor.id }).first();
  await Promise.all(Array.from({ length: 8 }, write));
  const { rows } = await db().raw(
    "select lsn > ?::pg_lsn as is_later from last_writes where user_id = ?",
    [before.lsn, actor.id],
  );
  expect(rows).toEqual([{ is_later: true }]);
});
