/**
 * Claims due jobs for a lease by the database's clock, which is renewed while a job runs: one whose process was killed is
 * due again at the end of its lease.
 */
import { db, query, type Database } from "./connection.server";
import type { Job, JobTable, Outcome } from "./jobs.server";

const leaseSeconds = 30;
export const leaseEndSql = `now() + interval '${leaseSeconds} seconds'`;
export const addedAtSql = "cast(job.created_at as text) as added_at";

/** Claims the first due jobs, at most so many; no other worker gets them until their leases end. */
export async function claimJobs<Claimed extends Job>(
  table: JobTable<Claimed>,
  count = 1,
  kinds = Object.keys(table.kinds),
): Promise<Claimed[]> {
  if (!table.batch) return claimFrom(db(), table, { count, kinds });
  return db().transaction(async (trx) => {
    // A statement of its own, so that the next one sees what others claimed while this one waited. That one reads the queue
    // in the order of its index up to the first jobs: by statistics from before it grew, all of it would be sorted.
    await query(
      trx,
      `select pg_advisory_xact_lock(hashtextextended('claim of ' || :name, 0)),
         set_config('enable_sort', 'off', true), ${withoutWaitSql}`,
      { name: table.name },
    );
    return claimFrom(trx, table, { count, kinds });
  });
}

/** The commit waits for no disk: if the database crashes within a second, what was claimed or ended begins once more. */
const withoutWaitSql = "set_config('synchronous_commit', 'off', true)";

function claimFrom<Claimed extends Job>(
  database: Database,
  { name, kinds: all, kindSql, columnsSql, orderSql, conditionSql = "true" }: JobTable<Claimed>,
  { count, kinds }: { count: number; kinds: readonly string[] },
): Promise<Claimed[]> {
  return query<Claimed>(
    database,
    `with due as materialized (
       select job.id from ${name} job
       where job.state = 'pending' and job.next_attempt_at <= now()
         and ${kindSql} = any(cast(:kinds as text[])) and (${kindSql} <> all(cast(:outgoing as text[]))
           or not (select is_outgoing_paused from site_settings))
         and ${conditionSql}
       order by ${orderSql} limit :count for update of job skip locked
     )
     update ${name} job set attempts = job.attempts + 1, is_running = true, next_attempt_at = ${leaseEndSql}
     from due where job.id = due.id
     returning job.id, ${kindSql} as kind, job.attempts, ${addedAtSql}, ${columnsSql}`,
    { count, kinds, outgoing: kinds.filter((kind) => all[kind]?.isOutgoing) },
  );
}

export type EndedJob = { job: Job; outcome: Outcome };

/**
 * Stores what came of attempts. One that is to be repeated after its time is over has failed. A job that was added again
 * during the attempt is due at once, whatever came of it.
 */
export async function settleJobs<Claimed extends Job>(
  { name, kinds, backoffSql, doneState, resultSql = {}, batch }: JobTable<Claimed>,
  ended: readonly EndedJob[],
): Promise<void> {
  const isAddedAgainSql = "(job.created_at <> ended.added_at)";
  const isDoneSql = `(ended.state = 'done' and not ${isAddedAgainSql})`;
  const isFailedSql = `(not ${isAddedAgainSql}
    and (ended.state = 'failed' or ended.state = 'retry' and job.give_up_at <= now()))`;
  const results = Object.entries(resultSql).map(
    ([column, sql]) =>
      `, ${column} = case when ended.result is null then job.${column} else ${sql} end`,
  );
  // A job that isn't finished is pending. Asked for that state, the planner, whose statistics may be from before the queue
  // grew, would read all that is pending.
  await query(
    db(),
    `update ${name} job set is_running = false,
       state = case when ${isDoneSql} then '${doneState}' when ${isFailedSql} then 'failed' else 'pending' end,
       finished_at = case when ${isDoneSql} or ${isFailedSql} then now() end,
       attempts = job.attempts - case when ended.state = 'released' then 1 else 0 end,
       next_attempt_at = case when ended.state = 'retry' and not ${isAddedAgainSql} then least(greatest(job.give_up_at, now()),
         now() + coalesce(ended.every_seconds * interval '1 second', ${backoffSql})) else now() end,
       last_error = case when ended.state = 'released' then job.last_error else ended.error end
       ${results.join("")}
     from unnest(cast(:ids as bigint[]), cast(:attempts as integer[]), cast(:addedAt as timestamptz[]),
       cast(:states as text[]), cast(:errors as text[]), cast(:everySeconds as float[]), cast(:results as jsonb[]))
       as ended (id, attempts, added_at, state, error, every_seconds, result)
       ${batch ? `, (select ${withoutWaitSql}) quick` : ""}
     where job.id = ended.id and job.attempts = ended.attempts and job.finished_at is null`,
    {
      ids: ended.map(({ job }) => job.id),
      attempts: ended.map(({ job }) => job.attempts),
      addedAt: ended.map(({ job }) => job.addedAt),
      states: ended.map(({ outcome }) => outcome.state),
      errors: ended.map(({ outcome }) => outcome.error ?? null),
      everySeconds: ended.map(({ job }) => kinds[job.kind]?.everySeconds ?? null),
      results: ended.map(({ outcome: { result } }) => (result ? JSON.stringify(result) : null)),
    },
  );
}

/** Runs `work` and renews the lease of its job meanwhile. */
export async function withLease<Result>(
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
