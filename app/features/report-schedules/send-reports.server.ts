/** Puts reports into the outbox: those that are due, and one as a test. */
import { randomUUID } from "node:crypto";
import { db, one, query, type Database } from "../../db/connection.server";
import { repeatedJob } from "../../db/jobs.server";
import { nowSql, siteTimeZone } from "../../db/site.server";
import { recordAction } from "../activity/audit-log.server";
import type { ActionOptions } from "../activity/idempotency.server";
import { recordEvent } from "../events/record-event.server";
import { enqueueMail } from "../mail/outbox.server";
import type { Frequency } from "./report-schedule";
import { readReport } from "./report-figures.server";
import { getSchedule, isEnabledSql, nextRunSql } from "./schedules.server";

type DueSchedule = {
  id: string;
  frequency: Frequency;
  recipients: string[];
  createdBy: string;
  /** A text, because a JavaScript date would lose its microseconds. */
  runAt: string;
};

/**
 * Runs the schedules that are due. The figures are read first; then one transaction sets the next run and adds the
 * mails, so that one instance does it, once. A run that was missed is made up for once, about the last whole day,
 * week or month. One that fails does not keep the others back, and runs again with the next call.
 * @param now replaces the database's clock, in tests
 * @throws what the first one failed with, after the others
 */
export async function sendDueReports(now: Date | null = null): Promise<void> {
  const failures = new Map<string, unknown>();
  for (;;) {
    const due = await one<DueSchedule>(
      db(),
      `select s.id, s.frequency, s.recipients, u.email as created_by, cast(s.next_run_at as text) as run_at
       from report_schedules s join users u on u.id = s.created_by
       where ${isEnabledSql("s")} and s.next_run_at <= ${nowSql} and s.id <> all(:failed)
       order by s.next_run_at, s.id limit 1`,
      { now, failed: [...failures.keys()] },
    );
    if (!due) break;
    await runSchedule(due, now).catch((cause: unknown) => failures.set(due.id, cause));
  }
  for (const cause of failures.values()) throw cause;
}

/** The jobs of the table `jobs` that wait while outgoing messages are paused. */
export const outgoingJobs = {
  reports: repeatedJob(60, () => sendDueReports(), { isOutgoing: true }),
};

async function runSchedule(due: DueSchedule, now: Date | null): Promise<void> {
  const { id, frequency, recipients, createdBy, runAt } = due;
  const { viewers } = await listRestricted(db(), recipients);
  const report = await readReport(frequency, { role: "user" }, now);
  const masked = viewers.size > 0 ? await readReport(frequency, { role: "viewer" }, now) : report;
  const reason = `${createdBy} set up this report.`;
  await db().transaction(async (trx) => {
    // A change that makes a recipient a viewer, or disables one, waits from here on, and then drops the mail.
    const restricted = await listRestricted(trx, recipients, "for share");
    // The schedule stays due and runs again if a recipient became a viewer while the figures were read.
    if (viewers.size === 0 && restricted.viewers.size > 0) return;
    // Another instance may have run, changed or removed it meanwhile.
    const isOurs = await one(
      trx,
      `update report_schedules set last_run_at = ${nowSql},
         next_run_at = ${nextRunSql("frequency", "hour")}
       where id = :id and ${isEnabledSql("report_schedules")} and next_run_at = cast(:runAt as timestamptz)
         and recipients = :recipients returning id`,
      { id, runAt, recipients, timeZone: siteTimeZone(), now },
    );
    if (!isOurs) return;
    for (const [index, recipient] of recipients.entries()) {
      const email = recipient.toLowerCase();
      if (restricted.disabled.has(email)) continue;
      const dedupKey = `report ${id} ${runAt} ${index}`;
      const data = { ...(restricted.viewers.has(email) ? masked : report), reason };
      await enqueueMail(trx, { template: "report", data, recipient, dedupKey });
    }
    const { title, period, path } = report;
    await recordEvent(trx, {
      type: "report.ready",
      subject: `report_schedule:${id}`,
      data: { report: { schedule_id: Number(id), frequency, title, period, path } },
    });
  });
}

/** Returns the addresses of viewers, who get codes masked (RULES H23), and of disabled users, who get nothing. */
async function listRestricted(
  database: Database,
  recipients: readonly string[],
  lock: "for share" | "" = "",
) {
  const users = await query<{ email: string; isViewer: boolean; isDisabled: boolean }>(
    database,
    `select email, role = 'viewer' as is_viewer, is_disabled from users
     where email = any(:emails) order by id ${lock}`,
    { emails: recipients.map((recipient) => recipient.toLowerCase()) },
  );
  const emailsOf = (state: "isViewer" | "isDisabled"): ReadonlySet<string> =>
    new Set(users.filter((user) => user[state]).map(({ email }) => email));
  return { viewers: emailsOf("isViewer"), disabled: emailsOf("isDisabled") };
}

/**
 * Sends the report of a schedule to the admin who asks for it, and to nobody else, once for each idempotency key.
 * @throws DomainError not_found
 */
export async function sendTestReport(
  id: string,
  { actor, idempotencyKey }: ActionOptions,
): Promise<void> {
  const { frequency } = await getSchedule(id);
  const report = await readReport(frequency, { role: "admin" });
  await db().transaction(async (trx) => {
    const mail = await enqueueMail(trx, {
      template: "report",
      data: { ...report, reason: "You asked for it as a test." },
      recipient: actor.email,
      dedupKey: `report test ${id} ${actor.id} ${(idempotencyKey ?? randomUUID()).slice(0, 100)}`,
    });
    if (mail !== null) await recordAction(trx, actor, "report_schedule.tested", id);
  });
}
