import { expect, it } from "vitest";
import { webhookPoster } from "./post-webhook.server";
import { limitLookups } from "./webhook-address.server";

it("looks up no host beside one whose name server is silent, however many calls give up", async () => {
  const asked: string[] = [];
  const resolve = limitLookups((host) => {
    asked.push(host);
    return new Promise(() => {});
  });
  const poster = webhookPoster({ allowsPrivate: true, resolve, timeoutMs: 10 });
  const post = (host: string) =>
    poster.post({ url: `https://${host}/`, headers: {}, body: "" }, new AbortController().signal);
  for (const host of [...Array<string>(20).fill("silent.example.com"), "other.example.com"])
    await expect(post(host)).rejects.toThrow("There was no answer within 0.01 seconds.");
  expect(asked).toEqual(["silent.example.com"]);
});

it("looks the next host up once the one before is answered, and the same host again", async () => {
  const asked: string[] = [];
  const resolve = limitLookups(async (host) => {
    asked.push(host);
    if (host === "unknown.example.com") throw new Error("ENOTFOUND");
    return [{ address: "127.0.0.1", family: 4 }];
  });
  const hosts = ["unknown.example.com", "one.example.com", "one.example.com"];
  const answers = await Promise.allSettled(hosts.map(resolve));
  expect(answers.map(({ status }) => status)).toEqual(["rejected", "fulfilled", "fulfilled"]);
  await resolve("one.example.com");
  expect(asked).toEqual(["unknown.example.com", "one.example.com", "one.example.com"]);
});
