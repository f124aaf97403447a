/** The background jobs of all tables as one list, and 'Run now'. */
import { wakeJobs } from "../../db/job-runner.server";
import { isRunningSql, listedJobs, runJobNow, type ListedTable } from "../../db/jobs.server";
import { db } from "../../db/connection.server";
import { queryPage, type PageQuery } from "../../db/pages.server";
import { notFound } from "../../errors";
import { parseRecordId } from "../../forms/record-id";
import { recordAction, type Actor } from "../activity/audit-log.server";
import { listedMails, sendMailNow } from "../mail/outbox.server";
import { outgoingJobs } from "../report-schedules/send-reports.server";
import { listedDeliveries } from "../webhooks/deliveries.server";
import { sendDeliveryNow } from "../webhooks/redeliver.server";
import type { JobFilters, JobState, ListedJob } from "./job";

type RunNow = (
  id: string,
  options: { actor: Actor },
) => Promise<{ changed: boolean; kind?: string } | null>;

/** @param kind of a job of the table `jobs` */
type IsOutgoing = (kind?: string) => boolean;

const tables: Record<string, ListedTable & { runNow: RunNow; isOutgoing: IsOutgoing }> = {
  mail: { ...listedMails, runNow: sendMailNow, isOutgoing: () => true },
  webhook: { ...listedDeliveries, runNow: sendDeliveryNow, isOutgoing: () => true },
  job: {
    ...listedJobs,
    runNow: runRepeatedJobNow,
    isOutgoing: (kind = "") => Object.hasOwn(outgoingJobs, kind),
  },
};

/** Limits the jobs of a table that are read; the newest are. */
const maxListed = 10_000;

const stateSql: Record<JobState, string> = {
  waiting: `job.state = 'pending' and not ${isRunningSql}`,
  running: `job.state = 'pending' and ${isRunningSql}`,
  failed: "job.state = 'failed'",
  done: "job.state not in ('pending', 'failed')",
};
const stateNameSql = `case ${Object.entries(stateSql)
  .map(([name, sql]) => `when ${sql} then '${name}'`)
  .join(" ")} end`;

/** Lists jobs, newest first, without what mails say. */
export function listJobs({ state, kind, ...pageQuery }: JobFilters & PageQuery) {
  const parts = Object.entries(tables).map(
    ([table, { fromSql, kindSql, topicSql, subjectSql, canRunSql }]) =>
      `(select '${table}-' || job.id as id, ${kindSql} as kind, ${topicSql} as topic,
          ${subjectSql} as subject, ${stateNameSql} as state, job.created_at, job.next_attempt_at,
          job.finished_at, job.last_error,
          not ${isRunningSql} and job.state in ('pending', 'failed') and ${canRunSql} as can_run
        from ${fromSql} where ${state ? stateSql[state] : "true"} and ${kind ? `${kindSql} = :kind` : "true"}
        order by job.id desc limit ${maxListed})`,
  );
  const from = `(${parts.join(" union all ")}) jobs`;
  return queryPage<ListedJob>(
    {
      from,
      rows: `select * from ${from} order by created_at desc, id desc limit :perPage offset :offset`,
    },
    kind ? { kind } : {},
    pageQuery,
  );
}

/**
 * Makes a job due that waits or has failed.
 * @returns `changed`: false if it is due or runs already; `isOutgoing`: whether it waits while outgoing messages are paused
 * @throws DomainError not_found; conflict: it can't run any more
 */
export async function runNow(
  jobId: string,
  { actor }: { actor: Actor },
): Promise<{ changed: boolean; isOutgoing: boolean }> {
  const [, table = "", number = ""] = /^([a-z]+)-(\d+)$/.exec(jobId) ?? [];
  const id = parseRecordId(number);
  const isKnown = id !== null && Object.hasOwn(tables, table);
  const job = isKnown ? await tables[table]!.runNow(id, { actor }) : null;
  if (!job) throw notFound("Job not found");
  wakeJobs();
  return { changed: job.changed, isOutgoing: tables[table]!.isOutgoing(job.kind) };
}

async function runRepeatedJobNow(id: string, { actor }: { actor: Actor }) {
  return db().transaction(async (trx) => {
    const job = await runJobNow(trx, id);
    if (job?.changed)
      await recordAction(trx, actor, "site.job_run_now", "1", { details: { job: job.kind } });
    return job;
  });
}
