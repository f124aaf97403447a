import { monitorEventLoopDelay } from "node:perf_hooks";
import fc from "fast-check";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { db } from "../../app/db/connection.server";
import { DomainError } from "../../app/errors";
import { listMachines } from "../../app/features/machines/machines.server";
import {
  readHeldList,
  readPlatformState,
  readSyncAge,
} from "../../app/features/machines/platform-state.server";
import {
  consumeRefreshQuota,
  syncMachines,
} from "../../app/features/machines/sync-machines.server";
import { refreshMachines } from "../../app/features/promotions/manage-machines/machine-promotions.server";
import { httpPlatform } from "../../app/services/vending-platform/http-platform.server";
import { assign, assignmentsOf } from "../factories/assignments";
import { insertUser } from "../factories/people-and-machines";
import { insertPromotion } from "../factories/promotions";
import { countSessions } from "../support/database-sessions";
import { numbered, startPlatform, type ListedMachine } from "../support/platform";
import { reportFigures, tally } from "../support/fault-figures";
import { useDatabase } from "../support/postgres";
import { inSoak, isSoak, repetitions } from "../support/repetitions";
import { hostilePayloads } from "./hostile-payloads";

useDatabase();
const platform = await startPlatform();
afterAll(() => platform.stop());

beforeEach(async () => {
  Object.assign(platform, { mode: "ok", body: null, perPage: 10_000, maxConcurrent: 0 });
  Object.assign(platform, { requests: [], gate: Promise.resolve() });
  await forgetAll();
});

async function forgetAll() {
  await db().raw("delete from assignments");
  await db().raw("delete from machines");
  await db().raw("delete from platform_sync");
  await db().raw("insert into platform_sync default values");
}

const client = () =>
  httpPlatform({ url: platform.url, apiKey: platform.environment.SMARTVEND_API_KEY });
const sync = (options = {}) => syncMachines({ platform: client(), ...options });

async function syncList(machines: ListedMachine[]) {
  platform.machines = machines;
  return sync();
}

/** Serial number → name, or '(deleted)'. */
async function table(): Promise<Record<string, string>> {
  const rows = await db()("machines")
    .orderBy("serial_number")
    .select<{ serial_number: string; human_name: string; is_deleted: boolean }[]>();
  return Object.fromEntries(
    rows.map((row) => [row.serial_number, row.is_deleted ? "(deleted)" : row.human_name]),
  );
}

const live = async () => Object.values(await table()).filter((name) => name !== "(deleted)").length;

async function attemptedAt(): Promise<Date> {
  const { attempted_at } = await db()("platform_sync").first("attempted_at");
  return attempted_at;
}

async function promotionAt(machineId: string) {
  const promotion = await insertPromotion({ is_assigned: true });
  await assign("promotions", promotion, { machine_id: machineId });
  return promotion;
}

const conflictOf = async (promise: Promise<unknown>) => {
  const error: unknown = await promise.catch((cause: unknown) => cause);
  expect(error).toBeInstanceOf(DomainError);
  return (error as DomainError).reason;
};

describe("a list that can be read", () => {
  test("adds, renames, and writes nothing where nothing differs", async () => {
    expect(await syncList(numbered(3))).toEqual({ kind: "done", flagged: 0, held: 0 });
    const before = await db()("machines").orderBy("id").select("id", "updated_at", "created_at");
    await syncList(numbered(3));
    const versions = () => db()("machines").orderBy("id").select("id", "updated_at", "created_at");
    expect(await versions()).toEqual(before);

    await syncList([
      ...numbered(2),
      { serialNumber: "SN-00002", humanName: "Renamed", lastSeen: "2026-11-20T10:00:00+01:00" },
    ]);
    expect(await table()).toEqual({
      "SN-00000": "Machine 0",
      "SN-00001": "Machine 1",
      "SN-00002": "Renamed",
    });
    const seen = () => db()("machines").where({ serial_number: "SN-00002" }).first("last_seen_at");
    expect(await seen()).toEqual({ last_seen_at: new Date("2026-11-20T09:00:00Z") });
    // A list that says nothing about it takes nothing back.
    await syncList(numbered(3));
    expect(await seen()).toEqual({ last_seen_at: new Date("2026-11-20T09:00:00Z") });
  });

  test("F19: deleted, then back under another name: its id, assignments and history are the same", async () => {
    await syncList(numbered(10));
    const machine = await db()("machines").where({ serial_number: "SN-00007" }).first("id");
    const promotion = await promotionAt(machine.id);
    await db()("machines").where(machine).update({ last_qr_used_at: "2026-11-01T00:00:00Z" });

    expect(await syncList(numbered(7))).toEqual({ kind: "done", flagged: 3, held: 0 });
    expect((await table())["SN-00007"]).toBe("(deleted)");
    expect((await listMachines({ page: 1, perPage: 50 })).total).toBe(7);

    await syncList([...numbered(7), { serialNumber: "SN-00007", humanName: "Back again" }]);
    const back = await db()("machines").where({ serial_number: "SN-00007" }).first();
    expect(back).toMatchObject({
      id: machine.id,
      human_name: "Back again",
      is_deleted: false,
      deleted_at: null,
      last_qr_used_at: new Date("2026-11-01T00:00:00Z"),
    });
    const assigned = await assignmentsOf("promotions", promotion);
    expect(assigned).toMatchObject([{ machine_id: machine.id }]);
  });

  test("the counts follow it", async () => {
    await syncList(numbered(2));
    const [machine] = await db()("machines").orderBy("id").select("id");
    await promotionAt(machine!.id);
    expect(await refreshMachines({ platform: client() })).toMatchObject({ kind: "done" });
    const { machines } = await listMachines({ page: 1, perPage: 50 });
    expect(machines.map(({ activePromotions }) => activePromotions)).toEqual([1, 0]);
  });
});

describe("F18: a list that is much shorter", () => {
  test.each(isSoak ? [95, 80] : [80])("100 to %i: at most a fifth is flagged", async (count) => {
    await syncList(numbered(100));
    expect(await syncList(numbered(count))).toEqual({
      kind: "done",
      flagged: 100 - count,
      held: 0,
    });
    expect(await live()).toBe(count);
  });

  test.each(isSoak ? [70, 79, 1] : [79, 1])(
    "100 to %i: held, and what is new or renamed is taken",
    async (count) => {
      await syncList(numbered(100));
      const list = [...numbered(count), { serialNumber: "NEW", humanName: "New" }];
      list[0]!.humanName = "Renamed";
      expect(await syncList(list)).toEqual({ kind: "done", flagged: 0, held: 100 - count });
      expect(await live()).toBe(101);
      expect(await table()).toMatchObject({ NEW: "New", "SN-00000": "Renamed" });
      const { held } = await readPlatformState();
      expect(held).toEqual({ since: expect.any(Date), missing: 100 - count, listed: count + 1 });
    },
  );

  test.each([100, 3])("%i to 0: held, however few they are", async (count) => {
    await syncList(numbered(count));
    platform.mode = "empty";
    expect(await sync()).toEqual({ kind: "done", flagged: 0, held: count });
    expect(await live()).toBe(count);
  });

  inSoak(test)("60,000 to 0: held within a moment of the event loop", async () => {
    await db().raw(
      `insert into machines (serial_number, human_name)
       select number, number from generate_series(1, 60000) as number`,
    );
    platform.mode = "empty";
    const delay = monitorEventLoopDelay({ resolution: 10 });
    delay.enable();
    expect(await sync()).toEqual({ kind: "done", flagged: 0, held: 60_000 });
    delay.disable();
    expect(delay.max / 1e6).toBeLessThan(1_500);
  });

  test("a list of other machines altogether is held too, although there are more than before", async () => {
    await syncList(numbered(20));
    expect(await syncList(numbered(500, 1_000))).toEqual({ kind: "done", flagged: 0, held: 20 });
    expect(await live()).toBe(520);
  });

  test("is let go when the machines are listed again", async () => {
    await syncList(numbered(100));
    await syncList(numbered(50));
    await syncList(numbered(99));
    expect((await readPlatformState()).held).toBeNull();
    expect(await readHeldList()).toBeNull();
    expect(await live()).toBe(99);
  });

  test("keeps its id and moment while the same machines are missing", async () => {
    await syncList(numbered(100));
    await syncList(numbered(50));
    const first = (await readHeldList())!;
    const { held } = await readPlatformState();
    await syncList(numbered(50));
    expect(await readHeldList()).toEqual(first);
    await syncList(numbered(49));
    const second = (await readHeldList())!;
    expect(second.id).not.toBe(first.id);
    expect((await readPlatformState()).held!.since).toEqual(held!.since);
  });
});

test("machines have no age where there is no platform, until they are read", async () => {
  expect(await readSyncAge()).toBeNull();
  await sync();
  expect(await readSyncAge()).toBeLessThan(60);
});

describe("confirming a held list", () => {
  async function hold(count: number) {
    await syncList(numbered(100));
    await syncList(numbered(count));
    const actor = await insertUser();
    const held = (await readHeldList())!;
    const confirmation = { heldId: held.id, actor: { ...actor, requestId: "r" } };
    return { held, confirmation };
  }

  test("flags what was shown, and says who confirmed it", async () => {
    const { held, confirmation } = await hold(70);
    expect(held).toMatchObject({ all: 100, missing: 30, listed: 70 });
    expect(held.machines).toHaveLength(20);
    expect(held.machines[0]).toEqual({ serialNumber: "SN-00070", humanName: "Machine 70" });
    expect(await sync({ confirmation })).toEqual({ kind: "done", flagged: 30, held: 0 });
    expect(await live()).toBe(70);
    expect((await readPlatformState()).held).toBeNull();
    const [entry] = await db()("audit_log").orderBy("id", "desc").limit(1);
    expect(entry).toMatchObject({
      actor_name: confirmation.actor.email,
      action: "machine.deletion_confirmed",
      subject_type: "machine",
      covered: 30,
      request_id: "r",
    });
    expect(entry.subject_ids).toHaveLength(30);
  });

  test("has the same outcome when it is sent again, and is a conflict for somebody else", async () => {
    const { confirmation } = await hold(70);
    await sync({ confirmation });
    platform.machines = numbered(100);
    await sync();
    expect(await sync({ confirmation })).toEqual({ kind: "done", flagged: 30, held: 0 });
    expect(await live()).toBe(100);
    const other = { ...confirmation, actor: { ...(await insertUser()), requestId: "r" } };
    expect(await conflictOf(sync({ confirmation: other }))).toBe("conflict");
  });

  test("asks the platform once more: what is back stays, what is newly missing is not flagged", async () => {
    const { confirmation } = await hold(70);
    platform.machines = [...numbered(60), ...numbered(5, 90)];
    expect(await sync({ confirmation })).toEqual({ kind: "done", flagged: 25, held: 0 });
    const now = await table();
    expect(now["SN-00065"]).toBe("Machine 65");
    expect(now["SN-00075"]).toBe("(deleted)");
    expect(now["SN-00092"]).toBe("Machine 92");
    // The next list decides about those.
    expect(await sync()).toEqual({ kind: "done", flagged: 10, held: 0 });
  });

  test("is a conflict when others are missing by now, and no change when nobody answers", async () => {
    const { confirmation } = await hold(70);
    await syncList(numbered(69));
    expect(await conflictOf(sync({ confirmation }))).toBe("conflict");
    const held = (await readHeldList())!;
    platform.mode = "down";
    const again = { ...confirmation, heldId: held.id };
    expect(await sync({ confirmation: again })).toMatchObject({ kind: "failed" });
    expect(await live()).toBe(100);
    expect(await readHeldList()).toEqual(held);
  });

  test("an id that names no list confirms nothing", async () => {
    await syncList(numbered(10));
    const actor = await insertUser();
    expect(await conflictOf(sync({ confirmation: { heldId: "nonsense", actor } }))).toBe(
      "conflict",
    );
  });
});

describe("F15–F17: without a list that can be read", () => {
  test.each(["down", "garbage"] as const)(
    "%s: the last good list stays, and the state says since when",
    async (mode) => {
      await syncList(numbered(30));
      const before = await db()("machines").orderBy("id").select();
      const { succeededAt } = await readPlatformState();
      platform.mode = mode;
      expect(await sync()).toEqual({
        kind: "failed",
        message: expect.stringMatching(/^SmartVend|^Invalid data format received from SmartVend/),
      });
      const first = await readPlatformState();
      const firstAttempt = await attemptedAt();
      expect(first.failure).toEqual({
        message: expect.stringMatching(/^SmartVend|^Invalid data format received from SmartVend/),
        since: firstAttempt,
      });
      await sync();
      const second = await readPlatformState();
      expect(second.failure).toEqual(first.failure);
      expect((await attemptedAt()).getTime()).toBeGreaterThan(firstAttempt.getTime());
      expect(second.succeededAt).toEqual(succeededAt);
      expect(second.age).toBeGreaterThanOrEqual(0);
      expect(await db()("machines").orderBy("id").select()).toEqual(before);

      platform.mode = "ok";
      expect(await sync()).toMatchObject({ kind: "done" });
      expect((await readPlatformState()).failure).toBeNull();
    },
  );

  test("slow: no transaction is open meanwhile, and readers and writers don't wait", async () => {
    await syncList(numbered(30));
    let open = () => {};
    platform.gate = new Promise((resolve) => (open = resolve));
    const syncing = sync();
    await expect.poll(() => platform.requests.length).toBe(2);
    expect(await countSessions("idle in a transaction")).toBe(0);
    await db()("machines").update({ last_qr_used_at: db().fn.now() });
    open();
    expect(await syncing).toMatchObject({ kind: "done" });
  });

  test("after five failures in a row the automatic ones rest for 30 s, a person's doesn't", async () => {
    platform.mode = "error";
    for (let attempt = 0; attempt < 5; attempt++)
      expect(await sync({ isAutomatic: true })).toMatchObject({ kind: "failed" });
    expect(await sync({ isAutomatic: true })).toEqual({ kind: "paused" });
    expect(await sync()).toMatchObject({ kind: "failed" });
    expect(platform.requests).toHaveLength(6);

    await db().raw("update platform_sync set attempted_at = now() - interval '31 seconds'");
    expect(await sync({ isAutomatic: true })).toMatchObject({ kind: "failed" });
    expect(await sync({ isAutomatic: true })).toEqual({ kind: "paused" });
    platform.mode = "ok";
    expect(await sync()).toMatchObject({ kind: "done" });
    expect(await sync({ isAutomatic: true })).toMatchObject({ kind: "done" });
  });
});

describe("F20: one sync at a time", () => {
  test("50 at once: one asks, the others skip", async () => {
    let open = () => {};
    platform.gate = new Promise((resolve) => (open = resolve));
    platform.machines = numbered(5);
    const first = sync();
    await expect.poll(() => platform.requests.length).toBe(1);
    const others = await Promise.all(Array.from({ length: 49 }, () => sync()));
    expect(others).toEqual(Array.from({ length: 49 }, () => ({ kind: "busy" })));
    open();
    expect(await first).toMatchObject({ kind: "done" });
    expect(platform.requests).toHaveLength(1);
    expect(platform.maxConcurrent).toBe(1);
    expect(await sync()).toMatchObject({ kind: "done" });
  });

  test("the next one runs once the lease of a process that was killed has ended", async () => {
    platform.machines = numbered(5);
    await sync();
    const lease = (interval: string) =>
      db()("jobs").update({ is_running: true, next_attempt_at: db().raw(`now() + ${interval}`) });
    await lease("interval '30 seconds'");
    expect(await sync()).toEqual({ kind: "busy" });
    await lease("interval '0'");
    expect(await sync()).toMatchObject({ kind: "done" });
  });
});

describe("hostile payloads", () => {
  const known = numbered(12);

  test("there are 40", () => expect(Object.keys(hostilePayloads)).toHaveLength(40));

  test.each(Object.entries(hostilePayloads))("%s", async (_name, payload) => {
    await syncList(known);
    const before = await table();
    platform.body = payload.body(known);
    const outcome = await sync();
    const { expected } = payload;
    if (expected === "failed" || expected === "held") {
      expect(outcome.kind).toBe(expected === "failed" ? "failed" : "done");
      expect(outcome.kind === "done" && outcome.held > 0).toBe(expected === "held");
      expect(await table()).toEqual(before);
      return;
    }
    expect(outcome).toMatchObject({ kind: "done", held: 0 });
    expect(await table()).toEqual({ ...before, ...expected.table });
    const { badItems } = await readPlatformState();
    expect(badItems.count).toBe(expected.bad.length);
    expect(badItems.examples).toEqual(expected.bad.slice(0, 10));
  });

  const small = Object.values(hostilePayloads)
    .map(({ body }) => Buffer.from(body(known)))
    .filter((body) => body.length > 0 && body.length < 100_000);
  const change = fc.record({ at: fc.nat(), byte: fc.integer({ min: 0, max: 255 }) });
  const changes = fc.array(change, { minLength: 1, maxLength: 8 });

  test("with some bytes changed flag no more than may go, and remove nothing", async () => {
    const kinds: string[] = [];
    const property = async (body: Buffer, changed: { at: number; byte: number }[]) => {
      await forgetAll();
      platform.body = null;
      await syncList(known);
      const before = await table();
      const mutated = Buffer.from(body);
      for (const { at, byte } of changed) mutated[at % mutated.length] = byte;
      platform.body = mutated;
      const outcome = await sync();
      expect(["done", "failed"]).toContain(outcome.kind);
      kinds.push(outcome.kind);
      const now = await table();
      if (outcome.kind === "failed") expect(now).toEqual(before);
      // No more than may go without an admin's word, and nothing is ever removed.
      const gone = Object.values(now).filter((name) => name === "(deleted)").length;
      expect(gone).toBeLessThanOrEqual(5);
      expect(Object.keys(now)).toEqual(expect.arrayContaining(Object.keys(before)));
    };
    await fc.assert(fc.asyncProperty(fc.constantFrom(...small), changes, property), {
      // 32 of each payload.
      numRuns: repetitions(10, 1_280),
    });
    reportFigures("F17", `${kinds.length} with some bytes changed: ${tally(kinds)}`);
  });
});

test("a person refreshes once in 30 s, however many requests come at once", async () => {
  const [one, two] = [await insertUser(), await insertUser()];
  const waits = await Promise.all(Array.from({ length: 8 }, () => consumeRefreshQuota(one.id)));
  expect(waits.filter((seconds) => seconds === 0)).toHaveLength(1);
  for (const seconds of waits.filter((wait) => wait !== 0)) expect([29, 30]).toContain(seconds);
  expect(await consumeRefreshQuota(two.id)).toBe(0);
  await db()("rate_limits")
    .where({ key: `machines-refresh:${one.id}` })
    .update({ expire: db().raw("expire - 30000") });
  expect(await consumeRefreshQuota(one.id)).toBe(0);
  expect(await consumeRefreshQuota(one.id)).toBeGreaterThan(0);
});
