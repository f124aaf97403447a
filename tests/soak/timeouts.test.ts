import { expect, it } from "vitest";
import { db, prepareStatement, queryPrepared } from "../../app/db/connection.server";
import { isDatabaseUnavailable } from "../../app/db/database-errors.server";
import { httpPlatform } from "../../app/services/vending-platform/http-platform.server";
import { startPlatform } from "../support/platform";
import { useDatabase } from "../support/postgres";

useDatabase();

/** Fails unless the work is given up as unavailable, 3 s after it has begun. */
async function expectGivenUp(work: PromiseLike<unknown>): Promise<void> {
  const started = performance.now();
  const error: unknown = await work.then(
    () => null,
    (cause: unknown) => cause,
  );
  expect(isDatabaseUnavailable(error)).toBe(true);
  expect(performance.now() - started).toBeLessThan(4_000);
}

it("gives up after 3 s when every connection of the pool is taken", async () => {
  const held = await Promise.all(Array.from({ length: 10 }, () => db().transaction()));
  await expectGivenUp(db().raw("select 1"));
  await Promise.all(held.map((transaction) => transaction.rollback()));
});

it("gives up after 3 s when every connection that machines wait for is taken", async () => {
  const sleep = prepareStatement("sleep", ["seconds"], "select pg_sleep(:seconds)");
  const busy = Array.from({ length: 8 }, () => queryPrepared(sleep, { seconds: 4 }));
  await expectGivenUp(queryPrepared(sleep, { seconds: 0 }));
  await Promise.all(busy);
});

it("gives up after 5 s when the vending platform is slow", async () => {
  const platform = await startPlatform({ mode: "slow" });
  const apiKey = platform.environment.SMARTVEND_API_KEY;
  const started = performance.now();
  await expect(httpPlatform({ url: platform.url, apiKey }).listMachines()).rejects.toThrow(
    "SmartVend takes too long to answer.",
  );
  expect(performance.now() - started).toBeGreaterThan(4_900);
  expect(performance.now() - started).toBeLessThan(7_000);
  await platform.stop();
});
