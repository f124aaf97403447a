/** Alerts as lists, and what people do with them: dismissing and muting hide one from all who see it. */
import type { Knex } from "knex";
import { db, one, query } from "../../db/connection.server";
import { namesIn, queryPage, type PageQuery } from "../../db/pages.server";
import { conflict, notFound } from "../../errors";
import { parseRecordId } from "../../forms/record-id";
import { recordAction, type Actor } from "../activity/audit-log.server";
import { type ActionOptions, optionsOf, runOnce } from "../activity/idempotency.server";
import { canEdit, type Reader } from "../sign-in/user";
import type { Alert, AlertFilters, AlertState, ListedAlert } from "./alert";
import { alertsSql, isOpenSql, loadAlertCounts } from "./alert-counts.server";
import { kindsFor } from "./alert-kinds.server";

const stateSql: Record<AlertState | "open", string> = {
  open: isOpenSql,
  hidden: "a.cleared_at is null and (a.dismissed_at is not null or m.until is not null)",
  cleared: "a.cleared_at is not null",
};

/** Lists the alerts that a person sees, newest first. */
export function listAlerts({ state, kind }: AlertFilters, pageQuery: PageQuery, reader: Reader) {
  const from = `${alertsSql} where ${stateSql[state ?? "open"]} and a.kind = any(:kinds)`;
  return queryPage<ListedAlert>(
    {
      from,
      rows: `select a.*, m.until as muted_until, m.muted_by from ${from}
        order by coalesce(a.cleared_at, a.raised_at) desc, a.id desc limit :perPage offset :offset`,
    },
    { kinds: kind === null ? Object.keys(kindsFor(reader)) : [kind] },
    pageQuery,
  );
}

/** Lists all alerts that need a person, newest first. */
export function listOpenAlerts(reader: Reader): Promise<Alert[]> {
  return query(
    db(),
    `select a.id, a.kind, a.subject, a.message, a.button, a.raised_at from ${alertsSql}
     where ${isOpenSql} and a.kind = any(:kinds) order by a.raised_at desc, a.id desc`,
    { kinds: Object.keys(kindsFor(reader)) },
  );
}

type Options = ActionOptions & { actor: Actor & Reader };
type LockedAlert = Pick<ListedAlert, "id" | "kind" | "subject" | "message" | "dismissedAt"> & {
  isCleared: boolean;
  isMuted: boolean;
};

/**
 * Changes an alert under its lock, which is one row of the audit log.
 * @param change returns false if nothing is changed
 * @returns `changed`: false if it was so already
 * @throws DomainError not_found, also for one that the person doesn't see; conflict: it was cleared, and no mute is undone
 */
async function changeAlert(
  id: string,
  name: "dismissed" | "muted" | "restored",
  options: Options,
  change: (trx: Knex.Transaction, alert: LockedAlert) => Promise<boolean>,
): Promise<{ changed: boolean }> {
  const { actor } = options;
  const result = await runOnce(optionsOf(name, options), { alert: id }, async (trx) => {
    const alert = await one<LockedAlert>(
      trx,
      `select a.id, a.kind, a.subject, a.message, a.dismissed_at, a.cleared_at is not null as is_cleared,
         exists (select from alert_mutes m
           where m.kind = a.kind and m.subject = a.subject and m.until > now()) as is_muted
       from alerts a where a.id = :id and a.kind = any(:kinds) for update`,
      { id: parseRecordId(id), kinds: Object.keys(kindsFor(actor)) },
    );
    if (!alert) throw notFound("Alert not found");
    // A mute outlasts the alert, and would hide the next one.
    const isUnmuted = name === "restored" && alert.isMuted;
    if (alert.isCleared && !isUnmuted)
      throw conflict("This alert was cleared: the problem is fixed.");
    if (!(await change(trx, alert))) return { changed: false };
    const details = { alert: { from: null, to: alert.message } };
    await recordAction(trx, actor, `alert.${name}`, alert.id, { details });
    return { changed: true };
  });
  await loadAlertCounts();
  return result;
}

/** Hides an alert until it is cleared and raised again. */
export function dismissAlert(id: string, options: Options) {
  return changeAlert(id, "dismissed", options, async (trx, alert) => {
    if (alert.dismissedAt !== null) return false;
    await query(
      trx,
      "update alerts set dismissed_at = now(), dismissed_by = :email where id = :id",
      { id: alert.id, email: options.actor.email },
    );
    return true;
  });
}

/** Hides alerts of this kind about this subject for a week, also those that are raised meanwhile. */
export function muteAlert(id: string, options: Options) {
  return changeAlert(id, "muted", options, async (trx, { kind, subject, isMuted }) => {
    if (isMuted) return false;
    await query(
      trx,
      `insert into alert_mutes (kind, subject, until, muted_by)
       values (:kind, :subject, now() + interval '7 days', :email)
       on conflict (kind, subject) do update set until = excluded.until, muted_by = excluded.muted_by`,
      { kind, subject, email: options.actor.email },
    );
    return true;
  });
}

/** Shows an alert again that was dismissed or muted. */
export function restoreAlert(id: string, options: Options) {
  return changeAlert(id, "restored", options, async (trx, { kind, subject, isMuted, ...alert }) => {
    if (!isMuted && alert.dismissedAt === null) return false;
    await query(
      trx,
      "update alerts set dismissed_at = null, dismissed_by = null where id = :id and cleared_at is null",
      { id: alert.id },
    );
    await query(trx, "delete from alert_mutes where kind = :kind and subject = :subject", {
      kind,
      subject,
    });
    return true;
  });
}

const messages = namesIn("alerts", "message");

/** Messages may hold whole codes, so viewers read none. */
export const alertNames = {
  ...messages,
  read: async (ids: readonly string[], reader: Reader) =>
    canEdit(reader) ? messages.read(ids) : [],
};
