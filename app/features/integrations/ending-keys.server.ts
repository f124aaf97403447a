/** Tells admins of keys before they end: every machine that uses one is refused afterwards. */
import type { Knex } from "knex";
import { db, query } from "../../db/connection.server";
import { siteTimeZone } from "../../db/site.server";
import { formatDateTime } from "../../format/date";
import { paths } from "../../paths";
import { lockMailedAdmins, mailAdmins } from "../sign-in/admin-mails.server";
import { keyName, type EndingKeys } from "./integration";
import { endsSoonSql } from "./integrations.server";

const maxMailed = 20;
const mailedDays = [1, 7, 14];

/** Lists the integrations of which keys end within 14 days without a successor, the first to end first. */
export async function listEndingKeys(limit: number): Promise<EndingKeys[]> {
  return query(
    db(),
    `select i.id as integration_id, i.name as integration_name, count(*)::integer as count,
       min(k.expires_at) as ends_at, (array_agg(k.last_four order by k.expires_at, k.id))[1] as last_four
     from api_keys k join integrations i on i.id = k.integration_id
     where ${endsSoonSql}
     group by i.id order by min(k.expires_at), i.id limit :limit`,
    { limit },
  );
}

type DueKey = { id: string; lastFour: string; expiresAt: Date; days: number; integration: string };

/**
 * Mails all admins the keys that end within 14, 7 or 1 days, each key once for each number that its time is longer
 * than. A key is marked in the transaction that adds the mails, so that several instances send them once.
 */
export async function mailEndingKeys(): Promise<void> {
  await db().transaction(async (trx) => {
    const admins = await lockMailedAdmins(trx);
    const keys = await query<DueKey>(
      trx,
      `with due as (
         select k.id, min(days) as days
         from api_keys k, unnest(cast(:mailedDays as integer[])) as days
         where k.integration_id is not null and ${endsSoonSql}
           and k.expires_at <= now() + make_interval(days => days)
           and k.expires_at - k.created_at > make_interval(days => days)
         group by k.id
       ), marked as (
         update api_keys k set ending_mailed = due.days from due
         where k.id = due.id and (k.ending_mailed is null or k.ending_mailed > due.days)
         returning k.id, k.last_four, k.expires_at, k.integration_id, due.days
       )
       select m.id, m.last_four, m.expires_at, m.days, i.name as integration
       from marked m join integrations i on i.id = m.integration_id order by m.expires_at, m.id`,
      { mailedDays },
    );
    for (const days of mailedDays)
      await mailKeys(
        trx,
        admins,
        keys.filter((key) => key.days === days),
      );
  });
}

/** @param keys that end within the same number of days */
async function mailKeys(
  trx: Knex.Transaction,
  admins: readonly string[],
  keys: DueKey[],
): Promise<void> {
  const [first] = keys;
  if (!first) return;
  const timeZone = siteTimeZone();
  const rows = keys
    .slice(0, maxMailed)
    .map((key) => [keyName(key), key.integration, formatDateTime(key.expiresAt, timeZone)]);
  const table = { title: "Keys", headings: ["Key", "Integration", "Valid until"], rows };
  await mailAdmins(trx, admins, {
    template: "keys_ending",
    data: { count: keys.length, days: first.days, table, path: paths.integrations },
    dedupKey: `key ${first.id} ends in ${first.days}`,
  });
}
