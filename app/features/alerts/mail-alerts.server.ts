/** Mails about alerts, to those who chose them: one for all that were raised since the last one. */
import type { Knex } from "knex";
import { db, one, query } from "../../db/connection.server";
import { nowSql, siteTimeZone } from "../../db/site.server";
import { isEmailAddress } from "../../format/email-address";
import { formatDateTime } from "../../format/date";
import { paths } from "../../paths";
import { recordAction, type Actor } from "../activity/audit-log.server";
import { enqueueMail } from "../mail/outbox.server";
import { nextRunSql } from "../report-schedules/schedules.server";
import type { Reader } from "../sign-in/user";
import { mailChoices, type Alert, type MailChoice } from "./alert";
import { alertsSql, isOpenSql } from "./alert-counts.server";
import { kindsFor } from "./alert-kinds.server";

/** More alerts than these are a number in the mail. */
const maxListed = 50;

const mailHour = 7;
const nextMailSql = () =>
  `case when m.frequency = 'daily' then ${nextRunSql("'daily'", String(mailHour))} end`;

type DuePerson = Reader & {
  userId: string;
  email: string;
  frequency: Exclude<MailChoice, "never">;
  lastAlertId: string;
  /** Those that are open or were cleared within an hour before the last mail. */
  mailedAlerts: string[];
};

/**
 * Mails the alerts that were raised since the last mail of each person and still need somebody. An alert that was
 * in an earlier mail, cleared and raised again within an hour is not mailed again.
 * @param now replaces the database's clock, in tests
 */
export async function mailAlerts(now: Date | null = null): Promise<void> {
  await db().transaction(async (trx) => {
    const people = await query<DuePerson>(
      trx,
      `select m.user_id, m.frequency, m.last_alert_id, m.mailed_alerts, u.email, u.role
       from alert_mails m join users u on u.id = m.user_id
       where not u.is_disabled and u.role <> 'viewer'
         and (m.frequency = 'at_once' or m.next_mail_at <= ${nowSql})
       order by m.user_id for update of m for share of u skip locked`,
      { now },
    );
    if (people.length === 0) return;
    // Alerts that are being raised have their ids by then.
    await query(trx, "lock table alerts in share row exclusive mode");
    for (const person of people) await mailPerson(trx, person);
    await query(
      trx,
      `update alert_mails m set last_alert_id = ${lastIdSql}, next_mail_at = ${nextMailSql()}
       where m.user_id = any(:userIds)`,
      { userIds: people.map(({ userId }) => userId), timeZone: siteTimeZone(), now },
    );
  });
}

const lastIdSql = "(select coalesce(max(a.id), 0) from alerts a)";

async function mailPerson(trx: Knex.Transaction, person: DuePerson): Promise<void> {
  const { userId, email, frequency, lastAlertId, mailedAlerts } = person;
  // An unusable address must not fail the mails of the others.
  if (!isEmailAddress(email)) return;
  const raised = await query<Alert & { isRepeated: boolean }>(
    trx,
    `select a.id, a.kind, a.subject, a.message, a.button, a.raised_at,
       exists (select from alerts earlier where earlier.kind = a.kind and earlier.subject = a.subject
         and earlier.cleared_at > a.raised_at - interval '1 hour'
         and earlier.id = any(cast(:mailedAlerts as bigint[]))) as is_repeated
     from ${alertsSql}
     where a.id > :lastAlertId and ${isOpenSql} and a.is_mailed and a.kind = any(:kinds)
     order by a.id`,
    { lastAlertId, mailedAlerts, kinds: Object.keys(kindsFor(person)) },
  );
  if (raised.length === 0) return;
  // A repeated alert counts as mailed, so that one which comes and goes is mailed once.
  await query(
    trx,
    `update alert_mails set mailed_alerts = array(
       select a.id from alerts a where a.id = any(mailed_alerts || cast(:ids as bigint[]))
         and coalesce(a.cleared_at, 'infinity') > now() - interval '1 hour')
     where user_id = :userId`,
    { userId, ids: raised.map(({ id }) => id) },
  );
  const alerts = raised.filter(({ isRepeated }) => !isRepeated);
  const newest = alerts.at(-1);
  if (!newest) return;
  const rows = alerts
    .slice(0, maxListed)
    .map(({ message, raisedAt }) => [message, formatDateTime(raisedAt, siteTimeZone())]);
  await enqueueMail(trx, {
    template: "alerts",
    data: {
      count: alerts.length,
      choice: mailChoices[frequency],
      table: { title: "Alerts", headings: ["Alert", "Since"], rows },
      path: paths.alerts,
    },
    recipient: email,
    dedupKey: `alerts ${userId} ${newest.id}`,
  });
}

export async function readMailChoice(userId: string): Promise<MailChoice> {
  const row = await one<{ frequency: MailChoice }>(
    db(),
    "select frequency from alert_mails where user_id = :userId",
    { userId },
  );
  return row?.frequency ?? "never";
}

/** Changes when a person gets mails, about alerts that are raised from now on. @returns `changed`: false if it was so already */
export async function changeMailChoice(
  choice: MailChoice,
  { actor }: { actor: Actor },
): Promise<{ changed: boolean }> {
  return db().transaction(async (trx) => {
    const { id: userId } = actor;
    await query(trx, "select from users where id = :userId for update", { userId });
    const existing = await readMailChoice(userId);
    if (existing === choice) return { changed: false };
    if (choice === "never")
      await query(trx, "delete from alert_mails where user_id = :userId", { userId });
    else
      await query(
        trx,
        `insert into alert_mails as m (user_id, frequency, next_mail_at, last_alert_id)
         select :userId, m.frequency, ${nextMailSql()}, ${lastIdSql}
         from (select cast(:choice as text) as frequency) m
         on conflict (user_id) do update set frequency = excluded.frequency,
           next_mail_at = excluded.next_mail_at, last_alert_id = excluded.last_alert_id`,
        { userId, choice, timeZone: siteTimeZone(), now: null },
      );
    const mails = { from: mailChoices[existing], to: mailChoices[choice] };
    await recordAction(trx, actor, "user.alert_mails_changed", userId, { details: { mails } });
    return { changed: true };
  });
}
