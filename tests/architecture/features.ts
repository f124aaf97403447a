/** The features and the tables that they own, which a new feature or table is added to. */

/** Each feature imports only those before it. */
export const featureOrder = [
  // Audit entries, history, idempotency.
  "activity",
  // Uploaded images.
  "pictures",
  // Settings of the site, which admins change.
  "settings",
  // The outbox.
  "mail",
  // Sessions, tokens, passwords, links.
  "sign-in",
  // A second admin for many codes.
  "approvals",
  // Codes, passkeys.
  "second-factor",
  // Profiles, photos, invitations.
  "people",
  "machines",
  "assignments",
  // With their keys.
  "integrations",
  "transactions",
  "events",
  // Caps on all that their codes give.
  "caps",
  "promotions",
  "redemptions",
  // Codes that test keys redeem.
  "test-mode",
  // The customer's page of a code, and sharing it.
  "customer-page",
  // The search in the top bar.
  "search",
  // With their archives.
  "mass-generations",
  // CSV files of codes, machines, groups and assignments, with a dry run.
  "imports",
  "labels",
  "reports",
  // Months of transactions that are moved into files.
  "archived-months",
  // Reports by mail.
  "report-schedules",
  "webhooks",
  // Things that need somebody.
  "alerts",
  // The log as a list.
  "audit",
  // Mails and deliveries that wait after a restore.
  "outgoing",
  // Their list.
  "jobs",
  "dashboard",
  // Its removal.
  "sample-data",
];

/**
 * The parts that may name a table or a view in SQL: writers may also read, readers may not write. A
 * part is a feature, or a folder beside `features`.
 */
export const tables: Record<string, { writers: string; readers?: string }> = {
  site_settings: { writers: "db settings dashboard" },
  site_logo: { writers: "settings" },
  flash_messages: { writers: "http" },
  rate_limits: { writers: "db redemptions" },

  // A redemption records that its key is throttled, in the statement that counts.
  audit_log: { writers: "activity redemptions", readers: "integrations audit sample-data" },
  idempotency_keys: { writers: "activity" },

  event_log: { writers: "events", readers: "webhooks archived-months" },
  events: { writers: "events", readers: "webhooks" },
  recorded_events: { writers: "events" },

  webhooks: { writers: "webhooks" },
  webhook_deliveries: { writers: "webhooks" },

  approvals: { writers: "approvals" },

  alerts: { writers: "alerts" },
  alert_mutes: { writers: "alerts" },
  alert_mails: { writers: "alerts" },

  jobs: { writers: "db" },
  last_writes: { writers: "db" },
  outbox: { writers: "mail" },
  report_schedules: { writers: "report-schedules" },

  users: {
    writers: "sign-in people",
    readers: "approvals second-factor mass-generations promotions imports report-schedules alerts",
  },
  // An undone change of an address ends whatever opens the account. A message for the next page belongs to a session.
  sessions: { writers: "sign-in people", readers: "http" },
  tokens: { writers: "sign-in people" },
  second_factors: { writers: "second-factor people", readers: "sign-in" },
  recovery_codes: { writers: "second-factor" },
  trusted_browsers: { writers: "second-factor" },
  known_devices: { writers: "sign-in" },
  email_undos: { writers: "people" },
  passkeys: { writers: "second-factor people", readers: "sign-in" },
  passkey_challenges: { writers: "second-factor" },
  avatars: { writers: "people" },

  machines: {
    // A redemption stores when a code was last used at the machine.
    writers: "machines redemptions sample-data imports",
    readers:
      "db assignments events integrations transactions promotions customer-page reports dashboard",
  },
  // A deleted group is removed from what it was assigned to.
  machine_groups: { writers: "machines assignments imports", readers: "promotions reports" },
  machine_group_members: {
    writers: "machines imports",
    readers: "assignments reports sample-data",
  },
  platform_sync: { writers: "machines" },
  machine_promotion_counts: { writers: "promotions", readers: "machines reports" },

  assignment_sets: {
    writers: "assignments sample-data imports",
    readers: "promotions mass-generations reports dashboard",
  },
  assignments: { writers: "assignments imports", readers: "promotions dashboard sample-data" },
  assigned_machines: { writers: "", readers: "promotions reports" },
  effective_machines: {
    writers: "",
    readers: "assignments promotions redemptions customer-page reports",
  },

  integrations: { writers: "integrations", readers: "transactions" },
  // Sign-in and redemptions store when a key was last used.
  api_keys: { writers: "integrations sign-in people redemptions", readers: "sample-data imports" },
  refused_key_requests: { writers: "integrations" },
  // A schema with tables of its own, which the statements of redemptions meet by their names.
  test_mode: { writers: "test-mode" },

  activity_summary: { writers: "reports", readers: "archived-months" },
  daily_activity: { writers: "reports" },
  campaign_activity: { writers: "reports" },
  campaign_years: { writers: "reports" },
  // Triggers count what people change.
  code_counts: { writers: "reports" },
  used_up_codes: { writers: "reports" },
  countable_codes: { writers: "", readers: "reports" },

  promotions: {
    // A redemption counts the uses of a code; a mass generation creates its codes.
    writers: "promotions mass-generations redemptions sample-data caps imports",
    readers: "assignments approvals customer-page transactions events labels reports dashboard",
  },
  mass_generations: {
    writers: "mass-generations promotions assignments sample-data caps imports",
    readers: "approvals transactions events labels reports dashboard",
  },
  // Codes that came to a mass generation later.
  added_codes: { writers: "mass-generations", readers: "approvals promotions imports" },
  // A redemption takes from what is left, in the statement that decides.
  caps: { writers: "caps" },
  cap_parts: { writers: "caps" },
  cap_machine_days: { writers: "caps" },

  imports: { writers: "imports", readers: "promotions approvals dashboard" },
  import_rows: { writers: "imports" },

  // Shared views outlive their users.
  saved_views: { writers: "promotions people" },
  deleted_views: { writers: "promotions" },
  replacements: { writers: "promotions" },
  lifecycle_operations: { writers: "promotions" },

  // A redemption writes its transaction in the statement that decides.
  transactions: {
    writers: "redemptions sample-data",
    readers: "transactions events caps promotions reports archived-months dashboard imports",
  },
  // A trigger of the attempts fills it, and so do rollbacks of what has not arrived.
  redemption_ids: { writers: "redemptions", readers: "transactions" },
  table_partitions: { writers: "", readers: "archived-months" },
  archived_months: { writers: "archived-months", readers: "db dashboard" },
  archived_daily_activity: { writers: "", readers: "reports" },
  archived_campaign_activity: { writers: "", readers: "reports redemptions caps" },
  // Reports sweep refused attempts that they have summed up.
  redemption_attempts: {
    writers: "redemptions sample-data",
    readers: "events reports archived-months",
  },
  removed_codes: { writers: "sample-data", readers: "imports" },
  attempt_counts: { writers: "redemptions" },

  demo_products: { writers: "demo" },
  demo_events: { writers: "demo" },
};
