/** SQL that tells when everything which ran at one moment has ended, so that nothing arrives behind it. */

/** The horizon of this moment: the id that the next transaction gets. */
export const xminHorizonSql = "pg_snapshot_xmax(pg_current_snapshot())";

/**
 * Whether every statement that ran when a horizon was stored has ended: what it wrote is visible, or never will be.
 * A horizon of another database cluster, from which a backup was restored, may lie in the future.
 * @param horizon an expression; null gives null
 */
export function isVisibleUpToSql(horizon: string): string {
  return `(${horizon} <= pg_snapshot_xmin(pg_current_snapshot()) or ${horizon} > ${xminHorizonSql})`;
}
