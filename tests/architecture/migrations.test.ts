import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { baseline } from "../../app/db/baseline.server";
import { knownMigrations } from "../../app/db/migrate.server";

const root = path.resolve(import.meta.dirname, "../..");

/** Large tables that redemptions and people write to: who waits for an index there is a machine or a screen. */
const largeTables = [
  "promotions",
  "transactions",
  "redemption_attempts",
  "recorded_events",
  "audit_log",
];

function textOf(name: string): string {
  const file = name.startsWith("demo/")
    ? `app/demo/migrations/${name.slice(5)}`
    : `migrations/${name}`;
  return readFileSync(path.join(root, file), "utf8");
}

test("each migration has a number of its own in its folder", () => {
  for (const folder of ["migrations", "app/demo/migrations"]) {
    const names = readdirSync(path.join(root, folder)).filter((name) => name.endsWith(".js"));
    expect(names.filter((name) => !/^\d{4}(-[a-z0-9]+)+\.js$/.test(name))).toEqual([]);
    const numbers = names.map((name) => name.slice(0, 4));
    expect(numbers.filter((number, index) => numbers.indexOf(number) !== index)).toEqual([]);
  }
});

test("the migrations of the baseline exist and come first", async () => {
  const known = await knownMigrations();
  expect(baseline.filter((name) => !known.includes(name))).toEqual([]);
  const others = known.filter((name) => !name.startsWith("demo/") && !baseline.includes(name));
  const last = baseline
    .filter((name) => !name.startsWith("demo/"))
    .sort()
    .at(-1)!;
  expect(others.filter((name) => name < last)).toEqual([]);
});

test("a migration after the baseline builds indexes of large tables concurrently", async () => {
  const index = new RegExp(
    `create (?:unique )?index\\s+(?!concurrently|\\$\\{)[^;]*?\\bon (?:only )?(${largeTables.join("|")})\\b`,
  );
  const locking = (await knownMigrations())
    .filter((name) => !baseline.includes(name))
    .filter((name) => index.test(textOf(name)));
  expect(locking).toEqual([]);
});
