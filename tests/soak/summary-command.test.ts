import { expect, it } from "vitest";
import { dataFolder, startApp } from "../support/app";
import { startCommand } from "../support/backups";
import { embeddedUrl } from "../support/embedded-url";
import { runSql } from "../support/run-sql";

it("checks the summary against the raw rows and builds it anew, beside the product and without it", async () => {
  const dataDir = dataFolder();
  const app = await startApp({ DATA_DIR: dataDir, SAMPLE_DATA: "1" });
  await app.ready();
  const run = async (what: string) => {
    const command = await startCommand("summary", what, { DATA_DIR: dataDir });
    return { exitCode: await command.ended, output: command.output() };
  };
  const agrees = { exitCode: 0, output: "The summary agrees with the raw rows.\n" };
  await run("rebuild");
  expect(await run("check")).toEqual(agrees);

  const changed = await runSql(
    embeddedUrl(dataDir, { isOwner: true }),
    "update daily_activity set drinks = drinks + 1 where machine_id = 0 returning 1",
  );
  expect(changed).not.toEqual([]);
  const differing = await run("check");
  expect(differing.exitCode).toBe(1);
  expect(differing.output).toMatch(
    /^daily_activity \{"day":"\d{4}-\d\d-\d\d","machine_id":0\}: summary \{"drinks":/,
  );
  expect(differing.output).toMatch(/Correct it with: npm run summary -- rebuild\n$/);

  app.signal("SIGTERM");
  expect(await app.ended).toBe(0);
  expect(await run("rebuild")).toEqual({ exitCode: 0, output: "The summary was built anew.\n" });
  expect(await run("check")).toEqual(agrees);
  expect(await run("")).toEqual({
    exitCode: 1,
    output: "Name a command: npm run summary -- check, or: rebuild\n",
  });
});
