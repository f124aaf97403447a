import { execFileSync, spawn } from "node:child_process";
import { chownSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { startApp, status } from "../support/app";
import { freePort } from "../support/free-port";
import { cloneDatabase } from "../support/postgres";
import { startPooler } from "../support/pooler";
import { startRelay } from "../support/relay";

const bare = { APP_SECRET: "x".repeat(32), DEMO_PAGES: "0" };
const start = (environment: Record<string, string>) =>
  startApp({ ...bare, ...environment }, { isWarm: true });

/** An empty database, which belongs to a role that is no superuser. */
async function emptyDatabase() {
  const database = await cloneDatabase({ isEmpty: true });
  onTestFinished(() => database.drop(), 60_000);
  return database;
}

async function poolerBefore(...parameters: Parameters<typeof startPooler>) {
  const pooler = await startPooler(...parameters);
  onTestFinished(() => pooler.stop());
  return pooler;
}

it("installs itself through a pooler in session mode, for a role that is no superuser", async () => {
  const database = await emptyDatabase();
  const pooler = await poolerBefore(database.url, "session");
  const app = await start({ DATABASE_URL: pooler.url });
  await app.ready();
  expect(app.output()).toContain("First sign-in");
});

it("says what a pooler in transaction mode needs, and migrates and backs up beside it", async () => {
  const database = await emptyDatabase();
  const { url } = await poolerBefore(database.url, "transaction");
  const unaware = await start({ DATABASE_URL: url });
  expect(await unaware.ended).toBe(1);
  expect(unaware.output()).toBe(
    "DATABASE_URL leads to a pooler in transaction mode: set DATABASE_POOLING=transaction, and DATABASE_DIRECT_URL to the address of the database itself.\n",
  );

  const environment = {
    DATABASE_URL: url,
    DATABASE_POOLING: "transaction",
    DATABASE_DIRECT_URL: database.url,
  };
  const app = await start(environment);
  await app.ready();
  const folder = mkdtempSync(path.join(tmpdir(), "promo-backup-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const backup = ["app/server/backup.js", "backup", path.join(folder, "promo.backup")];
  execFileSync(process.execPath, backup, { env: { ...process.env, ...bare, ...environment } });
  expect(readdirSync(folder)).toEqual(["promo.backup"]);
});

it("waits while the server behind a pooler is away, at the start and later", async () => {
  const database = await emptyDatabase();
  const relay = await startRelay(database.url);
  relay.cut();
  const pooler = await poolerBefore(relay.url, "session");
  const app = await start({ DATABASE_URL: pooler.url });
  await expect.poll(app.output, { timeout: 30_000 }).toContain("The database can't be reached: ");
  relay.mend();
  await app.ready();
  relay.cut();
  await expect.poll(() => status(`${app.origin}/readyz`), { timeout: 30_000 }).toBe(503);
  relay.mend();
  await app.ready();
});

it("survives HAProxy, which ends connections that idle", async () => {
  const database = await emptyDatabase();
  const relay = await startRelay(database.url);
  const port = await freePort();
  const folder = mkdtempSync(path.join(tmpdir(), "promo-haproxy-"));
  const target = new URL(relay.url);
  const settings = [
    "defaults",
    "mode tcp",
    "timeout connect 2s",
    "timeout client 1s",
    "timeout server 1s",
    "listen postgres",
    `bind 127.0.0.1:${port}`,
    `server one 127.0.0.1:${target.port} check`,
  ];
  writeFileSync(path.join(folder, "settings"), `${settings.join("\n")}\n`);
  const proxy = spawn("haproxy", ["-db", "-f", path.join(folder, "settings")], { stdio: "ignore" });
  onTestFinished(() => {
    proxy.kill("SIGKILL");
    rmSync(folder, { recursive: true });
  });
  target.port = String(port);
  const app = await start({ DATABASE_URL: target.href });
  await app.ready();
  const statuses = new Set<number>();
  for (let second = 0; second < 5; second++) {
    await new Promise((resolve) => setTimeout(resolve, 1_100));
    statuses.add(await status(`${app.origin}/login`));
  }
  expect([...statuses]).toEqual([200]);
});

it("checks the certificate of the server and its name with sslmode=verify-full", async () => {
  const database = await emptyDatabase();
  const folder = makeCertificate(database.url);
  const { url } = await poolerBefore(database.url, "session", [
    "client_tls_sslmode = require",
    `client_tls_key_file = ${folder}/server.key`,
    `client_tls_cert_file = ${folder}/server.crt`,
  ]);
  const withTls = (host: string, query: string) =>
    start({ DATABASE_URL: `${url.replace("127.0.0.1", host).split("?")[0]}?${query}` });
  const verify = `sslmode=verify-full&sslrootcert=${folder}/ca.crt`;

  await (await withTls("localhost", verify)).ready();
  const refusals = [
    await withTls("127.0.0.1", verify),
    await withTls("localhost", "sslmode=verify-full"),
    await withTls("localhost", "sslmode=disable"),
  ];
  for (const app of refusals) {
    expect(await app.ended).toBe(1);
    expect(app.output()).toMatch(/^DATABASE_URL was refused by the database: [^\n]+\.\n$/);
  }
});

/** Makes an authority and a certificate of it for localhost, readable for whom the pooler runs as. */
function makeCertificate(url: string): string {
  const folder = mkdtempSync(path.join(tmpdir(), "promo-tls-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const openssl = (...words: string[]) =>
    execFileSync("openssl", words, { cwd: folder, stdio: "pipe" });
  const newKey = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];
  const subject = (name: string) => ["-subj", `/CN=${name}`];
  openssl("req", "-x509", ...newKey, ...subject("Tests"), "-keyout", "ca.key", "-out", "ca.crt");
  openssl("req", ...newKey, ...subject("localhost"), "-keyout", "server.key", "-out", "server.csr");
  writeFileSync(path.join(folder, "names"), "subjectAltName=DNS:localhost\n");
  openssl(
    ...["x509", "-req", "-in", "server.csr", "-CA", "ca.crt", "-CAkey", "ca.key"],
    ...["-CAcreateserial", "-extfile", "names", "-out", "server.crt"],
  );
  const { uid, gid } = statSync(new URL(url.replace("@/", "@host/")).searchParams.get("host")!);
  for (const file of [".", ...readdirSync(folder)]) chownSync(path.join(folder, file), uid, gid);
  return folder;
}
