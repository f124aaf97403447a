import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { beforeEach, expect, it, onTestFinished, vi } from "vitest";
import { acquirePidLock, pidLockOwner } from "./pid-lock.server.js";

beforeEach(() => {
  vi.useFakeTimers();
  return () => vi.useRealTimers();
});

/** Returns the path of a lock that nobody has. */
function newLock(): string {
  const folder = mkdtempSync(path.join(tmpdir(), "promo-lock-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return path.join(folder, "lock");
}

/** The identity that a process of another container has written. */
const abandoned = "7 boot 1 in 1:2 in pid:[1]\n";

/** Returns the path of a lock that a killed process of another container has left. */
function abandonedLock(): string {
  const file = newLock();
  writeFileSync(file, abandoned);
  return file;
}

/** Acquires a lock from another container. */
async function acquireElsewhere(file: string, onLost = () => {}) {
  const lock = await acquirePidLock(file, { namespace: "pid:[2]", onLost });
  if ("release" in lock) onTestFinished(lock.release);
  return lock;
}

it("refuses a lock of another container for as long as its holder runs", async () => {
  const file = newLock();
  await acquireElsewhere(file);
  await vi.advanceTimersByTimeAsync(60_000);
  const second = acquirePidLock(file);
  await vi.advanceTimersByTimeAsync(6_000);
  expect(await second).toEqual({ owner: process.pid, isElsewhere: true });
  expect(pidLockOwner(file)).toBeNull();
});

it("takes a lock of a killed container over after 20 s, and says before that it waits", async () => {
  const file = abandonedLock();
  const onWait = vi.fn();
  const onLock = vi.fn();
  const locked = acquirePidLock(file, { onWait }).finally(onLock);
  await vi.advanceTimersByTimeAsync(19_000);
  expect([onWait, onLock].map(({ mock }) => mock.calls.length)).toEqual([1, 0]);
  await vi.advanceTimersByTimeAsync(1_000);
  const lock = await locked;
  expect(pidLockOwner(file)).toBe(process.pid);
  if ("release" in lock) lock.release();
  expect(readdirSync(path.dirname(file))).toEqual([]);
});

it("finds no owner of a lock that is not there, nor its folder", () => {
  const file = newLock();
  expect(pidLockOwner(file)).toBeNull();
  expect(pidLockOwner(path.join(path.dirname(file), "absent", "lock"))).toBeNull();
});

it("gives the lock of a killed container to one of two that wait for it", async () => {
  const file = abandonedLock();
  const both = Promise.all([acquirePidLock(file), acquireElsewhere(file)]);
  await vi.advanceTimersByTimeAsync(30_000);
  const locks = await both;
  for (const lock of locks) if ("release" in lock) onTestFinished(lock.release);
  expect(locks.filter((lock) => "release" in lock)).toHaveLength(1);
});

it("starts as soon as another container releases its lock", async () => {
  const file = newLock();
  const first = await acquireElsewhere(file);
  const second = acquirePidLock(file);
  if ("release" in first) first.release();
  await vi.advanceTimersByTimeAsync(500);
  const lock = await second;
  expect(pidLockOwner(file)).toBe(process.pid);
  if ("release" in lock) lock.release();
  expect(existsSync(file)).toBe(false);
});

it.each([
  ["another container has its lock", (file: string) => writeFileSync(file, abandoned)],
  ["its lock was deleted", (file: string) => rmSync(file)],
])("tells a holder once that %s", async (_, lose) => {
  const file = newLock();
  const onLost = vi.fn();
  await acquireElsewhere(file, onLost);
  lose(file);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(onLost).toHaveBeenCalledTimes(1);
});

it("takes a lock of a dead process of the same namespace over at once", async () => {
  const file = newLock();
  writeFileSync(file, `${process.pid} of-another-boot 1\n`);
  const lock = await acquirePidLock(file);
  expect(pidLockOwner(file)).toBe(process.pid);
  if ("release" in lock) lock.release();
});
