/**
 * Runs background jobs. Each instance polls for due rows and claims them for a lease by the database's clock, which it
 * renews while a job runs; a job whose process was killed is due again at the end of its lease. It needs no state of a
 * session, so a pooler in transaction mode serves as well.
 */
import { setTimeout as delay } from "node:timers/promises";
import { db, one, query, type Database } from "./connection.server";
import { isRunningSql, jobsTable, type Job, type JobTable, type Outcome } from "./jobs.server";

const leaseSeconds = 30;
const leaseEndSql = `now() + interval '${leaseSeconds} seconds'`;
const pollMs = 1_000;
/** Jobs may finish for so long after a stop. */
const stopTimeoutMs = 5_000;
/** A database that is away for a moment is back by then. */
const settleAgainMs = 5_000;

const addedAtSql = "cast(job.created_at as text) as added_at";

/** Claims the first due job; no other worker gets it until its lease ends. */
export async function claimJob<Claimed extends Job>(
  table: JobTable<Claimed>,
  kinds = Object.keys(table.kinds),
): Promise<Claimed | null> {
  if (!table.isClaimedInTurn) return claimFrom(db(), table, kinds);
  return db().transaction(async (trx) => {
    // A statement of its own, so that the next one sees what others claimed while this one waited. That one reads the queue
    // in the order of its index up to the first job: by statistics from before it grew, all of it would be sorted.
    await query(
      trx,
      `select pg_advisory_xact_lock(hashtextextended('claim of ' || :name, 0)),
         set_config('enable_sort', 'off', true)`,
      { name: table.name },
    );
    return claimFrom(trx, table, kinds);
  });
}

function claimFrom<Claimed extends Job>(
  database: Database,
  { name, kinds: all, kindSql, columnsSql, orderSql, conditionSql = "true" }: JobTable<Claimed>,
  kinds: readonly string[],
): Promise<Claimed | null> {
  return one<Claimed>(
    database,
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
     returning job.id, ${kindSql} as kind, job.attempts, ${addedAtSql}, ${columnsSql}`,
    { kinds, outgoing: kinds.filter((kind) => all[kind]?.isOutgoing) },
  );
}

/**
 * Stores what came of an attempt. One that is to be repeated after its time is over has failed. A job that was added again
 * during the attempt is due at once, whatever came of it.
 */
export async function settleJob<Claimed extends Job>(
  { name, kinds, backoffSql, doneState, resultSql }: JobTable<Claimed>,
  { id, kind, attempts, addedAt }: Job,
  { state, error = null, result }: Outcome,
): Promise<void> {
  const isAddedAgainSql = "(created_at <> cast(:addedAt as timestamptz))";
  const isDoneSql = `(:state = 'done' and not ${isAddedAgainSql})`;
  const isFailedSql = `(not ${isAddedAgainSql} and (:state = 'failed' or :state = 'retry' and give_up_at <= now()))`;
  await query(
    db(),
    `update ${name} set is_running = false,
       state = case when ${isDoneSql} then '${doneState}' when ${isFailedSql} then 'failed' else 'pending' end,
       finished_at = case when ${isDoneSql} or ${isFailedSql} then now() end,
       attempts = attempts - case when :state = 'released' then 1 else 0 end,
       next_attempt_at = case when :state = 'retry' and not ${isAddedAgainSql} then least(greatest(give_up_at, now()),
         now() + coalesce(cast(:everySeconds as float) * interval '1 second', ${backoffSql})) else now() end,
       last_error = case when :state = 'released' then last_error else :error end
       ${resultSql && result ? `, ${resultSql}` : ""}
     where id = :id and attempts = :attempts and state = 'pending'`,
    {
      id,
      attempts,
      addedAt,
      state,
      error,
      everySeconds: kinds[kind]?.everySeconds ?? null,
      ...result,
    },
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
      const settle = () => settleJob(table, job, isBroken ? { state: "released" } : outcome);
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
  await scheduleRepeated(table).catch(report);
  try {
    for (;;) {
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
      const job = kinds.length === 0 ? null : await claimJob(table, kinds).catch(report);
      if (job) {
        openings += claimable - 1;
        void run(job);
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
    await settleJob(table, job, { state: "retry" });
  }
}
