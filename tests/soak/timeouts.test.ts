import { expect, it } from "vitest";
import {
  db,
  prepareStatement,
  preparedConnections,
  queryPrepared,
} from "../../app/db/connection.server";
import { isDatabaseUnavailable } from "../../app/db/database-errors.server";
import { httpPlatform } from "../../app/services/vending-platform/http-platform.server";
import { reportFigures, seconds } from "../support/fault-figures";
import { startPlatform } from "../support/platform";
import { useDatabase } from "../support/postgres";

useDatabase();

/** Fails unless the work is given up as unavailable, 3 s after it has begun. @returns the time in ms that it took */
async function expectGivenUp(work: PromiseLike<unknown>): Promise<number> {
  const started = performance.now();
  const error: unknown = await work.then(
    () => null,
    (cause: unknown) => cause,
  );
  expect(isDatabaseUnavailable(error)).toBe(true);
  const duration = performance.now() - started;
  expect(duration).toBeLessThan(4_000);
  return duration;
}

it("gives up after 3 s when every connection of the pool is taken", async () => {
  const held = await Promise.all(Array.from({ length: 10 }, () => db().transaction()));
  const duration = await expectGivenUp(db().raw("select 1"));
  reportFigures("F6", `${held.length} connections taken: given up after ${seconds(duration)}`);
  await Promise.all(held.map((transaction) => transaction.rollback()));
});

it("gives up after 3 s when every connection that machines wait for is taken", async () => {
  const sleep = prepareStatement("sleep", ["seconds"], "select pg_sleep(:seconds)");
  const busy = Array.from({ length: preparedConnections }, () =>
    queryPrepared(sleep, { seconds: 4 }),
  );
  const duration = await expectGivenUp(queryPrepared(sleep, { seconds: 0 }));
  reportFigures("F6", `${busy.length} of machines taken: given up after ${seconds(duration)}`);
  await Promise.all(busy);
});

it("gives up after 5 s when the vending platform is slow", async () => {
  const platform = await startPlatform({ mode: "slow" });
  const apiKey = platform.environment.SMARTVEND_API_KEY;
  const started = performance.now();
  await expect(httpPlatform({ url: platform.url, apiKey }).listMachines()).rejects.toThrow(
    "SmartVend takes too long to answer.",
  );
  const duration = performance.now() - started;
  expect(duration).toBeGreaterThan(4_900);
  expect(duration).toBeLessThan(7_000);
  reportFigures("F16", `a list of one byte a second: given up after ${seconds(duration)}`);
  await platform.stop();
});
