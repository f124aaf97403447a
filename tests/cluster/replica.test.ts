import { setTimeout as delay } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { connect, db, disconnect } from "../../app/db/connection.server";
import type { Pooling } from "../../app/db/database-client.server";
import {
  readFromReplica,
  recordWrite,
  replicaState,
  startReplica,
  stopReplica,
  streamFromReplica,
} from "../../app/db/replica.server";
import { loadSite } from "../../app/db/site.server";
import { createKey } from "../../app/features/integrations/new-keys.server";
import type { KeyScope } from "../../app/features/sign-in/key-scopes";
import { insertLobbyCanteenAndCellar, insertUser } from "../factories/people-and-machines";
import { insertPromotion } from "../factories/promotions";
import { insertRedeemable, makeKey, newCode, request } from "../factories/redemptions";
import { startProduct, status, type RunningApp } from "../support/app";
import { textOfMain } from "../support/html";
import { formsLike, sharedFields } from "../support/form-fields";
import { startPooler } from "../support/pooler";
import { readMetrics } from "../support/read-metrics";
import { startReplication } from "../support/replication";
import { addUser, apiOf, openSession, send, type Answer } from "../support/server";
import { openTcpRelay } from "../support/tcp-relay";

const token = "token-of-the-metrics";
let cluster: Awaited<ReturnType<typeof startReplication>>;
let relay: Awaited<ReturnType<typeof openTcpRelay>>;
let replicaUrl = "";
let machinePage = "";
let apps: RunningApp[] = [];
const pause = () => cluster.onReplica("select pg_wal_replay_pause()");
const resume = () => cluster.onReplica("select pg_wal_replay_resume()");

beforeAll(async () => {
  cluster = await startReplication();
  relay = await openTcpRelay({ path: cluster.replicaSocket });
  const { username, password, pathname } = new URL(cluster.url.replace("@/", "@localhost/"));
  replicaUrl = `postgresql://${username}:${password}@127.0.0.1:${relay.port}${pathname}`;
  connect(cluster.url);
  await loadSite();
  await addUser("admin@example.com", "admin");
  await insertLobbyCanteenAndCellar();
  machinePage = "/app/machines/VM-1";
  const environment = { DATABASE_REPLICA_URL: replicaUrl, METRICS_TOKEN: token };
  apps = [
    await startProduct(cluster.url, environment),
    await startProduct(cluster.url, environment),
  ];
});

afterAll(async () => {
  await Promise.all(apps.map(({ stop }) => stop()));
  await disconnect();
  relay.close();
  await cluster.close();
}, 60_000);

afterEach(async () => {
  await resume().catch(() => {});
});

/** Reads a metric of an instance; undefined if it is absent. */
async function metric(app: RunningApp, name: string): Promise<number | undefined> {
  const headers = { Authorization: `Bearer ${token}` };
  return readMetrics((await send(app.origin, "/metrics", { headers })).body).get(name);
}

const uses = () => Promise.all(apps.map((app) => metric(app, "promo_replica_used")));
const whenUsed = () => expect.poll(uses, { timeout: 60_000 }).toEqual([1, 1]);
const whenLeft = () => expect.poll(uses, { timeout: 60_000 }).toEqual([0, 0]);

/** Signs a new user in, who has written nothing. */
async function newPerson(role: "admin" | "user" = "admin") {
  const { id } = await insertUser({ role });
  const cookie = await openSession(id);
  return {
    get: (path: string, instance = 1) => send(apps[instance]!.origin, path, { cookie }),
    post: (path: string, body: [string, string][], instance = 0) =>
      send(apps[instance]!.origin, path, { method: "POST", body, cookie }),
  };
}

async function newKey(scopes: KeyScope[]) {
  const { integrationId, actor } = await makeKey();
  const key = { days: 30, machineSerial: null, scopes };
  const { secret } = await createKey(integrationId, key, { actor });
  return (method: string, path: string, body?: unknown, instance = 1) =>
    apiOf((target, sending) => send(apps[instance]!.origin, target, sending))(method, path, {
      token: secret,
      body,
    });
}

const isOnReplica = async () =>
  (await db().raw("select pg_is_in_recovery() as is_replica")).rows[0].is_replica as boolean;

/** Lets this process read from a replica for the test, and waits until it may. Returns the lines of its log. */
async function useOwn(url: string, pooling: Pooling = "session"): Promise<string[]> {
  const lines: string[] = [];
  startReplica(url, { log: (line) => lines.push(line), pooling });
  onTestFinished(stopReplica);
  await expect.poll(() => replicaState()?.isUsable).toBe(true);
  return lines;
}

const pages = () => [
  "/app/dashboard",
  "/app/reports",
  "/app/qr-list?view=codes",
  "/app/transactions",
  "/app/transactions/refused",
  "/app/audit",
  machinePage,
  ...["qr-list", "transactions", "audit"].map((list) => `/app/${list}/export.csv`),
  "/app/reports/export.csv?by=promotion",
];

/** Opens all pages that may read from the replica, and returns their texts. */
async function openAll({ get }: Awaited<ReturnType<typeof newPerson>>): Promise<string[]> {
  const answers: Answer[] = [];
  // One after the other, because a user may have two exports at once.
  for (const path of pages()) answers.push(await get(path));
  expect(answers.map(({ status }) => status)).toEqual(pages().map(() => 200));
  return answers.map(({ body }) => (body.startsWith("<!") ? textOfMain(body) : body));
}

const promotion = (promotionName: string) =>
  formsLike([["promotionName", promotionName], ["discount", "25"], ...sharedFields])();

describe("a replica that follows", () => {
  it("answers dashboard, reports, lists and exports as it is, and none of them fails there", async () => {
    await whenUsed();
    const target = await insertRedeemable();
    machinePage = `/app/machines/${target.serialNumber}`;
    const { secret } = await makeKey();
    const person = await newPerson();
    await expect.poll(async () => (await person.get(machinePage)).status).toBe(200);
    await delay(500);
    const before = await openAll(person);

    await pause();
    const redeem = apiOf((path, sending) => send(apps[0]!.origin, path, sending));
    for (const code of [target.code, newCode()]) {
      const body = request({ ...target, code });
      await redeem("POST", "/api/redemptions", { token: secret, body });
    }
    await makeKey();
    expect(await openAll(person)).toEqual(before);
    await resume();
    await expect
      .poll(async () => {
        const now = await openAll(person);
        return pages().filter((_path, index) => now[index] === before[index]);
      })
      .toEqual([]);
    for (const app of apps) expect(app.output()).not.toContain("repeated");
  });

  it("shows a person at once what they wrote on another instance", async () => {
    await whenUsed();
    const [writer, other] = [await newPerson(), await newPerson()];
    const key = await newKey(["read", "promotions"]);
    const otherKey = await newKey(["read"]);
    // The sessions and keys are there.
    await delay(500);
    await pause();
    expect((await writer.post("/app/qr-generation", promotion("Mine"))).status).toBe(303);
    const body = {
      promotionName: "Of a key",
      discount_type: "percentage",
      discount: 20,
      expiration_date: "2099-12-31T23:59:59",
      machines: ["VM-1"],
    };
    const created = await key("POST", "/api/create_promotion", body, 0);
    expect(created.status, created.body).toBe(201);

    const list = "/app/qr-list?view=codes";
    expect((await writer.get(list)).body).toContain("Mine");
    expect((await writer.get("/app/qr-list/export.csv")).body).toContain("Mine");
    expect((await other.get(list)).body).not.toContain("Mine");
    expect((await key("GET", "/api/promotions")).body).toContain("Of a key");
    expect((await otherKey("GET", "/api/promotions")).body).not.toContain("Of a key");
    await resume();
    await expect.poll(async () => (await other.get(list)).body).toContain("Mine");
    expect((await otherKey("GET", "/api/promotions")).body).toContain("Of a key");
  });

  it("is not read with a key that may redeem, whose writes are not recorded", async () => {
    await whenUsed();
    const key = await newKey(["read", "redeem"]);
    const reader = await newKey(["read"]);
    await delay(500);
    await pause();
    await insertPromotion({ name: "Just now" });
    expect((await key("GET", "/api/promotions")).body).toContain("Just now");
    expect((await reader("GET", "/api/promotions")).body).not.toContain("Just now");
  });

  it("is not read before it has replayed the last write of the user, or the end of a long action", async () => {
    await useOwn(replicaUrl);
    await pause();
    await recordWrite("7");
    expect(await readFromReplica("7", isOnReplica)).toBe(false);
    expect(await readFromReplica("8", isOnReplica)).toBe(true);
    await recordWrite();
    expect(await readFromReplica("8", isOnReplica)).toBe(false);
    await resume();
    await expect.poll(() => readFromReplica("7", isOnReplica)).toBe(true);
    expect(await readFromReplica("8", isOnReplica)).toBe(true);
  });

  it("is read through PgBouncer in transaction mode", async () => {
    const pooler = await startPooler(cluster.replicaUrl, "transaction");
    onTestFinished(() => pooler.stop());
    await useOwn(pooler.url, "transaction");
    const places = Array.from({ length: 20 }, () => readFromReplica("1", isOnReplica));
    expect(await Promise.all(places)).toEqual(places.map(() => true));
  });

  it("leaves what it does not have yet to the primary", async () => {
    await whenUsed();
    const person = await newPerson();
    await delay(500);
    await pause();
    const { serialNumber } = await insertRedeemable();
    expect((await person.get(`/app/machines/${serialNumber}`)).status).toBe(200);
  });
});

describe("a replica that fails", () => {
  it("is left when it is more than 5 s behind, and used again when it has caught up", async () => {
    await whenUsed();
    const person = await newPerson();
    await delay(500);
    await pause();
    await insertPromotion({ name: "Late" });
    expect((await person.get("/app/qr-list?view=codes")).body).not.toContain("Late");
    await whenLeft();
    expect((await person.get("/app/qr-list?view=codes")).body).toContain("Late");
    await expect
      .poll(apps[0]!.output)
      .toContain("The replica is not used: it is more than 5 s behind.\n");
    expect(await metric(apps[0]!, "promo_replica_lag_seconds")).toBeGreaterThan(5);
    await delay(5_000);
    await resume();
    await whenUsed();
  });

  it("is left when it hangs, and what waits for it is read from the primary", async () => {
    await whenUsed();
    const person = await newPerson();
    await delay(500);
    relay.hang();
    const started = performance.now();
    await openAll(person);
    expect(performance.now() - started).toBeLessThan(5_000);
    expect(await status(`${apps[0]!.origin}/readyz`)).toBe(200);
    await whenLeft();
    await openAll(person);
    relay.resume();
    await whenUsed();
  });

  it("is left when it stops, and used again after its start", async () => {
    await whenUsed();
    const people = await Promise.all(Array.from({ length: 5 }, () => newPerson()));
    await delay(500);
    let isStopped = false;
    const openTillItStopped = async (person: (typeof people)[number]) => {
      while (!isStopped) await openAll(person);
    };
    const opened = Promise.all(people.map(openTillItStopped));
    await delay(300);
    try {
      await cluster.stopReplica();
      isStopped = true;
      await opened;
      await whenLeft();
      expect(await status(`${apps[0]!.origin}/readyz`)).toBe(200);
      await openAll(people[0]!);
    } finally {
      await cluster.startReplica();
    }
    await whenUsed();
  });

  it("has a read that it cancelled repeated on the primary, and an export only before its first part", async () => {
    // A change that a query is in the way of ends it at once.
    await cluster.onReplica("alter system set max_standby_streaming_delay = 0");
    await cluster.onReplica("select pg_reload_conf()");
    onTestFinished(async () => {
      await cluster.onReplica("alter system reset max_standby_streaming_delay");
      await cluster.onReplica("select pg_reload_conf()");
    });
    const lines = await useOwn(replicaUrl);
    const alter = () => cluster.onPrimary("alter table promotions add column x int");
    const undo = () => cluster.onPrimary("alter table promotions drop column x");
    /** Reads from a table that changes meanwhile, which no snapshot on the replica survives. */
    const readLong = () =>
      db().transaction(async (trx) => {
        await trx.raw("select count(*) from promotions");
        const change = (await isOnReplica()) ? delay(200).then(alter) : null;
        await trx.raw("select pg_sleep(2)").finally(() => change);
        return isOnReplica();
      });
    expect(await readFromReplica("1", readLong)).toBe(false);
    await undo();
    const repeated = /A read from the replica is repeated on the primary: .*recovery/;
    expect(lines).toContainEqual(expect.stringMatching(repeated));

    async function* makeParts(isAfterFirst: boolean) {
      if (isAfterFirst) yield "first";
      yield String(await readLong());
    }
    const readParts = async (isAfterFirst: boolean) => {
      const parts: string[] = [];
      for await (const part of streamFromReplica("1", () => makeParts(isAfterFirst)))
        parts.push(part);
      return parts;
    };
    await expect.poll(() => replicaState()?.isUsable).toBe(true);
    expect(await readParts(false)).toEqual(["false"]);
    await undo();
    await expect.poll(() => replicaState()?.isUsable).toBe(true);
    await expect(readParts(true)).rejects.toThrow("recovery");
    await undo();
  });

  it("is left when it was promoted, and loses nothing", async () => {
    await whenUsed();
    const [writer, other] = [await newPerson(), await newPerson()];
    const secondUrl = await cluster.startSecond();
    await delay(500);
    await cluster.onReplica("select pg_promote()");
    await openAll(other);
    expect((await writer.post("/app/qr-generation", promotion("After it"))).status).toBe(303);
    expect((await writer.get("/app/qr-list?view=codes")).body).toContain("After it");
    await whenLeft();
    expect((await other.get("/app/qr-list?view=codes")).body).toContain("After it");
    await openAll(other);
    await expect.poll(apps[0]!.output).toContain("The replica is not used: it was promoted");

    // A replica of the new primary may have a past of its own until its control file has the new timeline.
    await disconnect();
    connect(cluster.replicaUrl);
    const lines: string[] = [];
    startReplica(secondUrl, { log: (line) => lines.push(line), pooling: "session" });
    onTestFinished(stopReplica);
    const reason = "The replica is not used: it follows another server, database or timeline.";
    await expect.poll(() => lines).toEqual([reason]);
    await db()("users").where({ email: "admin@example.com" }).update({ company: "After it" });
    await cluster.onReplica("checkpoint");
    await expect
      .poll(async () => {
        await cluster.onSecond("checkpoint");
        return replicaState()?.isUsable;
      })
      .toBe(true);
    const readCompany = async () => [
      await isOnReplica(),
      ...(await db()("users").where({ email: "admin@example.com" }).pluck("company")),
    ];
    expect(await readFromReplica("1", readCompany)).toEqual([true, "After it"]);
  });
});
