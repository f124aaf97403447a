/** The migrations of releases before 1.0.0. */
const replaced = [
  "0001-schema",
  "0002-list",
  "0003-platform-sync",
  "0004-machine-groups",
  "0005-redemption",
  "0006-machine-activity",
  "0007-transactions",
  "0008-assignment-sets",
  "0009-lifecycle",
  "0010-bulk-actions",
  "0011-campaigns",
  "0012-message-undo",
  "0013-disabled-users",
  "0014-autovacuum",
  "0015-redemption-ids",
  "0016-failed-lookup-limit",
  "0017-app-secret",
  "0018-activity-summary",
  "0019-outbox",
  "0020-profile",
  "0021-people",
  "0022-second-factor",
  "0023-demo-products",
  "0024-report-schedules",
  "0025-credentials-version",
  "0025-events",
  "0026-webhooks",
  "0027-key-scopes",
  "0027-passkeys",
  "0028-code-counts",
  "0028-webhook-attempts",
  "0029-report-indexes",
  "0030-campaign-years",
  "0031-account-safety",
  "0032-quiet-restore",
  "0034-key-safety",
].map((name) => `${name}.js`);

/** The migrations of release 1.0.0, which make the schema that all replaced ones made together. */
export const baseline = [
  "0001-site.js",
  "0002-activity.js",
  "0003-mail.js",
  "0004-users.js",
  "0005-machines.js",
  "0006-assignments.js",
  "0007-integrations.js",
  "0008-mass-generations.js",
  "0009-promotions.js",
  "0010-transactions.js",
  "0011-redemptions.js",
  "0012-events.js",
  "0013-reports.js",
  "0014-report-schedules.js",
  "0015-webhooks.js",
  "demo/0001-store.js",
  "demo/0002-calendar.js",
];

/**
 * Replaces the migrations of releases before 1.0.0 in a list of those that have run.
 * @returns null if some of them have not run
 */
export function withBaseline(ran: string[]): string[] | null {
  if (!replaced.some((name) => ran.includes(name))) return ran;
  if (!replaced.every((name) => ran.includes(name))) return null;
  return [...baseline, ...ran.filter((name) => !replaced.includes(name))];
}
