/** Mails that failed, for the places that caused them. */
import { db, query } from "../../db/connection.server";
import { formatDateTime } from "../../format/date";
import { canRetrySql } from "./outbox.server";
import { templateLabels, type TemplateName } from "./templates";

type FailedMailRow = {
  id: string;
  template: TemplateName;
  recipient: string;
  failedAt: Date;
  reason: string;
  canRetry: boolean;
};

export type FailedMail = ReturnType<typeof toFailedMail>;

/** @param timeZone the site's IANA zone */
function toFailedMail(
  { id, template, recipient, failedAt, reason, canRetry }: FailedMailRow,
  timeZone: string,
) {
  const kind = templateLabels[template];
  return {
    id,
    recipient,
    canRetry,
    jobId: `mail-${id}`,
    text: `${kind} to ${recipient} failed on ${formatDateTime(failedAt, timeZone)}: ${reason}`,
  };
}

/** The id of the schedule of a report, also of one that was sent as a test. */
const scheduleSql = (mail: string) =>
  `split_part(replace(${mail}.dedup_key, 'report test ', 'report '), ' ', 2)`;

/**
 * Lists failed mails without those after which one of the same kind, for a report of the same schedule, was sent to the
 * same address or failed. The deduplication key of a report names its schedule.
 * @param conditionSql about a row of the outbox
 */
async function listFailed(
  conditionSql: string,
  bindings: Record<string, unknown>,
  limitSql = "",
): Promise<FailedMailRow[]> {
  return query(
    db(),
    `select id, template, recipient, finished_at as failed_at, coalesce(last_error, '') as reason,
       ${canRetrySql} as can_retry
     from outbox where state = 'failed' and ${conditionSql} and not exists (
       select from outbox later where later.id > outbox.id and later.template = outbox.template
         and later.state <> 'pending'
         and (later.template <> 'report' or ${scheduleSql("later")} = ${scheduleSql("outbox")})
         and lower(later.recipient) = lower(outbox.recipient))
     order by id desc ${limitSql}`,
    bindings,
  );
}

/** Returns the failed mails to some addresses, by these in lower case. */
export async function failedMailsTo(
  addresses: readonly string[],
  timeZone: string,
): Promise<Map<string, FailedMail[]>> {
  const lower = addresses.map((address) => address.toLowerCase());
  const rows = await listFailed("lower(recipient) = any(:lower) and template <> 'report'", {
    lower,
  });
  const mails = new Map<string, FailedMail[]>();
  for (const row of rows) {
    const address = row.recipient.toLowerCase();
    mails.set(address, [...(mails.get(address) ?? []), toFailedMail(row, timeZone)]);
  }
  return mails;
}

/** Returns the newest failed mails with the template of each. */
export async function listFailedMails(
  timeZone: string,
  limit: number,
): Promise<(FailedMail & { template: TemplateName })[]> {
  const rows = await listFailed("true", { limit }, "limit :limit");
  return rows.map((row) => ({ ...toFailedMail(row, timeZone), template: row.template }));
}

/** Returns the failed mails of a cause, whose deduplication keys begin with a text. */
export async function failedMailsOf(keyPrefix: string, timeZone: string): Promise<FailedMail[]> {
  const rows = await listFailed("starts_with(dedup_key, :keyPrefix)", { keyPrefix });
  return rows.map((row) => toFailedMail(row, timeZone));
}
