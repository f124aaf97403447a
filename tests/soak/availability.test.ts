import { createServer, request as sendOn, Agent } from "node:http";
import { connect, type AddressInfo } from "node:net";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { setTimeout as delay } from "node:timers/promises";
import { expect, it, onTestFinished } from "vitest";
import { insertRedeemable, makeKey, request } from "../factories/redemptions";
import { assertInvariants } from "../support/invariants";
import { dataFolder, startApp, status } from "../support/app";
import { percentile, reportFigures, seconds } from "../support/fault-figures";
import { freePort } from "../support/free-port";
import { testSecret } from "../support/app-secret";
import { openClone } from "../support/postgres";
import { startRelay } from "../support/relay";
import { redeemAt, send, signInNewUser } from "../support/server";

/** The default beside an existing database. */
const drainSeconds = 5;

/** Attacks and faults under load, against the product with its own limits. */
async function openDatabase() {
  const { url, close } = await openClone();
  onTestFinished(close);
  return { url, environment: { APP_SECRET: testSecret, DATA_DIR: dataFolder() } };
}

it("keeps vending and serving while one client holds as many slow requests as it can", async () => {
  const { url, environment } = await openDatabase();
  const app = await startApp({ ...environment, DATABASE_URL: url, TRUST_PROXY: "1" });
  await app.ready();
  const { secret } = await makeKey();
  const target = await insertRedeemable();
  const { host, port } = new URL(app.origin);

  let isAttacking = true;
  const slowRequest = async (path: string) => {
    while (isAttacking) {
      const socket = connect(Number(port), "127.0.0.1").on("error", () => {});
      socket
        .resume()
        .write(
          `POST ${path} HTTP/1.1\r\nHost: ${host}\r\nOrigin: ${app.origin}\r\nX-Forwarded-For: 6.6.6.6\r\n` +
            "Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n{",
        );
      const closed = new Promise((resolve) => socket.once("close", resolve));
      while (isAttacking && !socket.closed) await Promise.race([closed, delay(250)]);
      socket.destroy();
    }
  };
  const attack = Array.from({ length: 150 }, (_, index) =>
    slowRequest(index % 2 ? "/api/redemptions" : "/login"),
  );
  const redemptions: number[] = [];
  const pages: number[] = [];
  for (const end = performance.now() + 15_000; performance.now() < end;) {
    const [redemption, page] = await Promise.all([
      redeemAt(app.origin, secret, request(target)),
      send(app.origin, "/login"),
    ]);
    expect([redemption.status, page.status]).toEqual([201, 200]);
    redemptions.push(redemption.duration);
    pages.push(page.duration);
  }
  isAttacking = false;
  await Promise.all(attack);
  await assertInvariants();
  console.log(
    `${redemptions.length} redemptions, p99 ${percentile(redemptions, 0.99).toFixed(0)} ms; /login at most ${Math.max(...pages).toFixed(0)} ms`,
  );
  expect(percentile(redemptions, 0.99)).toBeLessThan(150);
  expect(Math.max(...pages)).toBeLessThan(1_000);
});

it("says within its bounds that the database hangs, and goes on when it answers again", async () => {
  const { url, environment } = await openDatabase();
  const relay = await startRelay(url);
  const app = await startApp({ ...environment, DATABASE_URL: relay.url });
  await app.ready();
  const { secret } = await makeKey();
  const target = await insertRedeemable();
  const cookie = await signInNewUser();
  const askForAll = () =>
    Promise.all([
      send(app.origin, "/readyz"),
      send(app.origin, "/app/qr-list", { cookie }),
      send(app.origin, "/app/qr-list/export.csv", { cookie }),
      redeemAt(app.origin, secret, request(target)),
    ]);
  const rounds = 20;
  let [longest, longestReturn] = [0, 0];
  for (let round = 0; round < rounds; round++) {
    const before = await askForAll();
    expect(before.map((answer) => answer.status)).toEqual([200, 200, 200, 201]);
    relay.hang();
    const during = await askForAll();
    expect(during.map((answer) => answer.status)).toEqual([503, 503, 503, 503]);
    expect(during[0].duration).toBeLessThan(2_000);
    for (const answer of during) expect(answer.duration).toBeLessThan(4_000);
    longest = Math.max(longest, ...during.map(({ duration }) => duration));
    relay.resume();
    const resumed = performance.now();
    await expect.poll(() => status(`${app.origin}/readyz`), { timeout: 10_000 }).toBe(200);
    longestReturn = Math.max(longestReturn, performance.now() - resumed);
  }
  await assertInvariants();
  reportFigures(
    "F4",
    `hung ${rounds} times: 503 within ${seconds(longest)}, ready again within ${seconds(longestReturn)}`,
  );
}, 300_000);

it("lives through a minute without its database, and knows its sessions after it", async () => {
  const { url, environment } = await openDatabase();
  const relay = await startRelay(url);
  const app = await startApp({ ...environment, DATABASE_URL: relay.url });
  await app.ready();
  const cookie = await signInNewUser();
  const statuses = () =>
    Promise.all([
      status(`${app.origin}/healthz`),
      status(`${app.origin}/readyz`),
      send(app.origin, "/app/qr-list", { cookie }).then((answer) => answer.status),
    ]);
  expect(await statuses()).toEqual([200, 200, 200]);

  relay.close();
  const closed = performance.now();
  let asked = 0;
  for (; performance.now() - closed < 60_000; asked++) {
    expect(await statuses()).toEqual([200, 503, 503]);
    await delay(1_000);
  }
  const away = performance.now() - closed;
  await relay.listen();
  const listening = performance.now();
  await expect.poll(statuses, { timeout: 10_000, interval: 50 }).toEqual([200, 200, 200]);
  reportFigures(
    "F4",
    `away for ${seconds(away)}: ${asked} times alive and 503, the session's page after ${seconds(performance.now() - listening)}`,
  );
}, 180_000);

it("fails no request of 10,000 when two instances behind a proxy are restarted in turn", async () => {
  const { url, environment } = await openDatabase();
  const ports = [await freePort(), await freePort()];
  const origin = "http://localhost";
  const start = async (index: number) => {
    const app = await startApp({
      ...environment,
      DATABASE_URL: url,
      PORT: String(ports[index]),
      APP_ORIGIN: origin,
      TRUST_PROXY: "1",
      DRAIN_SECONDS: String(drainSeconds),
    });
    await app.ready();
    return app;
  };
  const apps = [await start(0), await start(1)];
  const { secret } = await makeKey();
  const target = await insertRedeemable();
  const proxy = await startProxy(ports);

  let answered = 0;
  let isDone = false;
  const failures: unknown[] = [];
  const worker = async (index: number) => {
    while (!isDone || answered < 10_000) {
      const answer = await (
        index % 2
          ? redeemAt(proxy.origin, secret, request(target))
          : send(proxy.origin, "/login", { headers: { Host: "localhost" } })
      ).catch((error: unknown) => ({ status: 0, error }));
      answered++;
      if (![200, 201].includes(answer.status)) failures.push(answer);
    }
  };
  const workers = [0, 1, 2, 3].map(worker);
  for (const index of [0, 1]) {
    apps[index]!.signal("SIGTERM");
    expect(await apps[index]!.ended).toBe(0);
    apps[index] = await start(index);
    await delay(1_000);
  }
  isDone = true;
  await Promise.all(workers);
  reportFigures(
    "F29",
    `two instances restarted in turn: ${answered} requests, ${failures.length} failed; ` +
      `the proxy stood still for at most ${proxy.stallMs().toFixed(0)} ms`,
  );
  // A proxy that stands still for longer than the drain can't know of it, and finds nobody.
  expect(proxy.stallMs()).toBeLessThan(drainSeconds * 1_000);
  expect(failures).toEqual([]);
  expect(answered).toBeGreaterThanOrEqual(10_000);
  await assertInvariants();
}, 600_000);

/** Sends requests in turn to the instances whose /readyz answers 200, over connections that it keeps. */
async function startProxy(ports: number[]): Promise<{ origin: string; stallMs: () => number }> {
  const agent = new Agent({ keepAlive: true });
  const ready = new Set(ports);
  let isRunning = true;
  // Each instance is asked by itself, so that a slow answer of one says nothing about the other.
  const watch = async (port: number) => {
    for (; isRunning; await delay(200)) {
      if ((await status(`http://localhost:${port}/readyz`)) === 200) ready.add(port);
      else ready.delete(port);
    }
  };
  const watching = ports.map(watch);
  const eventLoop = monitorEventLoopDelay();
  eventLoop.enable();
  let turn = 0;
  const server = createServer((incoming, outgoing) => {
    // All are tried while none is ready, as real proxies do.
    const choice = ready.size > 0 ? [...ready] : ports;
    const port = choice[turn++ % choice.length];
    const upstream = sendOn(
      {
        port,
        agent,
        method: incoming.method,
        path: incoming.url,
        headers: { ...incoming.headers, host: "localhost", "x-forwarded-for": "9.9.9.9" },
      },
      (answer) => {
        outgoing.writeHead(answer.statusCode!, { "x-request-id": answer.headers["x-request-id"] });
        answer.pipe(outgoing);
      },
    );
    upstream.on("error", (error) => outgoing.writeHead(502).end(`${error.message}, port ${port}`));
    incoming.pipe(upstream);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(async () => {
    isRunning = false;
    await Promise.all(watching);
    agent.destroy();
    server.close();
  });
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stallMs: () => eventLoop.max / 1e6,
  };
}
