import { describe, expect, it, onTestFinished, vi } from "vitest";
import * as site from "../db/site.server";
import { csvResponse, streamedFile } from "./file-response.server";

const file = { fileName: "file.txt", headers: {} };
const get = new Request("http://localhost/");

/** An endless file, which counts how many of it have begun and not ended. */
function endlessFile() {
  let running = 0;
  async function* chunks() {
    running++;
    try {
      for (;;) yield "chunk";
    } finally {
      running--;
    }
  }
  return { chunks, running: () => running };
}

describe("streamedFile", () => {
  it("makes nothing for a HEAD", async () => {
    const { chunks, running } = endlessFile();
    const request = new Request("http://localhost/", { method: "HEAD" });
    const answer = await streamedFile({ request, userId: "1" }, chunks, file);
    expect([answer.status, answer.body, running()]).toEqual([200, null, 0]);
  });

  it("lets a user have ten downloads at once, until one is cancelled or fails", async () => {
    const { chunks, running } = endlessFile();
    const start = (userId: string) => streamedFile({ request: get, userId }, chunks, file);
    const answers = await Promise.all(Array.from({ length: 10 }, () => start("2")));
    onTestFinished(async () => void (await Promise.all(answers.map(({ body }) => body?.cancel()))));
    await expect(start("2")).rejects.toMatchObject({ reason: "too_many" });
    expect(running()).toBe(10);
    answers.push(await start("3"));

    await answers.shift()!.body!.cancel();
    async function* broken(): AsyncGenerator<string> {
      yield await Promise.reject<string>(new Error("broken"));
    }
    await expect(streamedFile({ request: get, userId: "2" }, broken, file)).rejects.toThrow(
      "broken",
    );
    answers.push(await start("2"));
    await expect(start("2")).rejects.toMatchObject({ reason: "too_many" });
  });

  it("counts a download no longer when it has been read", async () => {
    async function* short() {
      yield "all of it";
    }
    for (let time = 0; time < 11; time++) {
      const answer = await streamedFile({ request: get, userId: "4" }, short, file);
      expect(await answer.text()).toBe("all of it");
    }
  });

  it("lets a user have two exports at once, beside other downloads", async () => {
    vi.spyOn(site, "siteToday").mockResolvedValue("2026-11-24");
    const { chunks } = endlessFile();
    const start = (userId: string) => csvResponse({ request: get, userId }, "list", chunks);
    const answers = [await start("5"), await start("5")];
    onTestFinished(async () => void (await Promise.all(answers.map(({ body }) => body?.cancel()))));
    await expect(start("5")).rejects.toMatchObject({
      reason: "too_many",
      message: expect.stringContaining("You have 2 exports running.") as string,
    });
    answers.push(await streamedFile({ request: get, userId: "5" }, chunks, file), await start("6"));
    await answers.shift()!.body!.cancel();
    answers.push(await start("5"));
  });
});
