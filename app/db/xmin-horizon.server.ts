/** SQL that tells when everything which ran at one moment has ended, so that nothing arrives behind it. */

/**
 * The horizon of a moment before the transaction that asks wrote anything: its own id, higher than any that was given
 * out before. The end of a snapshot is none: what began last may run beyond it.
 */
export const horizonSql = "pg_current_xact_id()";

/** Whether a transaction id is of another database cluster, from which a backup was restored. */
export function isOfAnotherClusterSql(xid: string): string {
  return `${xid} > pg_snapshot_xmax(pg_current_snapshot())`;
}

/**
 * Whether every statement that ran when a horizon was stored has ended: what it wrote is visible, or never will be.
 * @param horizon an expression; null gives null
 */
export function isVisibleUpToSql(horizon: string): string {
  return `(${horizon} <= pg_snapshot_xmin(pg_current_snapshot()) or ${isOfAnotherClusterSql(horizon)})`;
}
