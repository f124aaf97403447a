import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { db } from "../../app/db/connection.server";
import { recordAction } from "../../app/features/activity/audit-log.server";
import { reuseCounts, shareCount } from "../../app/features/promotions/shared-counts.server";
import { useDatabase } from "../support/postgres";

useDatabase();

let key = "";
let counts = 0;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["performance"] });
  reuseCounts(9);
  key = `codes ${Math.random()}`;
  counts = 0;
});

afterEach(() => {
  reuseCounts(0);
  vi.useRealTimers();
});

/** A count that takes 100 ms. */
const count = () =>
  shareCount(key, async () => {
    counts += 1;
    vi.advanceTimersByTime(100);
    return counts;
  });

test("a count serves for nine times as long as it took", async () => {
  expect(await count()).toBe(1);
  vi.advanceTimersByTime(900);
  expect(await count()).toBe(1);
  vi.advanceTimersByTime(1);
  expect(await count()).toBe(2);
});

test("a count serves for 30 seconds at most", async () => {
  const long = () =>
    shareCount(key, async () => {
      counts += 1;
      vi.advanceTimersByTime(10_000);
      return counts;
    });
  expect(await long()).toBe(1);
  vi.advanceTimersByTime(30_001);
  expect(await long()).toBe(2);
});

test("all who ask while it runs share one count", async () => {
  expect(await Promise.all([count(), count(), count()])).toEqual([1, 1, 1]);
});

test("what somebody did is counted at once", async () => {
  expect(await count()).toBe(1);
  await recordAction(db(), { id: "1", email: "admin@example.com" }, "promotion.created", "1");
  expect(await count()).toBe(2);
});

test("a count that failed is made again", async () => {
  const failing = shareCount(key, () => Promise.reject(new Error("no answer")));
  await expect(failing).rejects.toThrow("no answer");
  expect(await count()).toBe(1);
});
