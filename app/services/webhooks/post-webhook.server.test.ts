import { expect, it, onTestFinished, vi } from "vitest";
import { webhookPoster } from "./post-webhook.server";
import { limitLookups } from "./webhook-address.server";

it("looks up no host beside one whose name server is silent, however many calls give up", async () => {
  const lookups: string[] = [];
  const resolve = limitLookups((host) => {
    lookups.push(host);
    return new Promise(() => {});
  });
  const poster = webhookPoster({ allowsPrivate: true, resolve, timeoutMs: 10 });
  const post = (host: string) =>
    poster.post({ url: `https://${host}/`, headers: {}, body: "" }, new AbortController().signal);
  for (const host of [...Array<string>(20).fill("silent.example.com"), "other.example.com"])
    await expect(post(host)).rejects.toThrow("There was no answer within 0.01 seconds.");
  expect(lookups).toEqual(["silent.example.com"]);
});

it("looks the next host up once the one before is answered, and the same host again where it failed", async () => {
  const { lookups, resolve } = limitedLookups();
  const hosts = ["unknown.example.com", "one.example.com", "one.example.com"];
  const answers = await Promise.allSettled(hosts.map(resolve));
  expect(answers.map(({ status }) => status)).toEqual(["rejected", "fulfilled", "fulfilled"]);
  await expect(resolve("unknown.example.com")).rejects.toThrow("ENOTFOUND");
  expect(lookups).toEqual(["unknown.example.com", "one.example.com", "unknown.example.com"]);
});

it("knows the addresses of a host for a minute, also while the name server of another is silent", async () => {
  const { lookups, resolve } = limitedLookups();
  const advance = fakeClock();
  await resolve("one.example.com");
  advance(60_000);
  await resolve("one.example.com");
  expect(lookups).toEqual(["one.example.com"]);
  advance(1);
  await resolve("one.example.com");
  expect(lookups).toEqual(["one.example.com", "one.example.com"]);
  void resolve("silent.example.com");
  expect(await resolve("one.example.com")).toEqual([{ address: "127.0.0.1", family: 4 }]);
});

function limitedLookups() {
  const lookups: string[] = [];
  const resolve = limitLookups(async (host) => {
    lookups.push(host);
    if (host === "unknown.example.com") throw new Error("ENOTFOUND");
    if (host === "silent.example.com") return new Promise(() => {});
    return [{ address: "127.0.0.1", family: 4 }];
  });
  return { lookups, resolve };
}

/** The cache reads the time once in a millisecond. */
function fakeClock() {
  let now = 1_000;
  vi.useFakeTimers({ toFake: ["setTimeout"] });
  const time = vi.spyOn(performance, "now").mockImplementation(() => now);
  onTestFinished(() => {
    time.mockRestore();
    vi.useRealTimers();
  });
  return (ms: number) => {
    now += ms;
    vi.advanceTimersByTime(1);
  };
}
