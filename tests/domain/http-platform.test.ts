import { createServer } from "node:net";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { gzipSync } from "node:zlib";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { httpPlatform } from "../../app/services/vending-platform/http-platform.server";
import { sampleMachines } from "../../migrations/seeds/sample-machines.js";
import { PlatformError } from "../../app/services/vending-platform/vending-platform";
import { reportFigures } from "../support/fault-figures";
import { noPlatform, numbered, startPlatform } from "../support/platform";
import { inSoak } from "../support/repetitions";

const platform = await startPlatform();
afterAll(() => platform.stop());
beforeEach(() => {
  Object.assign(platform, { mode: "ok", body: null, perPage: 10_000, requests: [], strayed: [] });
  platform.machines = [...sampleMachines];
});

const client = (
  url = platform.url,
  apiKey = platform.environment.SMARTVEND_API_KEY,
  timeoutMs?: number,
) => httpPlatform({ url, apiKey, timeoutMs });

async function failure(url?: string, apiKey?: string, timeoutMs?: number): Promise<string> {
  const error: unknown = await client(url, apiKey, timeoutMs)
    .listMachines()
    .catch((cause: unknown) => cause);
  expect(error).toBeInstanceOf(PlatformError);
  return (error as PlatformError).message;
}

test("reads one page, many pages, and an empty list", async () => {
  const all = await client().listMachines();
  expect(all.machines).toEqual(sampleMachines.map((machine) => ({ ...machine, lastSeen: null })));
  expect(all.badItems).toEqual({ count: 0, examples: [] });

  platform.perPage = 5;
  expect(await client().listMachines()).toEqual(all);
  expect(platform.requests.slice(1)).toEqual([1, 2, 3, 4, 5].map((n) => `/machines?page=${n}`));

  platform.mode = "empty";
  expect((await client().listMachines()).machines).toEqual([]);
});

test("the address may end in a slash and have a path or a query of its own", async () => {
  await client(`${platform.url}/`).listMachines();
  await client(`${platform.url}/?tenant=7#top`).listMachines();
  expect(platform.requests).toEqual(["/machines?page=1", "/machines?tenant=7&page=1"]);
  expect(await failure(`${platform.url}/v2/`)).toMatch(/status 404/);
  expect(platform.strayed).toEqual(["/v2/machines"]);
});

describe("what goes wrong is told by a sentence", () => {
  test.each([
    ["down", "SmartVend can't be reached."],
    ["error", "SmartVend answers with an error (status 500)."],
    ["garbage", "Invalid data format received from SmartVend."],
    ["truncated", "Invalid data format received from SmartVend."],
    ["huge", "SmartVend's list is too large."],
    ["gzip-bomb", "SmartVend's list is too large."],
    ["redirect", "SmartVend answers with a redirect (status 302), which is not followed."],
  ] as const)("%s", async (mode, sentence) => {
    platform.mode = mode;
    expect(await failure()).toBe(sentence);
    expect(platform.requests).toHaveLength(1);
  });

  test("gives up a list of one byte a second after the deadline of the whole listing", async () => {
    platform.mode = "slow";
    expect(await failure(undefined, undefined, 500)).toBe("SmartVend takes too long to answer.");
  });

  test("pages that are quick one by one, but never end in time", async () => {
    const server = await startPlatform({ machines: numbered(20) });
    server.perPage = 1;
    // The platform's own slowness is what is tried: each page takes so long, all of them too long.
    const wait = () => new Promise<void>((resolve) => setTimeout(resolve, 50));
    Object.defineProperty(server, "gate", { get: wait });
    expect(await failure(server.url, undefined, 500)).toBe("SmartVend takes too long to answer.");
    await server.stop();
  });

  test("nobody listens, nobody knows the name, another key, no HTTP at all", async () => {
    expect(await failure(noPlatform.SMARTVEND_URL)).toBe("SmartVend can't be reached.");
    const gone = await startPlatform();
    await gone.stop();
    expect(await failure(gone.url)).toBe("SmartVend can't be reached.");
    expect(await failure("http://smartvend.invalid")).toBe("SmartVend can't be reached.");
    expect(await failure(platform.url, "wrong")).toBe(
      "SmartVend doesn't accept the API key (status 401).",
    );
    const rude = createServer((socket) => {
      socket.once("data", () => socket.end("220 mail.example.com ESMTP\r\n"));
      socket.on("error", () => {});
    });
    await new Promise<void>((resolve) => rude.listen(0, "127.0.0.1", resolve));
    const { port } = rude.address() as { port: number };
    expect(await failure(`http://127.0.0.1:${port}`)).toBe(
      "Invalid data format received from SmartVend.",
    );
    rude.close();
  });

  test("pages that go round in circles, or never end", async () => {
    for (const nextPage of [1, 0, -1]) {
      platform.body = JSON.stringify({ machines: [], nextPage });
      expect(await failure()).toBe("Invalid data format received from SmartVend.");
    }
    platform.body = null;
    platform.machines = numbered(2_000);
    platform.perPage = 1;
    expect(await failure()).toMatch(/is too large|takes too long/);
  });

  test("a body that is compressed otherwise than it says", async () => {
    platform.body = gzipSync('{"machines":[]}');
    expect(await failure()).toBe("Invalid data format received from SmartVend.");
  });
});

inSoak(test)("what is slow to parse is refused before it is parsed", async () => {
  const delay = monitorEventLoopDelay({ resolution: 10 });
  delay.enable();
  for (const body of [
    `{"machines":[${"{},".repeat(1_600_000)}{}]}`,
    `{"machines":${"[".repeat(2_400_000)}${"]".repeat(2_400_000)}}`,
  ]) {
    platform.body = body;
    expect(await failure()).toBe("SmartVend's list is too large.");
  }
  platform.body = `{"machines":[${"{},".repeat(140_000)}{}]}`;
  const { machines, badItems } = await client().listMachines();
  delay.disable();
  expect(machines).toEqual([]);
  expect(badItems.count).toBe(140_001);
  expect(badItems.examples).toHaveLength(10);
  expect(badItems.examples[0]).toBe("Item 1: the serial number is missing");
  reportFigures(
    "F16",
    `lists that are slow to parse: the longest turn of the event loop took ${Math.round(delay.max / 1e6)} ms`,
  );
});
