import { once } from "node:events";
import { get, request, type IncomingMessage } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import { beforeAll, expect, it } from "vitest";
import { db } from "../../app/db/connection.server";
import { megabytes, reportFigures, seconds } from "../support/fault-figures";
import { issueTokenOf, useServer } from "../support/server";

/** Clients that leave or fall asleep while a mass generation is made for them. */
const server = useServer();
const megabyte = 1024 * 1024;
const body = { name: "Read", num_codes: 100_000, discount_type: "percentage", discount_value: 10 };
let headers: Record<string, string>;
let archive = "";
let size = 0;

beforeAll(async () => {
  headers = {
    Authorization: `Bearer ${await issueTokenOf()}`,
    "Content-Type": "application/json",
  };
  const answer = await generate();
  archive = server.origin + answer.headers["content-location"]!;
  size = Number(answer.headers["content-length"]);
  answer.destroy();
});

function generate(signal?: AbortSignal): Promise<IncomingMessage> {
  const address = `${server.origin}/api/generate_codes`;
  return new Promise((resolve, reject) => {
    request(address, { method: "POST", headers, agent: false, signal }, resolve)
      .once("error", reject)
      .end(JSON.stringify(body));
  });
}

function open(): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    get(archive, { headers, agent: false }, resolve).once("error", reject);
  });
}

/** Tells whether the server still works: its CPU seconds, and the running queries. */
async function isBusy(): Promise<boolean> {
  const before = await server.cpuSeconds();
  await pause(300);
  const { rows } = await db().raw<{ rows: object[] }>(
    `select 1 from pg_stat_activity
     where datname = current_database() and state <> 'idle' and pid <> pg_backend_pid()`,
  );
  return rows.length > 0 || (await server.cpuSeconds()) - before > 0.1;
}

it("stops for readers who hang up, and keeps nothing of theirs", async () => {
  const idle = await server.residentBytes();
  await Promise.all(
    Array.from({ length: 20 }, async () => {
      const answer = await open();
      await once(answer, "readable");
      answer.destroy();
    }),
  );
  const hungUp = performance.now();
  // To draw all of it would take many times as long.
  await expect.poll(isBusy, { timeout: 30_000 }).toBe(false);
  const ended = performance.now() - hungUp;
  const grown = (await server.residentBytes()) - idle;
  expect(grown).toBeLessThan(30 * megabyte);
  expect(server.output()).not.toMatch(/"level":(50|60)/);
  reportFigures(
    "F9",
    `20 readers of a ZIP of ${body.num_codes} codes hang up: idle within ${seconds(ended)}, ${megabytes(grown)} more`,
  );
});

it("waits for a reader who falls asleep, and goes on when he wakes", async () => {
  const idle = await server.residentBytes();
  const answer = await open();
  await expect.poll(isBusy).toBe(false);
  const grown = (await server.residentBytes()) - idle;
  expect(grown).toBeLessThan(50 * megabyte);
  let bytes = 0;
  for await (const chunk of answer) bytes += (chunk as Buffer).length;
  expect(bytes).toBe(size);
  reportFigures(
    "F10",
    `${megabytes(grown)} more while a reader sleeps, then all ${megabytes(bytes)}`,
  );
});

it("creates nothing for a client that leaves before all codes are in", async () => {
  const count = async () => (await db()("mass_generations").count<{ count: string }[]>())[0]!.count;
  const before = await count();
  const leaving = new AbortController();
  const generating = generate(leaving.signal);
  await expect.poll(isInserting, { interval: 5 }).toBe(true);
  leaving.abort();
  await expect(generating).rejects.toThrow("aborted");
  await expect.poll(isInserting, { timeout: 30_000 }).toBe(false);
  expect(await count()).toBe(before);
});

async function isInserting(): Promise<boolean> {
  const { rows } = await db().raw<{ rows: object[] }>(
    `select 1 from pg_stat_activity
     where datname = current_database() and xact_start is not null
       and query like 'insert into promotions%' and pid <> pg_backend_pid()`,
  );
  return rows.length > 0;
}
