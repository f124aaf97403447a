/** The table of jobs in a list of all jobs, and in the sweep. */
import { one, type Database } from "./connection.server";
import { isRunningSql } from "./jobs.server";
import type { Leftovers } from "./sweep.server";

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

/** Jobs that are done, for which nobody looks after a day. */
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
