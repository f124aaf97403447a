/**
 * Runs background jobs. Each instance polls for due rows and claims them (`job-claims`). It needs no state of a session,
 * so a pooler in transaction mode serves as well.
 */
import { setTimeout as delay } from "node:timers/promises";
import DataLoader from "dataloader";
import { db, one, query } from "./connection.server";
import {
  addedAtSql,
  claimJobs,
  leaseEndSql,
  settleJobs,
  withLease,
  type EndedJob,
} from "./job-claims.server";
import { isRunningSql, jobsTable, type Job, type JobTable, type Outcome } from "./jobs.server";

const pollMs = 1_000;
/** Jobs may finish for so long after a stop. */
const stopTimeoutMs = 5_000;
/** A database that is away for a moment is back by then. */
const settleAgainMs = 5_000;

type Signals = {
  /** No further job is begun once it aborts. */
  stopping?: AbortSignal;
  /** Breaks off jobs on their way. */
  breaking?: AbortSignal;
};
type WorkOptions = Required<Signals> & { isEndless: boolean; report: (error: unknown) => void };

const wakers = new Set<() => void>();

/** Makes this process look for due jobs now; other instances find them with their next poll. */
export function wakeJobs(): void {
  for (const wake of wakers) wake();
}

/** Runs jobs beside each other until there is none, or endlessly. */
async function work<Claimed extends Job>(
  table: JobTable<Claimed>,
  { stopping, breaking, isEndless, report }: WorkOptions,
): Promise<void> {
  let isUnreachable = false;
  let ring = () => {};
  const nextRing = () => new Promise<void>((resolve) => (ring = resolve));
  let rung = nextRing();
  const wake = () => ring();
  // How many jobs may begin that no claim has looked for. Each that ends lets another one begin; a claim costs four round trips.
  let openings = Infinity;
  const look = () => {
    openings = Infinity;
    wake();
  };
  const poll = () => {
    isUnreachable = false;
    look();
  };
  const running: string[] = [];
  const settling = new DataLoader<EndedJob, void>(
    async (ended) => {
      await settleJobs(table, ended);
      return ended.map(() => {});
    },
    { cache: false, batchScheduleFn: (settle) => setTimeout(settle, table.batch?.settleMs) },
  );
  const run = async (job: Claimed) => {
    running.push(job.kind);
    const { run, everySeconds } = table.kinds[job.kind]!;
    const attempt = async (): Promise<Outcome> => {
      try {
        const outcome = (await run(job, breaking)) ?? { state: "done" };
        return outcome.state === "done" && everySeconds ? { state: "retry" } : outcome;
      } catch (error) {
        if (!breaking.aborted) report(error);
        return { state: "retry", error: "This job failed. The log says why." };
      }
    };
    try {
      const outcome = await withLease(table.name, job, attempt);
      const isBroken = breaking.aborted && outcome.state === "retry";
      if (outcome.isUnreachable) isUnreachable = true;
      const settle = () =>
        settling.load({ job, outcome: isBroken ? { state: "released" } : outcome });
      // Without this write, a job that is done would run twice.
      await settle().catch(() => delay(settleAgainMs).then(settle));
    } catch (error) {
      report(error);
    }
    running.splice(running.indexOf(job.kind), 1);
    openings += 1;
    wake();
  };
  const timer = isEndless ? setInterval(poll, pollMs).unref() : undefined;
  stopping.addEventListener("abort", wake);
  wakers.add(look);
  let lastClaim = -Infinity;
  await scheduleRepeated(table).catch(report);
  try {
    for (;;) {
      if (table.batch && openings > 0)
        await delay(Math.max(0, lastClaim + table.batch.claimEveryMs - performance.now()));
      // A job that ends during the claim may let another one begin, which the claim doesn't see yet.
      const wasIdle = running.length === 0;
      const claimable = openings;
      openings = 0;
      const isClaiming = claimable > 0 && !stopping.aborted && !isUnreachable;
      const free = Object.entries(table.kinds).filter(
        ([kind, { concurrencyLimit }]) =>
          running.filter((other) => other === kind).length < concurrencyLimit,
      );
      const kinds = isClaiming ? free.map(([kind]) => kind) : [];
      const count = Math.min(claimable, table.batch?.size ?? 1);
      lastClaim = performance.now();
      const jobs = kinds.length === 0 ? [] : await claimJobs(table, count, kinds).catch(report);
      if (jobs?.length) {
        openings += claimable - jobs.length;
        for (const job of jobs) void run(job);
      } else if (wasIdle && (!isEndless || stopping.aborted)) return;
      else {
        await rung;
        rung = nextRing();
      }
    }
  } finally {
    clearInterval(timer);
    wakers.delete(look);
    stopping.removeEventListener("abort", wake);
  }
}

const never = new AbortController().signal;

/** Runs the due jobs of a table and returns when they have ended. @throws the first error that a job has not foreseen */
export async function runDueJobs<Claimed extends Job>(
  table: JobTable<Claimed>,
  { stopping = never, breaking = never }: Signals = {},
): Promise<void> {
  const errors: unknown[] = [];
  const report = (error: unknown) => void errors.push(error);
  await work(table, { stopping, breaking, isEndless: false, report });
  if (errors.length > 0) throw errors[0];
}

/**
 * Runs jobs until it is stopped. Those that are repeated are due at the start.
 * @param report gets errors that no job has foreseen
 */
export function startJobs(
  tables: readonly JobTable<Job>[],
  report: (error: unknown) => void,
): { stop(): Promise<void> } {
  const [stopping, breaking] = [new AbortController(), new AbortController()];
  const signals = { stopping: stopping.signal, breaking: breaking.signal };
  const finished = Promise.all(
    tables.map((table) => work(table, { ...signals, isEndless: true, report })),
  );
  return {
    /** Begins no further job, lets those on their way end for 5 s, and then breaks them off. */
    async stop() {
      stopping.abort();
      await Promise.race([finished, delay(stopTimeoutMs)]);
      breaking.abort();
      await Promise.race([finished, delay(1_000)]);
    },
  };
}

async function scheduleRepeated({ kinds }: Pick<JobTable<Job>, "kinds">): Promise<void> {
  const repeated = Object.keys(kinds).filter((kind) => kinds[kind]!.everySeconds);
  if (repeated.length === 0) return;
  await query(
    db(),
    `insert into jobs as job (kind) select unnest(cast(:repeated as text[]))
     on conflict (kind, subject) do update set next_attempt_at = now() where not ${isRunningSql}`,
    { repeated },
  );
}

/**
 * Runs `work` as the repeated job of a kind, because somebody waits for it now.
 * @returns null, without waiting, while the job runs elsewhere
 */
export async function runAsJob<Result>(
  kind: string,
  everySeconds: number,
  work: () => Promise<Result>,
): Promise<{ result: Result } | null> {
  const job = await one<Job>(
    db(),
    `insert into jobs as job (kind, attempts, is_running, next_attempt_at)
     values (:kind, 1, true, ${leaseEndSql})
     on conflict (kind, subject) do update
       set attempts = job.attempts + 1, is_running = true, next_attempt_at = excluded.next_attempt_at
       where not ${isRunningSql}
     returning job.id, job.kind, job.attempts, ${addedAtSql}`,
    { kind },
  );
  if (!job) return null;
  const table = jobsTable({ [kind]: { concurrencyLimit: 1, everySeconds, run: async () => {} } });
  try {
    return { result: await withLease(table.name, job, work) };
  } finally {
    await settleJobs(table, [{ job, outcome: { state: "retry" } }]);
  }
}
