import { execFile } from "node:child_process";
import { appendFileSync, cpSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { vi } from "vitest";
import { status } from "../support/app";
import { startArguments } from "../support/start-arguments.js";
import { testSecret } from "../support/app-secret";
import { freePort } from "../support/free-port";
import { noPlatform } from "../support/platform";
import type { DatabaseCluster } from "./database";
import type { Service, Services } from "./services";

export const admin = { email: "admin@example.com", password: "a password of the tests" };

/** Names in `haproxy-console.cfg`. */
const names = ["one", "two", "three"];

type Instance = { origin: string; service: Service; ready: () => Promise<void> };

/** Starts three instances of a release, and HAProxy before them. */
export async function startConsole(services: Services, database: DatabaseCluster, release: string) {
  const ports = [await freePort(), await freePort(), await freePort()];
  const port = await freePort();
  const origin = `http://localhost:${port}`;
  const file = services.configure("console-proxy", "haproxy-console.cfg", {
    PORT: port,
    ...Object.fromEntries(
      names.map((name, index) => [`${name.toUpperCase()}_PORT`, ports[index]!]),
    ),
  });
  const proxy = services.define({ name: "console-proxy", command: ["haproxy", "-db", "-f", file] });
  const make = (index: number, folder: string): Instance => {
    const name = `console-${names[index]}`;
    const environment = {
      PORT: String(ports[index]),
      APP_ORIGIN: origin,
      APP_SECRET: testSecret,
      DATABASE_URL: database.url,
      DATABASE_POOLING: "transaction",
      DATABASE_DIRECT_URL: database.directUrl,
      DATA_DIR: path.join(services.folder, name),
      TRUST_PROXY: "1",
      ADMIN_EMAIL: admin.email,
      ADMIN_PASSWORD: admin.password,
      ...noPlatform,
    };
    const command: [string, ...string[]] = [process.execPath, ...startArguments];
    const own = `http://127.0.0.1:${ports[index]}`;
    return {
      origin: own,
      service: services.define({ name, command, env: environment, cwd: folder }),
      ready: () => isReady(own),
    };
  };
  const instances = names.map((_name, index) => make(index, release));
  for (const { service } of instances) service.start();
  proxy.start();
  await Promise.all(instances.map(({ ready }) => ready()));
  await isReady(origin);
  return {
    origin,
    instances,
    /** Replaces an instance by one of another release. */
    async replace(index: number, folder: string): Promise<number | null> {
      const { service } = instances[index]!;
      service.signal("SIGTERM");
      const exitCode = await service.ended();
      instances[index] = make(index, folder);
      instances[index].service.start();
      await instances[index].ready();
      return exitCode;
    },
  };
}

const isReady = (origin: string) =>
  vi.waitFor(
    async () => {
      if ((await status(`${origin}/readyz`)) !== 200) throw new Error(`${origin} is not ready`);
    },
    { timeout: 120_000, interval: 100 },
  );

/** Files and folders of a release; packages are shared. */
const parts = [
  "app",
  "build",
  "migrations",
  "public",
  "styles",
  "package.json",
  "package-lock.json",
  "remix.config.js",
  "tsconfig.json",
  "vite.config.ts",
];

/** Copies the project with its build. @returns the folder */
export function copyRelease(services: Services, name: string): string {
  const folder = path.join(services.folder, name);
  mkdirSync(folder);
  for (const part of parts)
    cpSync(path.resolve(part), path.join(folder, part), { recursive: true });
  symlinkSync(path.resolve("node_modules"), path.join(folder, "node_modules"));
  return folder;
}

/** Copies the project with one more migration and with scripts of its own, and builds it. */
export async function buildNextRelease(services: Services, name: string): Promise<string> {
  const folder = copyRelease(services, name);
  writeFileSync(
    path.join(folder, "migrations/9999-release-note.js"),
    `/** @param {import("knex").Knex} knex */
export const up = (knex) => knex.raw("alter table site_settings add column release_note text");
`,
  );
  appendFileSync(
    path.join(folder, "app/entry.client.tsx"),
    'document.documentElement.dataset.release = "next";\n',
  );
  await promisify(execFile)(process.execPath, ["app/build-tools/build.js"], { cwd: folder });
  return folder;
}
