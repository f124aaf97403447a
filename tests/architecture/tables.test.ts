import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";

const root = path.resolve(import.meta.dirname, "../..");

/**
 * The parts that may name a table or a view in SQL: writers may also read, readers may not write. A
 * part is a feature, or a folder beside `features`.
 */
const tables: Record<string, { writers: string[]; readers?: string[] }> = {
  site_settings: { writers: ["db"] },
  flash_messages: { writers: ["http"] },
  rate_limits: { writers: ["db", "redemptions"] },

  // A redemption records that its key is throttled, in the statement that counts.
  audit_log: { writers: ["activity", "redemptions"], readers: ["integrations", "audit"] },
  idempotency_keys: { writers: ["activity"] },

  event_log: { writers: ["events"], readers: ["webhooks"] },
  events: { writers: ["events"], readers: ["webhooks"] },
  recorded_events: { writers: ["events"] },

  webhooks: { writers: ["webhooks"] },
  webhook_deliveries: { writers: ["webhooks"] },

  jobs: { writers: ["db"] },
  outbox: { writers: ["mail"] },
  report_schedules: { writers: ["report-schedules"] },

  users: {
    writers: ["sign-in", "people"],
    readers: [
      "second-factor",
      "integrations",
      "mass-generations",
      "promotions",
      "report-schedules",
      "webhooks",
    ],
  },
  // An undone change of an address ends whatever opens the account.
  sessions: { writers: ["sign-in", "people"] },
  tokens: { writers: ["sign-in", "people"] },
  second_factors: { writers: ["second-factor", "people"], readers: ["sign-in"] },
  recovery_codes: { writers: ["second-factor"] },
  trusted_browsers: { writers: ["second-factor"] },
  known_devices: { writers: ["sign-in"] },
  email_undos: { writers: ["people"] },
  passkeys: { writers: ["second-factor", "people"], readers: ["sign-in"] },
  passkey_challenges: { writers: ["second-factor"] },
  avatars: { writers: ["people"] },

  machines: {
    // A redemption stores when a code was last used at the machine.
    writers: ["machines", "redemptions"],
    readers: [
      "db",
      "assignments",
      "events",
      "integrations",
      "transactions",
      "promotions",
      "reports",
    ],
  },
  // A deleted group is removed from what it was assigned to.
  machine_groups: { writers: ["machines", "assignments"], readers: ["reports"] },
  machine_group_members: {
    writers: ["machines"],
    readers: ["assignments", "reports"],
  },
  platform_sync: { writers: ["machines"] },
  machine_promotion_counts: { writers: ["promotions"], readers: ["machines", "reports"] },

  assignment_sets: {
    writers: ["assignments"],
    readers: ["promotions", "mass-generations", "reports", "dashboard"],
  },
  assignments: { writers: ["assignments"], readers: ["promotions"] },
  assigned_machines: { writers: [], readers: ["promotions", "reports"] },
  effective_machines: {
    writers: [],
    readers: ["assignments", "promotions", "redemptions", "reports"],
  },

  integrations: { writers: ["integrations"], readers: ["transactions"] },
  // Sign-in and redemptions store when a key was last used.
  api_keys: { writers: ["integrations", "sign-in", "people", "redemptions"] },
  refused_key_requests: { writers: ["integrations"] },

  activity_summary: { writers: ["reports"] },
  daily_activity: { writers: ["reports"] },
  campaign_activity: { writers: ["reports"] },
  campaign_years: { writers: ["reports"] },
  // Triggers count what people change.
  code_counts: { writers: ["reports"] },
  used_up_codes: { writers: ["reports"] },
  countable_codes: { writers: [], readers: ["reports"] },

  promotions: {
    // A redemption counts the uses of a code; a mass generation creates its codes.
    writers: ["promotions", "mass-generations", "redemptions", "assignments"],
    readers: ["transactions", "events", "labels", "reports", "dashboard"],
  },
  mass_generations: {
    writers: ["mass-generations", "promotions", "assignments"],
    readers: ["transactions", "events", "reports", "dashboard"],
  },
  saved_views: { writers: ["promotions"] },
  lifecycle_operations: { writers: ["promotions"] },

  // A redemption writes its transaction in the statement that decides.
  transactions: {
    writers: ["redemptions"],
    readers: ["transactions", "events", "promotions", "reports"],
  },
  redemption_attempts: { writers: ["redemptions"], readers: ["reports"] },
  attempt_counts: { writers: ["redemptions"] },

  demo_products: { writers: ["demo"] },
  demo_events: { writers: ["demo"] },
};

type Use = { table: string; part: string; file: string; isWrite: boolean };

const wordsBefore = "from|join|using|only|into|update|truncate|table";
const inSql = new RegExp(`\\b(${wordsBefore})\\s+(?:table\\s+)?([a-z_]+)\\b`, "gi");
const inBuilder = /\b(?:db\(\)|trx|transaction|database)\(\s*"([a-z_]+)(?: as \w+)?"\s*\)([^;]*)/g;

function usesIn(file: string): Use[] {
  const part = /^app\/(?:features\/)?([^/.]+)/.exec(file)![1]!;
  const text = readFileSync(path.join(root, file), "utf8")
    .replace(/\/\*[\s\S]*?\*\//g, "")
    .replace(/^\s*(\/\/|--).*$/gm, "");
  const sql = [...text.matchAll(inSql)].map((match) => {
    const isDelete = /delete\s+$/i.test(text.slice(0, match.index));
    const isWrite = isDelete || /^(into|update|truncate|table)$/i.test(match[1]!);
    return { table: match[2]!.toLowerCase(), part, file, isWrite };
  });
  const builder = [...text.matchAll(inBuilder)].map(([, table, rest]) => {
    const isWrite = /\.(insert|update|delete|del|increment|decrement)\(/.test(rest!);
    return { table: table!, part, file, isWrite };
  });
  return [...sql, ...builder].filter(({ table }) => table in tables);
}

const uses = readdirSync(path.join(root, "app"), { recursive: true, encoding: "utf8" })
  .filter((name) => /\.server\.tsx?$/.test(name) || /^routes\/.*\.tsx?$/.test(name))
  .flatMap((name) => usesIn(path.join("app", name)));

test("each table is named only by the features that own it", () => {
  const breaches = uses.filter(({ table, part, isWrite }) => {
    const { writers, readers = [] } = tables[table]!;
    return !writers.includes(part) && (isWrite || !readers.includes(part));
  });
  const texts = breaches.map(
    ({ table, file, isWrite }) => `${file} ${isWrite ? "writes" : "reads"} ${table}`,
  );
  expect([...new Set(texts)]).toEqual([]);
});

test("each permission to name a table is used", () => {
  const isUsed = (table: string, part: string, isWrite: boolean) =>
    uses.some((use) => use.table === table && use.part === part && (use.isWrite || !isWrite));
  const unused = Object.entries(tables).flatMap(([table, { writers, readers = [] }]) => [
    ...writers
      .filter((part) => !isUsed(table, part, true))
      .map((part) => `${part} writes ${table}`),
    ...readers
      .filter((part) => !isUsed(table, part, false))
      .map((part) => `${part} reads ${table}`),
    ...readers.filter((part) => writers.includes(part)).map((part) => `${part} twice: ${table}`),
  ]);
  expect(unused).toEqual([]);
});

test("every table and view of the migrations has its owners stated", () => {
  const migrations = ["migrations", "app/demo/migrations"]
    .flatMap((folder) =>
      readdirSync(path.join(root, folder))
        .filter((name) => name.endsWith(".js"))
        .sort()
        .map((name) => readFileSync(path.join(root, folder, name), "utf8")),
    )
    .join("\n");
  const existing = new Set<string>();
  const statements = /\b(create(?: or replace)?|drop) (?:table|view)(?: if exists)? ([a-z_, ]+)/g;
  for (const [, verb, names] of migrations.matchAll(statements))
    for (const name of verb === "drop" ? names!.split(",") : [names!.trim().split(" ")[0]!])
      if (verb === "drop") existing.delete(name.trim());
      else existing.add(name.trim());
  expect([...existing].sort()).toEqual(Object.keys(tables).sort());
});
