/**
 * Runs background jobs. A job is a row that is added in the transaction of its cause. Each instance polls for due rows
 * and claims them for a lease by the database's clock, which it renews while a job runs; a job whose process was killed
 * is due again at the end of its lease. It needs no state of a session, so a pooler in transaction mode serves as well.
 */
import { setTimeout as delay } from "node:timers/promises";
import { db, isDatabaseUnavailable, one, query, type Database } from "./connection.server";
import type { Leftovers } from "./sweep.server";

export type Job = {
  id: string;
  kind: string;
  /** The number of this attempt: results of an attempt whose lease was lost are dropped. */
  attempts: number;
};

/** The end of an attempt. What is 'released' is due at once and was no attempt. */
export type Outcome = {
  state: "done" | "retry" | "failed" | "released";
  error?: string | null;
  /** Bindings of `resultSql`. */
  result?: Record<string, unknown>;
  /** Set if other jobs of the table would fail as well: none begins until the next poll. */
  isUnreachable?: boolean;
};

export type JobKind<Claimed extends Job> = {
  concurrencyLimit: number;
  /** Waits while outgoing messages are paused (RULES E7). */
  isOutgoing?: boolean;
  /** Set for a job that is repeated after so many seconds. */
  everySeconds?: number;
  /** @param signal ends what is on its way, because the process stops */
  run(job: Claimed, signal: AbortSignal): Promise<Outcome | void>;
};

/** A table with the columns of `jobs`, which SQL here calls `job`. */
export type JobTable<Claimed extends Job> = {
  name: string;
  /** The kind of a row. */
  kindSql: string;
  /** Other columns of a claimed job. */
  columnsSql: string;
  /** The order in which due jobs are claimed, and what else must hold for one. */
  orderSql: string;
  conditionSql?: string;
  /** The time until the next attempt. */
  backoffSql: string;
  /** The state of a job that is done. */
  doneState: string;
  /** Assignments of what came of an attempt. */
  resultSql?: string;
  kinds: Record<string, JobKind<Claimed>>;
};

const leaseSeconds = 30;
const leaseEndSql = `now() + interval '${leaseSeconds} seconds'`;
const pollMs = 1_000;
/** Jobs may finish for so long after a stop. */
const stopTimeoutMs = 5_000;
const maxWrites = 5;

/** Whether a worker is at the job. */
export const isRunningSql = "(job.is_running and job.next_attempt_at > now())";

/** The table of jobs that are no rows of another one. */
export function jobsTable(
  kinds: Record<string, JobKind<Job & { subject: string }>>,
): JobTable<Job & { subject: string }> {
  return {
    ...{ name: "jobs", kindSql: "job.kind", columnsSql: "job.subject", doneState: "done", kinds },
    orderSql: "job.next_attempt_at, job.id",
    backoffSql:
      "least(interval '5 seconds' * power(2, least(attempts, 20) - 1), interval '1 minute')",
  };
}

/** A job that is repeated so many seconds after its end. No request waits for it; the next run makes up for one that fails. */
export function repeatedJob(
  everySeconds: number,
  run: () => Promise<unknown>,
  { isOutgoing = false } = {},
): JobKind<Job> {
  return {
    ...{ concurrencyLimit: 1, everySeconds, isOutgoing },
    run: async () => void (await run()),
  };
}

/** Jobs that are done, for which nobody looks after a day. */
export const oldJobs: Leftovers = {
  table: "jobs",
  conditionSql: "finished_at < now() - interval '1 day'",
};

/** Adds a job to the table `jobs` in the transaction of its cause, once for each subject. */
export async function addJob(
  trx: Database,
  { kind, subject, delaySeconds = 0 }: { kind: string; subject: string; delaySeconds?: number },
): Promise<void> {
  await query(
    trx,
    `insert into jobs (kind, subject, next_attempt_at)
     values (:kind, :subject, now() + cast(:delaySeconds as float) * interval '1 second')
     on conflict (kind, subject) do nothing`,
    { kind, subject, delaySeconds },
  );
}

/** Claims the first due job; no other worker gets it until its lease ends. */
export function claimJob<Claimed extends Job>(
  table: JobTable<Claimed>,
  kinds = Object.keys(table.kinds),
): Promise<Claimed | null> {
  const { name, kindSql, columnsSql, orderSql, conditionSql = "true" } = table;
  return one<Claimed>(
    db(),
    `with due as materialized (
       select job.id from ${name} job
       where job.state = 'pending' and job.next_attempt_at <= now()
         and ${kindSql} = any(cast(:kinds as text[])) and (${kindSql} <> all(cast(:outgoing as text[]))
           or not (select is_outgoing_paused from site_settings))
         and ${conditionSql}
       order by ${orderSql} limit 1 for update of job skip locked
     )
     update ${name} job set attempts = job.attempts + 1, is_running = true, next_attempt_at = ${leaseEndSql}
     from due where job.id = due.id
     returning job.id, ${kindSql} as kind, job.attempts, ${columnsSql}`,
    { kinds, outgoing: kinds.filter((kind) => table.kinds[kind]?.isOutgoing) },
  );
}

/** Stores what came of an attempt. One that is to be repeated after its time is over has failed. */
export async function settleJob<Claimed extends Job>(
  { name, kinds, backoffSql, doneState, resultSql }: JobTable<Claimed>,
  { id, kind, attempts }: Job,
  { state, error = null, result }: Outcome,
): Promise<void> {
  const isFailedSql = "(:state = 'failed' or :state = 'retry' and give_up_at <= now())";
  await query(
    db(),
    `update ${name} set is_running = false,
       state = case when :state = 'done' then '${doneState}' when ${isFailedSql} then 'failed' else 'pending' end,
       finished_at = case when :state = 'done' or ${isFailedSql} then now() end,
       attempts = attempts - case when :state = 'released' then 1 else 0 end,
       next_attempt_at = case when :state = 'retry' then least(greatest(give_up_at, now()),
         now() + coalesce(cast(:everySeconds as float) * interval '1 second', ${backoffSql})) else now() end,
       last_error = case when :state = 'released' then last_error else :error end
       ${resultSql && result ? `, ${resultSql}` : ""}
     where id = :id and attempts = :attempts and state = 'pending'`,
    { id, attempts, state, error, everySeconds: kinds[kind]?.everySeconds ?? null, ...result },
  );
}

/** Runs `work` and renews the lease of its job meanwhile. */
async function withLease<Result>(
  table: string,
  { id, attempts }: Job,
  work: () => Promise<Result>,
): Promise<Result> {
  const renew = () =>
    query(
      db(),
      `update ${table} set next_attempt_at = ${leaseEndSql}
       where id = :id and attempts = :attempts and is_running`,
      { id, attempts },
    ).catch(() => {});
  const timer = setInterval(() => void renew(), (leaseSeconds * 1_000) / 3);
  try {
    return await work();
  } finally {
    clearInterval(timer);
  }
}

/** Tries again while the database is away: without this write, a job that is done would run twice. */
async function insist(write: () => Promise<void>): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await write();
    } catch (error) {
      if (attempt === maxWrites || !isDatabaseUnavailable(error)) throw error;
      await delay(1_000 * attempt);
    }
  }
}

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
  const poll = () => {
    isUnreachable = false;
    wake();
  };
  const running: string[] = [];
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
      await insist(() => settleJob(table, job, isBroken ? { state: "released" } : outcome));
    } catch (error) {
      report(error);
    }
    running.splice(running.indexOf(job.kind), 1);
    wake();
  };
  const timer = isEndless ? setInterval(poll, pollMs).unref() : undefined;
  stopping.addEventListener("abort", wake);
  wakers.add(wake);
  await scheduleRepeated(table).catch(report);
  try {
    for (;;) {
      const isClaiming = !stopping.aborted && !isUnreachable;
      const free = Object.entries(table.kinds).filter(
        ([kind, { concurrencyLimit }]) =>
          running.filter((other) => other === kind).length < concurrencyLimit,
      );
      const kinds = isClaiming ? free.map(([kind]) => kind) : [];
      const job = kinds.length === 0 ? null : await claimJob(table, kinds).catch(report);
      if (job) void run(job);
      else if (running.length === 0 && (!isEndless || stopping.aborted)) return;
      else {
        await rung;
        rung = nextRing();
      }
    }
  } finally {
    clearInterval(timer);
    wakers.delete(wake);
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
     returning job.id, job.kind, job.attempts`,
    { kind },
  );
  if (!job) return null;
  const table = jobsTable({ [kind]: { concurrencyLimit: 1, everySeconds, run: async () => {} } });
  try {
    return { result: await withLease(table.name, job, work) };
  } finally {
    await settleJob(table, job, { state: "retry" });
  }
}
