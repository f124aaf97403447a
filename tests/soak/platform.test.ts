import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { connect, db, disconnect } from "../../app/db/connection.server";
import { startApp, type RunningApp } from "../support/app";
import { testSecret } from "../support/app-secret";
import { startPlatform, type TestPlatform } from "../support/platform";
import { reportFigures, seconds } from "../support/fault-figures";
import { cloneDatabase } from "../support/postgres";
import { send, signInNewUser } from "../support/server";

/** Two instances on one database, and a platform that does its worst. */
let platform: TestPlatform;
let url = "";
let drop = async () => {};

beforeAll(async () => {
  platform = await startPlatform();
  const clone = await cloneDatabase();
  ({ url, drop } = clone);
  connect(url);
});
beforeEach(() => {
  Object.assign(platform, { mode: "ok", body: null, gate: Promise.resolve(), requests: [] });
  platform.maxConcurrent = 0;
});
afterAll(async () => {
  await disconnect();
  await drop();
  await platform.stop();
});

async function startInstance(): Promise<RunningApp> {
  const app = await startApp({
    DATABASE_URL: url,
    APP_SECRET: testSecret,
    ...platform.environment,
  });
  await app.ready();
  return app;
}

const refresh = ({ origin }: RunningApp, cookie: string) =>
  send(origin, "/app/machines/refresh", { method: "POST", body: { returnTo: "" }, cookie });

/** Reads the message that the redirect carries. */
async function messageAt(location: string | undefined): Promise<string> {
  const id = new URLSearchParams(location?.split("?")[1]).get("flash");
  const { message } = await db()("flash_messages").where({ id }).first<{ message: string }>();
  return message;
}

/** Waits for the first list and until no lease of a sync is left, not even of an instance that was killed. */
const firstSync = () =>
  expect
    .poll(
      () =>
        db()("platform_sync")
          .whereNotNull("attempted_at")
          .whereRaw(
            "not exists (select from jobs where kind = 'machine_sync' and is_running and next_attempt_at > now())",
          )
          .first(),
      { timeout: 60_000 },
    )
    .toBeTruthy();

describe("two instances", () => {
  it("asks the platform once for 50 refreshes at once", async () => {
    const instances = [await startInstance(), await startInstance()];
    await firstSync();
    const people = await Promise.all(Array.from({ length: 50 }, signInNewUser));
    let open = () => {};
    platform.gate = new Promise((resolve) => (open = resolve));
    const asked = platform.requests.length;
    const answers = people.map((cookie, index) => refresh(instances[index % 2]!, cookie));
    // All but the one that waits for the platform are answered without it.
    const locations: (string | undefined)[] = [];
    for (const answer of answers)
      void answer.then(({ headers }) => locations.push(headers.location));
    await expect.poll(() => locations.length, { timeout: 20_000 }).toBeGreaterThanOrEqual(49);
    expect(platform.requests.length - asked).toBeLessThanOrEqual(1);
    open();
    for (const { status } of await Promise.all(answers)) expect(status).toBe(303);
    expect(platform.maxConcurrent).toBe(1);
    const texts = await Promise.all(locations.map(messageAt));
    const busy = "The machines are already being refreshed. Check again in a few seconds.";
    const busyCount = texts.filter((text) => text === busy).length;
    expect(busyCount).toBeGreaterThanOrEqual(49);
    expect(await db()("machines").pluck("id")).toHaveLength(24);
    reportFigures(
      "F20",
      `${people.length} refreshes at once on ${instances.length} instances: ${busyCount} heard that one runs, ` +
        `${platform.requests.length - asked} request, ${platform.maxConcurrent} at a time`,
    );
  });

  it("lets the other instance refresh within a minute after one is killed while it asks", async () => {
    const [first, second] = [await startInstance(), await startInstance()];
    await firstSync();
    platform.gate = new Promise(() => {});
    const asked = platform.requests.length;
    const lost = refresh(first, await signInNewUser()).catch(() => null);
    await expect.poll(() => platform.requests.length).toBeGreaterThan(asked);
    first.signal("SIGKILL");
    const killed = performance.now();
    await lost;
    platform.gate = Promise.resolve();
    await expect
      .poll(
        async () => messageAt((await refresh(second, await signInNewUser())).headers.location),
        {
          timeout: 60_000,
          interval: 2_000,
        },
      )
      .toBe("Data refreshed successfully");
    reportFigures(
      "F20",
      `the instance that asks is killed: the other refreshes after ${seconds(performance.now() - killed)}`,
    );
  });
});
