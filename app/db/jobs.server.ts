/** Background jobs: rows that are added in the transaction of their cause, and that `job-runner` runs. */
import { one, query, type Database } from "./connection.server";
import type { Leftovers } from "./sweep.server";

export type Job = {
  id: string;
  kind: string;
  /** The number of this attempt: results of an attempt whose lease was lost are dropped. */
  attempts: number;
  /** The time when it was added, as PostgreSQL writes it; another one if it is added again while it runs. */
  addedAt: string;
};

/** A job of the table `jobs`. `lastError` says why the attempt before failed. */
export type SubjectJob = Job & { subject: string; lastError: string | null };

/** The end of an attempt. What is 'released' is due at once and was no attempt. */
export type Outcome = {
  state: "done" | "retry" | "failed" | "released";
  error?: string | null;
  /** Values for the expressions of `resultSql`. */
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
  kindSql: string;
  /** Other columns of a claimed job. */
  columnsSql: string;
  /** The order in which due jobs are claimed, and what else must hold for one. */
  orderSql: string;
  conditionSql?: string;
  /**
   * Set for a table of many short jobs: instances claim from it one after the other, so that the condition, which may name
   * `:count`, can be about jobs that are running. One claim takes as many jobs at most, the next one comes so many ms later
   * at least, and those that end within `settleMs` are written together.
   */
  batch?: { size: number; claimEveryMs: number; settleMs: number };
  backoffSql: string;
  doneState: string;
  /** Expressions by the columns that they set, on the `result` of an attempt, which SQL here calls `ended.result`. */
  resultSql?: Record<string, string>;
  kinds: Record<string, JobKind<Claimed>>;
};

/** Whether a worker is at the job. */
export const isRunningSql = "(job.is_running and job.next_attempt_at > now())";

/** The table of jobs that are no rows of another one. */
export function jobsTable(kinds: Record<string, JobKind<SubjectJob>>): JobTable<SubjectJob> {
  return {
    name: "jobs",
    kindSql: "job.kind",
    columnsSql: "job.subject, job.last_error",
    doneState: "done",
    kinds,
    orderSql: "job.next_attempt_at, job.id",
    backoffSql:
      "least(interval '5 seconds' * power(2, least(job.attempts, 20) - 1), interval '1 minute')",
  };
}

/** A job that is repeated so many seconds after its end. No request waits for it; the next run makes up for one that fails. */
export function repeatedJob(
  everySeconds: number,
  run: () => Promise<unknown>,
  { isOutgoing = false } = {},
): JobKind<Job> {
  return {
    concurrencyLimit: 1,
    everySeconds,
    isOutgoing,
    run: async () => void (await run()),
  };
}

/**
 * Adds a job to the table `jobs` in the transaction of its cause, once for each subject until it is over. One that is
 * running gets another `created_at`, by which the end of its attempt knows that it is to run again.
 */
export async function addJob(
  trx: Database,
  { kind, subject, delaySeconds = 0 }: { kind: string; subject: string; delaySeconds?: number },
): Promise<void> {
  await query(
    trx,
    `insert into jobs as job (kind, subject, next_attempt_at)
     values (:kind, :subject, now() + cast(:delaySeconds as float) * interval '1 second')
     on conflict (kind, subject) do update set state = 'pending', finished_at = null, last_error = null,
       created_at = case when job.is_running then clock_timestamp() else job.created_at end,
       next_attempt_at = case when job.is_running then job.next_attempt_at else excluded.next_attempt_at end
       where job.state <> 'pending' or job.is_running`,
    { kind, subject, delaySeconds },
  );
}

/** A table of jobs in a list of all: expressions on its rows, which SQL calls `job`. */
export type ListedTable = Record<
  "fromSql" | "kindSql" | "topicSql" | "subjectSql" | "canRunSql",
  string
>;

export const listedJobs: ListedTable = {
  fromSql: "jobs job",
  kindSql: "job.kind",
  topicSql: "''",
  subjectSql: "job.subject",
  canRunSql: "true",
};

export const oldJobs: Leftovers = {
  table: "jobs",
  conditionSql: "finished_at < now() - interval '1 day'",
};

/** Makes a job of the table `jobs` due. @returns null if there is none; `changed`: false if it is due, runs or is done */
export async function runJobNow(
  trx: Database,
  id: string,
): Promise<{ kind: string; changed: boolean } | null> {
  return one(
    trx,
    `with changed as (
       update jobs job set next_attempt_at = now()
       where id = :id and state = 'pending' and next_attempt_at > now() and not ${isRunningSql}
       returning id
     )
     select kind, exists (select from changed) as changed from jobs where id = :id`,
    { id },
  );
}
