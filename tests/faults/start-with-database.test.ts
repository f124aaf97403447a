import { createServer, type AddressInfo } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { withMigrationLock } from "../../app/db/migration-lock.server";
import { dataFolder, startApp, status } from "../support/app";
import { reportFigures, seconds } from "../support/fault-figures";
import { cloneDatabase } from "../support/postgres";
import { startRelay } from "../support/relay";
import { inSoak, repetitions } from "../support/repetitions";
import { runSql } from "../support/run-sql";

const secret = "x".repeat(32);

const startWarm = (environment: Record<string, string>) => startApp(environment, { isWarm: true });

describe("an existing database", () => {
  inSoak(it)(
    "is migrated once by three instances that start together, and that answer while they drain",
    async () => {
      let [started, migrated, longest] = [0, 0, 0];
      for (let trial = 0; trial < repetitions(1, 20); trial++) {
        const { drop, url } = await cloneDatabase({ isEmpty: true });
        onTestFinished(drop);
        const environment = {
          DATABASE_URL: url,
          APP_SECRET: secret,
          DATA_DIR: dataFolder(),
          DRAIN_SECONDS: "1",
        };
        const began = performance.now();
        const apps = await Promise.all([1, 2, 3].map(() => startWarm(environment)));
        await Promise.all(apps.map((app) => app.ready()));
        longest = Math.max(longest, performance.now() - began);
        const [counts] = await runSql(
          url,
          `select (select count(*)::int from schema_migrations) as migrations,
        (select count(distinct name)::int from schema_migrations) as names,
        (select count(*)::int from users) as users, (select count(*)::int from machines) as machines`,
        );
        expect(counts).toMatchObject({ users: 1, machines: 0 });
        expect(counts?.migrations).toBe(counts?.names);
        const first = apps.filter((app) => app.output().includes("First sign-in"));
        expect(first).toHaveLength(1);
        for (const app of apps) app.signal("SIGTERM");
        await expect.poll(() => status(`${apps[0]!.origin}/readyz`)).toBe(503);
        const page = await fetch(`${apps[0]!.origin}/login`);
        expect([page.status, page.headers.get("connection")]).toEqual([200, "close"]);
        expect(await Promise.all(apps.map((app) => app.ended))).toEqual([0, 0, 0]);
        started += apps.length;
        migrated += first.length;
      }
      reportFigures(
        "F26",
        `${started} instances started, three on an empty database each: ${migrated} migrated, ` +
          `all ready within ${seconds(longest)}`,
      );
    },
    600_000,
  );

  it("is waited for while another instance migrates it, and the process says that it lives", async () => {
    const { drop, url } = await cloneDatabase({ isEmpty: true });
    onTestFinished(drop);
    let finish = () => {};
    let migration: Promise<unknown> = Promise.resolve();
    await new Promise<void>((isLocked) => {
      const untilFinished = () => {
        isLocked();
        return new Promise<void>((end) => (finish = end));
      };
      migration = withMigrationLock(url, untilFinished);
    });
    const app = await startWarm({ DATABASE_URL: url, APP_SECRET: secret });
    await expect.poll(() => status(`${app.origin}/healthz`), { timeout: 30_000 }).toBe(200);
    expect(await status(`${app.origin}/readyz`)).toBe(503);
    expect(await status(`${app.origin}/login`)).toBe(503);
    // Pages of another instance may ask this one for their scripts.
    expect(await status(`${app.origin}/favicon.svg`)).toBe(200);
    finish();
    await migration;
    await app.ready();
  });

  it("is waited for while it is down, and the process says that it lives", async () => {
    const { drop, url } = await cloneDatabase();
    onTestFinished(drop);
    const relay = await startRelay(url);
    relay.close();
    const target = new URL(relay.url);
    const environment = { APP_SECRET: secret, DATA_DIR: dataFolder() };
    const app = await startWarm({ ...environment, DATABASE_URL: target.href });
    await expect.poll(() => status(`${app.origin}/healthz`), { timeout: 30_000 }).toBe(200);
    expect(await status(`${app.origin}/readyz`)).toBe(503);
    expect(await status(`${app.origin}/login`)).toBe(503);

    expect(app.output()).toContain(
      `The database can't be reached: connect ECONNREFUSED ${target.host}. Trying again.\n`,
    );
    const call = await fetch(`${app.origin}/api/machines-list`);
    expect([call.status, call.headers.get("retry-after")]).toEqual([503, "2"]);
    expect(await call.json()).toEqual({ error: expect.any(String) as string });

    await relay.listen();
    const listening = performance.now();
    await app.ready();
    reportFigures(
      "F4",
      `away at the start: ready ${seconds(performance.now() - listening)} after it is there`,
    );
    expect(app.output()).not.toContain(target.password);
    app.signal("SIGTERM");
    expect(await app.ended).toBe(0);

    target.password = "hunter2hunter2";
    const refused = await startWarm({ ...environment, DATABASE_URL: target.href });
    expect(await refused.ended).toBe(1);
    expect(refused.output()).toBe(
      'DATABASE_URL was refused by the database: password authentication failed for user "promo_console".\n',
    );
  });

  it("is away, not at fault, once it refuses new connections", async () => {
    const { drop, url } = await cloneDatabase();
    const app = await startWarm({ DATABASE_URL: url, APP_SECRET: secret });
    await app.ready();
    await drop();
    expect(await status(`${app.origin}/readyz`)).toBe(503);
    const page = await fetch(`${app.origin}/login`);
    expect([page.status, page.headers.get("retry-after")]).toEqual([503, "2"]);
  });

  inSoak(it)("has its changed settings on an instance that drains, too", async () => {
    const { drop, url } = await cloneDatabase();
    onTestFinished(drop);
    const environment = { DATABASE_URL: url, APP_SECRET: secret, DRAIN_SECONDS: "6" };
    const app = await startWarm(environment);
    await app.ready();
    app.signal("SIGTERM");
    await expect.poll(() => status(`${app.origin}/readyz`)).toBe(503);
    await runSql(url, "update site_settings set site_name = 'Changed meanwhile'");
    const page = async () => (await fetch(`${app.origin}/login`)).text();
    await expect.poll(page, { timeout: 5_000 }).toContain("Changed meanwhile");
    expect(await app.ended).toBe(0);
  });

  it("is refused with its own reason when it can't serve this program, without the password", async () => {
    const app = await startBehindPooler("unsupported startup parameter: hunter2hunter2");
    expect(await app.ended).toBe(1);
    expect(app.output()).toBe(
      "DATABASE_URL was refused by the database: unsupported startup parameter: ….\n",
    );
  });

  it.each([
    ["is missing", "/missing/ca.crt", "ENOENT: no such file or directory, open '/missing/ca.crt'"],
    ["can't be read", "/", "EISDIR: illegal operation on a directory, read"],
  ])("is refused with a certificate file that %s", async (_, file, reason) => {
    const address = "postgresql://promo:hunter2@127.0.0.1:9/promo";
    const app = await startWarm({
      DATABASE_URL: `${address}?sslmode=verify-full&sslrootcert=${file}`,
      APP_SECRET: secret,
    });
    expect(await app.ended).toBe(1);
    expect(app.output()).toBe(`DATABASE_URL names a file that can't be read: ${reason}.\n`);
  });

  it("is refused with a direct address that leads to another database, which is left as it is", async () => {
    const [database, other] = [await cloneDatabase(), await cloneDatabase({ isEmpty: true })];
    onTestFinished(database.drop);
    onTestFinished(other.drop);
    const app = await startWarm({
      DATABASE_URL: database.url,
      DATABASE_DIRECT_URL: other.url,
      APP_SECRET: secret,
    });
    expect(await app.ended).toBe(1);
    expect(app.output()).toBe(
      "DATABASE_DIRECT_URL leads to another database than DATABASE_URL, but migrations and backups need the same one.\n",
    );
    expect(await runSql(other.url, "select to_regclass('users') as users")).toEqual([
      { users: null },
    ]);
  });

  it("is refused with a role that may not use test mode", async () => {
    const { drop, url, adminUrl } = await cloneDatabase();
    onTestFinished(drop);
    await runSql(adminUrl, "revoke usage on schema test_mode from promo_console");
    const app = await startWarm({ DATABASE_URL: url, APP_SECRET: secret });
    expect(await app.ended).toBe(1);
    expect(app.output()).toBe(
      "The role of DATABASE_URL may not use the schema test_mode: run the grants that README.md has under 'Rights' as the owner of the tables.\n",
    );
  });

  it("is waited for while the pooler before it has lost its server, also with a bare % in the password", async () => {
    const app = await startBehindPooler("server conn crashed?", "50%off-hunter2");
    await expect
      .poll(app.output, { timeout: 30_000 })
      .toContain("The database can't be reached: server conn crashed?. Trying again.\n");
    expect(await status(`${app.origin}/readyz`)).toBe(503);
  });
});

/** Starts the product behind what answers each connection as PgBouncer does, with the code of a protocol violation. */
async function startBehindPooler(reason: string, password = "hunter2hunter2") {
  const pooler = createServer((socket) => {
    const fields = `SFATAL\0C08P01\0M${reason}\0\0`;
    const message = Buffer.concat([Buffer.from("E\0\0\0\0"), Buffer.from(fields)]);
    message.writeInt32BE(message.length - 1, 1);
    socket.on("error", () => {}).once("data", () => socket.end(message));
  });
  await new Promise<void>((resolve) => pooler.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void pooler.close());
  const { port } = pooler.address() as AddressInfo;
  return startWarm({
    DATABASE_URL: `postgresql://promo:${password}@127.0.0.1:${port}/promo`,
    APP_SECRET: secret,
  });
}
