/** The schedules of reports by mail: read, created, paused and removed by admins. */
import type { Knex } from "knex";
import { db, one, query, readValue, type Database } from "../../db/connection.server";
import { namesIn } from "../../db/pages.server";
import { nowSql, siteTimeZone } from "../../db/site.server";
import { conflict, invalidFields, notFound, requireVersion } from "../../errors";
import { parseRecordId } from "../../forms/record-id";
import { changesBetween, recordAction, type Actor } from "../activity/audit-log.server";
import { optionsOf, runOnce, type ActionOptions } from "../activity/idempotency.server";
import { startOfWeekSql } from "../settings/settings.server";
import {
  maxSchedules,
  recipientsError,
  type ReportSchedule,
  type ScheduleValues,
} from "./report-schedule";

/**
 * Selects the next time in `:timeZone` at which a full hour begins, of a day, or of the first day of a week or month.
 * @param frequency an expression, as `hour` is; `:now` replaces the database's clock, in tests
 */
export function nextRunSql(frequency: string, hour: string): string {
  const unit = `case ${frequency} when 'daily' then 'day' when 'weekly' then 'week' else 'month' end`;
  const today = "instant at time zone :timeZone";
  return `(select case when this_run at time zone :timeZone > instant
      then this_run at time zone :timeZone else (this_run + step) at time zone :timeZone end
    from (
      select instant, case ${frequency} when 'weekly' then ${startOfWeekSql(today)}
          else date_trunc(${unit}, ${today}) end + make_interval(hours => ${hour}) as this_run,
        cast('1 ' || ${unit} as interval) as step
      from (select ${nowSql} as instant) clock
    ) runs)`;
}

type ScheduleOptions = {
  actor: Actor;
  /** Replaces the database's clock, in tests. */
  now?: Date | null;
};

/** @param emails an expression of type text[] */
const lowerCaseSql = (emails: string) => `array(select lower(unnest(${emails})))`;
const isRecipientSql = `:email = any(${lowerCaseSql("s.recipients")})`;

const columnsSql = `s.id, s.frequency, s.recipients, s.hour,
  array(select email from users where is_disabled and email = any(${lowerCaseSql("s.recipients")}))
    as disabled_recipients, s.is_paused, s.next_run_at, s.last_run_at, s.version,
  u.email as created_by, case when u.id is null then 'deleted' when u.is_disabled then 'disabled'
    else 'active' end as author_state`;
const fromSql = "report_schedules s left join users u on u.id = s.created_by";

/** Whether reports are sent: the schedule is not paused, and its author is active. @param schedule the table, or its alias */
export const isEnabledSql = (schedule: string) => `(not ${schedule}.is_paused and exists (
  select from users where users.id = ${schedule}.created_by and not users.is_disabled))`;

export async function listSchedules(): Promise<ReportSchedule[]> {
  return query(db(), `select ${columnsSql} from ${fromSql} order by s.id`);
}

/** Names like 'monthly for ada@example.com'. */
export const scheduleNames = namesIn(
  "report_schedules",
  "frequency || ' for ' || array_to_string(recipients, ', ')",
);

export function countDueSchedules(): Promise<number> {
  return readValue(
    db(),
    `select count(*)::integer from report_schedules s
     where ${isEnabledSql("s")} and next_run_at <= now()`,
  );
}

/** @throws DomainError not_found */
export async function getSchedule(id: string, database: Database = db()): Promise<ReportSchedule> {
  const schedule = await one<ReportSchedule>(
    database,
    `select ${columnsSql} from ${fromSql} where s.id = :id`,
    { id: parseRecordId(id) },
  );
  if (!schedule) throw notFound("Schedule not found");
  return schedule;
}

/** @throws DomainError invalid: `fields.recipients`; conflict: there are too many schedules */
export async function createSchedule(
  { frequency, recipients, hour }: ScheduleValues,
  options: ActionOptions & { now?: Date | null },
): Promise<{ id: string }> {
  const { actor, now = null } = options;
  const error = recipientsError(recipients);
  if (error !== null) throw invalidFields({ recipients: error });
  const input = { frequency, recipients, hour };
  return runOnce(options, input, async (trx) => {
    const created = await one<{ id: string }>(
      trx,
      `insert into report_schedules (frequency, recipients, hour, next_run_at, created_by)
       select :frequency, :recipients, :hour,
         ${nextRunSql("cast(:frequency as text)", "cast(:hour as integer)")}, :actorId
       where (select count(*) from report_schedules) < ${maxSchedules} returning id`,
      { frequency, recipients, hour, actorId: actor.id, timeZone: siteTimeZone(), now },
    );
    if (!created) throw conflict(`There are ${maxSchedules} schedules already. Remove one first.`);
    const details = {
      frequency: { from: null, to: frequency },
      recipients: { from: [], to: recipients },
      hour: { from: null, to: hour },
    };
    await recordAction(trx, actor, "report_schedule.created", created.id, { details });
    return { ...created, reportScheduleId: created.id };
  });
}

/**
 * Changes how often and when a report comes, and who gets it, once for each idempotency key. A report that is due goes to
 * other recipients.
 * @returns `changed`: false if it was so already
 * @throws DomainError not_found; invalid: `fields.recipients`; conflict: the version has moved
 */
export async function editSchedule(
  id: string,
  { frequency, recipients, hour, version }: ScheduleValues & { version: number },
  { now = null, ...options }: ScheduleOptions & ActionOptions,
): Promise<{ changed: boolean }> {
  const error = recipientsError(recipients);
  if (error !== null) throw invalidFields({ recipients: error });
  return runOnce(options, { edited: id, frequency, recipients, hour }, async (trx) => {
    const before = await lockSchedule(trx, id);
    const details = changesBetween<ScheduleValues>(before, { frequency, recipients, hour });
    if (Object.keys(details).length === 0) return { changed: false };
    requireVersion(before.version, version, "Someone else changed this schedule");
    await query(
      trx,
      `update report_schedules set frequency = :frequency, recipients = :recipients, hour = :hour, version = version + 1,
         next_run_at = case when (frequency, hour) = (:frequency, cast(:hour as integer)) then next_run_at
           else ${nextRunSql("cast(:frequency as text)", "cast(:hour as integer)")} end
       where id = :id`,
      { id: before.id, frequency, recipients, hour, timeZone: siteTimeZone(), now },
    );
    await recordAction(trx, options.actor, "report_schedule.changed", before.id, { details });
    return { changed: true };
  });
}

/**
 * Pauses a schedule, or resumes it with its next regular run. Whoever resumes one without an active author becomes
 * its author.
 * @returns `changed`: false if it was so already
 * @throws DomainError not_found
 */
export async function setPaused(
  id: string,
  isPaused: boolean,
  { now = null, ...options }: ScheduleOptions & ActionOptions,
): Promise<{ changed: boolean }> {
  const { actor } = options;
  const once = optionsOf(isPaused ? "pause" : "resume", options);
  return runOnce(once, { schedule: id }, async (trx) => {
    const schedule = await lockSchedule(trx, id);
    const getsAuthor = !isPaused && schedule.authorState !== "active";
    if (schedule.isPaused === isPaused && !getsAuthor) return { changed: false };
    await query(
      trx,
      `update report_schedules set is_paused = :isPaused, next_run_at = ${nextRunSql("frequency", "hour")},
         created_by = coalesce(:newAuthor, created_by)
       where id = :id`,
      { id, isPaused, newAuthor: getsAuthor ? actor.id : null, timeZone: siteTimeZone(), now },
    );
    const author = { from: schedule.createdBy, to: actor.email };
    await recordAction(trx, actor, `report_schedule.${isPaused ? "paused" : "resumed"}`, id, {
      details: getsAuthor ? { author } : {},
    });
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

/**
 * Replaces the address of a user in the schedules by the new one, or takes that of one who is deleted out of them. A
 * schedule without another recipient is removed. Each change is an entry of the audit log.
 * @param from in lower case, as `to` is; null of a user who is deleted
 */
export async function replaceRecipient(
  trx: Knex,
  { from, to }: { from: string; to: string | null },
  actor: Actor,
): Promise<void> {
  const schedules = await query<Pick<ReportSchedule, "id" | "recipients">>(
    trx,
    `select s.id, s.recipients from report_schedules s where ${isRecipientSql} order by s.id for update`,
    { email: from },
  );
  for (const { id, recipients } of schedules) {
    const others = recipients.filter((email) => ![from, to].includes(email.toLowerCase()));
    if (to !== null) others.push(to);
    if (others.length === 0)
      await query(trx, "delete from report_schedules where id = :id", { id });
    else
      await query(
        trx,
        `update report_schedules set recipients = :others, version = version + 1 where id = :id`,
        { id, others },
      );
    const action = others.length === 0 ? "removed" : "changed";
    const details = { recipients: { from: recipients, to: others } };
    await recordAction(trx, actor, `report_schedule.${action}`, id, { details });
  }
}

/** @param email in lower case */
export async function countSchedulesOf(email: string): Promise<number> {
  const row = await one<{ count: number }>(
    db(),
    `select count(*)::integer as count from report_schedules s where ${isRecipientSql}`,
    { email },
  );
  return row!.count;
}

async function lockSchedule(trx: Knex.Transaction, id: string): Promise<ReportSchedule> {
  await query(trx, "select id from report_schedules where id = :id for update", {
    id: parseRecordId(id),
  });
  return getSchedule(id, trx);
}
