/**
 * Raises and clears alerts. A row is open from the run that finds its subject to the one that finds it no more, so that
 * an alert is raised once while it lasts, whatever the number of instances and runs.
 */
import { isDeepStrictEqual } from "node:util";
import type { Knex } from "knex";
import { db, query } from "../../db/connection.server";
import { repeatedJob } from "../../db/jobs.server";
import type { Leftovers } from "../../db/sweep.server";
import { recordEvent } from "../events/record-event.server";
import { settings } from "../settings/settings.server";
import { loadAlertCounts } from "./alert-counts.server";
import { alertKinds, type AlertKindName, type CurrentAlert } from "./alert-kinds.server";
import type { Alert } from "./alert";
import { mailAlerts } from "./mail-alerts.server";

export const oldAlerts = (): Leftovers[] => [
  {
    table: "alerts",
    conditionSql: `cleared_at < now() - interval '${settings().eventDays} days'`,
  },
  { table: "alert_mutes", conditionSql: "until < now()" },
];

const allKinds = Object.keys(alertKinds) as AlertKindName[];

/** Finds what each kind tells of. A kind that fails holds up no other. @throws what the first one threw */
export async function updateAlerts(kinds: readonly AlertKindName[] = allKinds): Promise<void> {
  const errors: unknown[] = [];
  const open = await query<Alert>(
    db(),
    "select a.kind, a.subject, a.message, a.button from alerts a where a.cleared_at is null",
  );
  for (const kind of kinds) {
    try {
      const current = await alertKinds[kind].find();
      const known = open.filter((alert) => alert.kind === kind);
      if (current && !isKnown(current, known))
        await db().transaction((trx) => storeCurrent(trx, kind, current));
    } catch (error) {
      errors.push(error);
    }
  }
  await mailAlerts();
  await loadAlertCounts();
  if (errors.length > 0) throw errors[0];
}

/** Tells whether nothing has changed since the last run, as is usual. */
function isKnown(current: readonly CurrentAlert[], open: readonly Alert[]): boolean {
  const bySubject = new Map(open.map((alert) => [alert.subject, alert]));
  return (
    current.length === open.length &&
    current.every(({ subject, message, button }) => {
      const known = bySubject.get(subject);
      return known?.message === message && isDeepStrictEqual(known.button, button);
    })
  );
}

/** Raised and cleared within a minute (RULES Q2). */
export const alertsJob = repeatedJob(30, () => updateAlerts());

const currentSql = `jsonb_to_recordset(cast(:current as jsonb))
  as f (subject text, message text, button jsonb, "isMailed" boolean)`;
const columnsSql = "a.id, a.kind, a.subject, a.message, a.button, a.raised_at";

async function storeCurrent(
  trx: Knex.Transaction,
  kind: AlertKindName,
  current: readonly CurrentAlert[],
): Promise<void> {
  const bindings = { kind, current: JSON.stringify(current) };
  const cleared = await query<Alert>(
    trx,
    `update alerts a set cleared_at = now()
     where a.kind = :kind and a.cleared_at is null and a.subject not in (select f.subject from ${currentSql})
     returning ${columnsSql}`,
    bindings,
  );
  await query(
    trx,
    `update alerts a set message = f.message, button = f.button from ${currentSql}
     where a.kind = :kind and a.cleared_at is null and a.subject = f.subject
       and (a.message, a.button) is distinct from (f.message, f.button)`,
    bindings,
  );
  // Another instance may raise it meanwhile.
  const raised = await query<Alert>(
    trx,
    `insert into alerts as a (kind, subject, message, button, is_mailed)
     select :kind, f.subject, f.message, f.button, f."isMailed" from ${currentSql}
     where not exists (select from alerts a
       where a.kind = :kind and a.subject = f.subject and a.cleared_at is null)
     on conflict (kind, subject) where cleared_at is null do nothing
     returning ${columnsSql}`,
    bindings,
  );
  for (const alert of cleared) await recordChange(trx, "alert.cleared", kind, alert);
  for (const alert of raised) await recordChange(trx, "alert.raised", kind, alert);
}

function recordChange(
  trx: Knex.Transaction,
  type: "alert.raised" | "alert.cleared",
  kind: AlertKindName,
  { id, subject, message, button }: Alert,
): Promise<void> {
  const { role } = alertKinds[kind];
  return recordEvent(trx, {
    type,
    subject: `alert:${id}`,
    data: { alert: { id: Number(id), kind, role, subject, message, path: button.to } },
  });
}
