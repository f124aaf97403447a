/** Numbers of open alerts in memory, which each instance reads again every 5 s, so that no page asks for them. */
import { db, query } from "../../db/connection.server";
import type { Reader } from "../sign-in/user";
import { kindsFor } from "./alert-kinds.server";

/** Selects alerts that need somebody, with the mute of each. */
export const alertsSql = `alerts a
  left join alert_mutes m on m.kind = a.kind and m.subject = a.subject and m.until > now()`;
export const isOpenSql = "a.cleared_at is null and a.dismissed_at is null and m.until is null";

let counts = new Map<string, number>();

export async function loadAlertCounts(): Promise<void> {
  const rows = await query<{ kind: string; count: number }>(
    db(),
    `select a.kind, count(*)::integer as count from ${alertsSql} where ${isOpenSql} group by a.kind`,
  );
  counts = new Map(rows.map(({ kind, count }) => [kind, count]));
}

/** Returns how many alerts need a person; 0 before the database was read. */
export function countOpenAlerts(reader: Reader): number {
  return Object.keys(kindsFor(reader)).reduce((sum, kind) => sum + (counts.get(kind) ?? 0), 0);
}
