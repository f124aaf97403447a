import { spawnSync } from "node:child_process";
import { afterAll, expect, it } from "vitest";
import { db } from "../../app/db/connection.server";
import { reportFigures } from "../support/fault-figures";
import { isSoak, repetitions } from "../support/repetitions";
import { startPlatform, type PlatformMode } from "../support/platform";
import { signInNewUser, useServer } from "../support/server";

const platform = await startPlatform();
afterAll(() => platform.stop());
const server = useServer({ environment: platform.environment });

const listMachines = () =>
  db()("machines").orderBy("id").select("serial_number", "human_name", "is_deleted");

/** `http-platform.test.ts` tries what every mode comes to. */
const modes: PlatformMode[] = isSoak
  ? ["down", "error", "garbage", "slow", "huge", "gzip-bomb", "redirect"]
  : ["down"];

it.each(modes)(
  "serves the same pages in its usual time while the platform is in the mode %s, and logs nothing",
  async (mode) => {
    const before = await listMachines();
    const reader = await signInNewUser();
    const people = await Promise.all(Array.from({ length: repetitions(2, 5) }, signInNewUser));
    const longestUntil = async (isOver: () => boolean) => {
      let longest = 0;
      do {
        const page = await server.send("/app/machines", { cookie: reader });
        expect(page.status).toBe(200);
        longest = Math.max(longest, page.duration);
      } while (!isOver());
      return Math.round(longest);
    };
    let count = 0;
    const alone = await longestUntil(() => ++count >= repetitions(5, 20));
    const output = server.output();

    platform.mode = mode;
    let isOver = false;
    const refreshing = (async () => {
      for (const cookie of people) {
        const refresh = { method: "POST", body: { returnTo: "" }, cookie };
        const { headers } = await server.send("/app/machines/refresh", refresh);
        const page = await server.send(headers.location!, { cookie });
        expect(page.body).toMatch(
          /Failed to refresh machines list: (SmartVend|Invalid data format received from SmartVend)/,
        );
      }
    })().finally(() => (isOver = true));
    const meanwhile = await longestUntil(() => isOver);
    await refreshing;
    reportFigures(
      ["down", "error", "garbage"].includes(mode) ? "F15" : "F16",
      `${mode}: longest answer ${alone} ms alone, ${meanwhile} ms meanwhile`,
    );
    expect(await listMachines()).toEqual(before);
    expect(platform.strayed).toEqual([]);
    const printed = server.output().slice(output.length).split("\n");
    expect(printed.filter((line) => line && !/"level":30/.test(line))).toEqual([]);
  },
);

it("refuses an unknown mode in one sentence", () => {
  const { status, stderr } = spawnSync(process.execPath, ["app/build-tools/dev.js"], {
    encoding: "utf8",
    env: { ...process.env, SMARTVEND_URL: "", PLATFORM_MODE: "nonsense" },
  });
  expect(status).toBe(1);
  expect(stderr).toMatch(/^PLATFORM_MODE is "nonsense", but it must be ok or down or .*\.\n$/);
});
