import { beforeEach, describe, expect, it, vi } from "vitest";
import { db } from "../../app/db/connection.server";
import { claimJobs, settleJobs } from "../../app/db/job-claims.server";
import { runAsJob, runDueJobs, startJobs, wakeJobs } from "../../app/db/job-runner.server";
import { addJob, jobsTable, repeatedJob, type Job, type JobKind } from "../../app/db/jobs.server";
import { useDatabase } from "../support/postgres";

useDatabase();
beforeEach(async () => {
  await db()("jobs").delete();
  await db()("site_settings").update({ is_outgoing_paused: false });
});

type Run = (subject: string, signal: AbortSignal) => ReturnType<JobKind<Job>["run"]>;

/** A table with one kind of jobs, and what they are called as they run. */
function arrange(run: Run = async () => {}, more: Partial<JobKind<Job>> = {}) {
  const runs: string[] = [];
  const table = jobsTable({
    test: {
      concurrencyLimit: 2,
      ...more,
      run: (job, signal) => {
        runs.push(job.subject);
        return run(job.subject, signal);
      },
    },
  });
  return { table, runs };
}

const add = (...subjects: string[]) =>
  Promise.all(subjects.map((subject) => addJob(db(), { kind: "test", subject })));
type Row = {
  state: string;
  attempts: number;
  is_running: boolean;
  last_error: string;
  waits: number;
};
const rows = (): Promise<Row[]> =>
  db()("jobs")
    .select("*", db().raw("extract(epoch from next_attempt_at - now())::float as waits"))
    .orderBy("subject");
const makeDue = () => db()("jobs").update({ next_attempt_at: db().fn.now() });
const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

describe("a job", () => {
  it("exists exactly if its cause was committed, and once for each subject", async () => {
    const { table, runs } = arrange();
    const cause = db().transaction(async (trx) => {
      await addJob(trx, { kind: "test", subject: "undone" });
      throw new Error("undone");
    });
    await expect(cause).rejects.toThrow("undone");
    await add("a", "a", "b");
    await runDueJobs(table);
    expect(runs.sort()).toEqual(["a", "b"]);
    expect(await rows()).toMatchObject([{ state: "done" }, { state: "done" }]);
  });

  it("runs again if it is added while it runs", async () => {
    let isFirst = true;
    const { table, runs } = arrange(async (subject) => {
      if (isFirst) await add(subject);
      isFirst = false;
    });
    await add("a");
    await runDueJobs(table);
    expect(runs).toEqual(["a", "a"]);
    expect(await rows()).toMatchObject([{ state: "done", is_running: false }]);
  });

  it("that throws is reported, waits longer each time, and runs until it succeeds", async () => {
    let failures = 2;
    const { table, runs } = arrange(async () => {
      if (failures-- > 0) throw new Error("no luck");
    });
    await add("a");
    await expect(runDueJobs(table)).rejects.toThrow("no luck");
    const [first] = await rows();
    expect(first).toMatchObject({ state: "pending", attempts: 1, is_running: false });
    expect(first!.last_error).toBe("This job failed. The log says why.");
    expect(first!.waits).toBeGreaterThan(4);
    await makeDue();
    await expect(runDueJobs(table)).rejects.toThrow("no luck");
    expect((await rows())[0]!.waits).toBeGreaterThan(9);
    await makeDue();
    await runDueJobs(table);
    expect(runs).toHaveLength(3);
    expect(await rows()).toMatchObject([{ state: "done", attempts: 3, last_error: null }]);
  });

  it("that is to be repeated has failed once its time is over", async () => {
    const { table } = arrange(async () => ({ state: "retry", error: "Not now." }));
    await add("a");
    await db()("jobs").update({ give_up_at: db().fn.now() });
    await runDueJobs(table);
    expect(await rows()).toMatchObject([{ state: "failed", last_error: "Not now." }]);
  });

  it("that sends messages waits while they are paused", async () => {
    const { table, runs } = arrange(undefined, { isOutgoing: true });
    await db()("site_settings").update({ is_outgoing_paused: true });
    await add("a");
    await runDueJobs(table);
    expect(runs).toEqual([]);
    await db()("site_settings").update({ is_outgoing_paused: false });
    await runDueJobs(table);
    expect(runs).toEqual(["a"]);
  });
});

describe("a lease", () => {
  it("ends within 60 s after a kill, and drops the late result of whoever lost it", async () => {
    const { table } = arrange();
    await add("a");
    const [lost] = await claimJobs(table);
    expect(await claimJobs(table)).toEqual([]);
    const [claimed] = await rows();
    expect(claimed).toMatchObject({ is_running: true });
    expect(claimed!.waits).toBeGreaterThan(15);
    expect(claimed!.waits).toBeLessThan(50);
    await makeDue();
    const [taken] = await claimJobs(table);
    expect(taken).toMatchObject({ id: lost!.id, attempts: 2 });
    await settleJobs(table, [{ job: lost!, outcome: { state: "done" } }]);
    expect(await rows()).toMatchObject([{ state: "pending" }]);
    await settleJobs(table, [{ job: taken!, outcome: { state: "done" } }]);
    expect(await rows()).toMatchObject([{ state: "done" }]);
  });

  it("is renewed while the job runs", async () => {
    let finish = () => {};
    const { table, runs } = arrange(() => new Promise((resolve) => (finish = resolve)));
    await add("a");
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    try {
      const running = runDueJobs(table);
      await vi.waitFor(() => expect(runs).toEqual(["a"]));
      await db()("jobs").update({ next_attempt_at: db().raw("now() + interval '1 second'") });
      vi.advanceTimersByTime(10_000);
      await expect.poll(async () => (await rows())[0]!.waits).toBeGreaterThan(25);
      finish();
      await running;
    } finally {
      vi.useRealTimers();
    }
  });
});

describe("workers", () => {
  it("share the jobs between two instances, and run each of them once", async () => {
    const { table, runs } = arrange(async () => void (await pause(5)));
    const subjects = Array.from({ length: 30 }, (_, at) => `job ${at}`);
    await add(...subjects);
    await Promise.all([runDueJobs(table), runDueJobs(table), runDueJobs(table)]);
    expect(runs.sort()).toEqual(subjects.sort());
  });

  it("need no state of a session, as behind a pooler in transaction mode", async () => {
    const client = db().client as {
      releaseConnection: (connection: { query(sql: string): Promise<unknown> }) => Promise<void>;
    };
    const release = client.releaseConnection.bind(client);
    client.releaseConnection = async (connection) => {
      await connection.query("discard all");
      return release(connection);
    };
    try {
      const { table, runs } = arrange(async () => void (await pause(20)));
      const subjects = Array.from({ length: 8 }, (_, at) => `job ${at}`);
      await add(...subjects);
      const busy = runAsJob("other", 60, async () => {
        await Promise.all([runDueJobs(table), runDueJobs(table)]);
        return runAsJob("other", 60, async () => "twice at once");
      });
      expect(await busy).toEqual({ result: null });
      expect(runs.sort()).toEqual(subjects.sort());
    } finally {
      client.releaseConnection = release;
    }
  });

  it("run no more of a kind at once than its concurrency limit, and others beside them", async () => {
    let [active, peak] = [0, 0];
    const { table } = arrange(async () => {
      peak = Math.max(peak, ++active);
      await pause(20);
      active--;
    });
    const others: string[] = [];
    const other = jobsTable({
      other: { concurrencyLimit: 1, run: async ({ subject }) => void others.push(subject) },
    }).kinds;
    await add("a", "b", "c", "d", "e");
    await addJob(db(), { kind: "other", subject: "z" });
    await runDueJobs({ ...table, kinds: { ...table.kinds, ...other } });
    expect(peak).toBe(2);
    expect(others).toEqual(["z"]);
    expect(await db()("jobs").pluck("state")).toEqual(Array(6).fill("done"));
  });

  it("begin no job after a stop, and make one that is broken off due at once, without counting it", async () => {
    const [stopping, breaking] = [new AbortController(), new AbortController()];
    const { table, runs } = arrange(
      (_subject, signal) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener("abort", () => reject(new Error("broken off")));
        }),
      { concurrencyLimit: 1 },
    );
    await add("a", "b");
    const running = runDueJobs(table, { stopping: stopping.signal, breaking: breaking.signal });
    await vi.waitFor(() => expect(runs).toHaveLength(1));
    stopping.abort();
    breaking.abort();
    await running;
    expect(runs).toHaveLength(1);
    expect(await rows()).toMatchObject(
      Array(2).fill({ state: "pending", attempts: 0, is_running: false, last_error: null }),
    );
    expect(await claimJobs(table)).toHaveLength(1);
  });

  it("find jobs by polling, or at once when they are woken", async () => {
    const { table, runs } = arrange();
    const worker = startJobs([table], (error) => {
      throw error;
    });
    try {
      await add("polled");
      await expect.poll(() => runs).toEqual(["polled"]);
      await add("woken");
      wakeJobs();
      await expect.poll(() => runs, { timeout: 700 }).toEqual(["polled", "woken"]);
    } finally {
      await worker.stop();
    }
  });
});

describe("a repeated job", () => {
  it("runs at the start and then after its interval, in one instance at a time, also after an error", async () => {
    let count = 0;
    const table = jobsTable({
      test: repeatedJob(60, async () => {
        count++;
        await pause(300);
        if (count === 2) throw new Error("once");
      }),
    });
    const errors: unknown[] = [];
    const start = () => startJobs([table], (error) => errors.push(error));
    const workers = [start(), start()];
    await expect.poll(async () => (await rows())[0]?.waits).toBeGreaterThan(55);
    await pause(500);
    expect(count).toBe(1);
    await makeDue();
    await expect.poll(async () => (await rows())[0]!.last_error).not.toBeNull();
    expect(await rows()).toMatchObject([{ state: "pending", attempts: 2, is_running: false }]);
    expect((await rows())[0]!.waits).toBeGreaterThan(55);
    expect(errors).toHaveLength(1);
    await Promise.all(workers.map((worker) => worker.stop()));
  });

  it("runs for whoever waits for it, unless it runs already", async () => {
    let finish = () => {};
    const first = runAsJob("test", 60, () => new Promise<void>((resolve) => (finish = resolve)));
    await expect.poll(rows).toHaveLength(1);
    expect(await runAsJob("test", 60, async () => 1)).toBeNull();
    finish();
    await first;
    expect(await runAsJob("test", 60, async () => 2)).toEqual({ result: 2 });
    const failing = runAsJob("test", 60, () => Promise.reject(new Error("failed")));
    await expect(failing).rejects.toThrow("failed");
    expect(await rows()).toMatchObject([{ is_running: false, state: "pending" }]);
  });
});
