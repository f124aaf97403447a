import { spawn } from "node:child_process";
import { chownSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { Pooling } from "../../app/db/database-client.server";
import { freePort } from "./free-port";

/** The mode of the pooler before the test database, if `npm run cluster` asks for one. */
export const testPooling = process.env.TEST_POOLING as Pooling | undefined;

const nobody = { uid: 65_534, gid: 65_534 };

/**
 * Starts Debian's PgBouncer before a server, on a free port of the loopback interface.
 * @param url of any database there, with the role and password of all clients
 * @param more further lines of its settings
 * @returns the address of the same database through it
 */
export async function startPooler(url: string, pooling: Pooling, more: readonly string[] = []) {
  const target = new URL(url.replace("@/", "@127.0.0.1/"));
  const socketFolder = target.searchParams.get("host");
  // PgBouncer refuses to run as root, and only its owner may reach a socket.
  const { uid, gid } = socketFolder === null ? nobody : statSync(socketFolder);
  const folder = mkdtempSync(path.join(tmpdir(), "promo-pooler-"));
  const port = await freePort();
  const settings = [
    "[databases]",
    `* = host=${socketFolder ?? target.hostname} port=${target.port || 5432}`,
    "[pgbouncer]",
    `listen_addr = 127.0.0.1`,
    `listen_port = ${port}`,
    "unix_socket_dir =",
    "auth_type = scram-sha-256",
    `auth_file = ${path.join(folder, "users")}`,
    `pool_mode = ${pooling}`,
    "max_client_conn = 2000",
    // In session mode each client needs one; 20 is usual, and fewer than the product and its test have clients.
    `default_pool_size = ${pooling === "session" ? 80 : 20}`,
    // Databases of tests are cloned and dropped all the time.
    "server_login_retry = 0.1",
    ...more,
  ];
  const users = `"${target.username}" "${decodeURIComponent(target.password)}"\n`;
  writeFileSync(path.join(folder, "users"), users, { mode: 0o600 });
  writeFileSync(path.join(folder, "settings"), `${settings.join("\n")}\n`);
  for (const file of ["", "users", "settings"]) chownSync(path.join(folder, file), uid, gid);
  const child = spawn("pgbouncer", ["-q", path.join(folder, "settings")], {
    stdio: ["ignore", "ignore", "pipe"],
    uid,
    gid,
  });
  let output = "";
  child.stderr.on("data", (chunk: Buffer) => (output = (output + chunk.toString()).slice(-10_000)));
  let failure: Error | null = null;
  child.once("error", (error) => (failure = error));
  const ended = new Promise<void>((resolve) => child.once("close", () => resolve()));
  target.port = String(port);
  target.search = "";

  while (!(await isListening(port))) {
    if (failure !== null || child.exitCode !== null)
      throw new Error(`PgBouncer did not start: ${failure ?? output} (apt-get install pgbouncer)`);
    await delay(50);
  }
  return {
    url: target.href,
    output: () => output,
    async stop() {
      child.kill("SIGKILL");
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1", () => resolve(true)).once("error", () =>
      resolve(false),
    );
    socket.once("connect", () => socket.destroy());
  });
}
