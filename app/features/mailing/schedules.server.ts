/** The schedules of reports by mail: read, created, paused and removed by admins. */
import type { Knex } from "knex";
import { db, one, query, type Database } from "../../db/connection.server";
import { siteTimeZone } from "../../db/site.server";
import { DomainError, invalidFields } from "../../errors";
import { parseRecordId } from "../../forms/record-id";
import { recordAction, type Actor } from "../activity/audit-log.server";
import { withIdempotency } from "../activity/idempotency.server";
import { maxSchedules, recipientsError, type ReportSchedule, type ScheduleValues } from "./mailing";

/**
 * Selects the next 07:00 in `:timeZone` of a day, of a Monday or of the first day of a month.
 * @param frequency an expression; `:now` replaces the database's clock, in tests
 */
export function nextRunSql(frequency: string): string {
  const unit = `case ${frequency} when 'daily' then 'day' when 'weekly' then 'week' else 'month' end`;
  return `(select case when this_run at time zone :timeZone > instant
      then this_run at time zone :timeZone else (this_run + step) at time zone :timeZone end
    from (
      select instant, date_trunc(${unit}, instant at time zone :timeZone) + interval '7 hours' as this_run,
        cast('1 ' || ${unit} as interval) as step
      from (select coalesce(cast(:now as timestamptz), now()) as instant) clock
    ) runs)`;
}

type ScheduleOptions = {
  actor: Actor;
  /** Replaces the database's clock, in tests. */
  now?: Date | null;
};

const columnsSql = `s.id, s.frequency, s.recipients, s.is_paused, s.next_run_at, s.last_run_at,
  u.email as created_by`;
const fromSql = "report_schedules s left join users u on u.id = s.created_by";

export async function listSchedules(): Promise<ReportSchedule[]> {
  return query(db(), `select ${columnsSql} from ${fromSql} order by s.id`);
}

/** Counts the schedules whose next report is due. */
export async function countDueSchedules(): Promise<number> {
  const row = await one<{ due: number }>(
    db(),
    "select count(*)::integer as due from report_schedules where not is_paused and next_run_at <= now()",
  );
  return row!.due;
}

/** @throws DomainError not_found */
export async function getSchedule(id: string, database: Database = db()): Promise<ReportSchedule> {
  const schedule = await one<ReportSchedule>(
    database,
    `select ${columnsSql} from ${fromSql} where s.id = :id`,
    { id: parseRecordId(id) },
  );
  if (!schedule) throw new DomainError("not_found", "Schedule not found");
  return schedule;
}

/** @throws DomainError invalid: `fields.recipients`; conflict: there are too many schedules */
export async function createSchedule(
  { frequency, recipients }: ScheduleValues,
  { actor, idempotencyKey, now = null }: ScheduleOptions & { idempotencyKey: string | null },
): Promise<{ id: string }> {
  const error = recipientsError(recipients);
  if (error !== null) throw invalidFields({ recipients: error });
  const request = { userId: actor.id, key: idempotencyKey, input: { frequency, recipients } };
  const { result } = await withIdempotency(db(), request, async (trx) => {
    const created = await one<{ id: string }>(
      trx,
      `insert into report_schedules (frequency, recipients, next_run_at, created_by)
       select :frequency, :recipients, ${nextRunSql("cast(:frequency as text)")}, :actorId
       where (select count(*) from report_schedules) < ${maxSchedules} returning id`,
      { frequency, recipients, actorId: actor.id, timeZone: siteTimeZone(), now },
    );
    if (!created)
      throw new DomainError(
        "conflict",
        `There are ${maxSchedules} schedules already. Remove one first.`,
      );
    const details = {
      frequency: { from: null, to: frequency },
      recipients: { from: [], to: recipients },
    };
    await recordAction(trx, actor, "report_schedule.created", created.id, { details });
    return created;
  });
  return result;
}

/**
 * Pauses a schedule, or resumes it with its next regular run.
 * @returns `changed`: false if it was so already
 * @throws DomainError not_found
 */
export async function setPaused(
  id: string,
  isPaused: boolean,
  { actor, now = null }: ScheduleOptions,
): Promise<{ changed: boolean }> {
  return db().transaction(async (trx) => {
    await lockSchedule(trx, id);
    const changed = await one(
      trx,
      `update report_schedules set is_paused = :isPaused, next_run_at = ${nextRunSql("frequency")}
       where id = :id and is_paused <> :isPaused returning id`,
      { id, isPaused, timeZone: siteTimeZone(), now },
    );
    if (!changed) return { changed: false };
    await recordAction(trx, actor, `report_schedule.${isPaused ? "paused" : "resumed"}`, id);
    return { changed: true };
  });
}

/** @throws DomainError not_found */
export async function removeSchedule(id: string, { actor }: ScheduleOptions): Promise<void> {
  await db().transaction(async (trx) => {
    const { recipients } = await lockSchedule(trx, id);
    await query(trx, "delete from report_schedules where id = :id", { id });
    const details = { recipients: { from: recipients, to: [] } };
    await recordAction(trx, actor, "report_schedule.removed", id, { details });
  });
}

async function lockSchedule(trx: Knex.Transaction, id: string): Promise<ReportSchedule> {
  await query(trx, "select id from report_schedules where id = :id for update", {
    id: parseRecordId(id),
  });
  return getSchedule(id, trx);
}
