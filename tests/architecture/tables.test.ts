import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { tables } from "./features";

const root = path.resolve(import.meta.dirname, "../..");

const parts = (names = "") => names.split(" ").filter(Boolean);

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
    const { writers, readers } = tables[table]!;
    return !parts(writers).includes(part) && (isWrite || !parts(readers).includes(part));
  });
  const texts = breaches.map(
    ({ table, file, isWrite }) => `${file} ${isWrite ? "writes" : "reads"} ${table}`,
  );
  expect([...new Set(texts)]).toEqual([]);
});

test("each permission to name a table is used", () => {
  const isUsed = (table: string, part: string, isWrite: boolean) =>
    uses.some((use) => use.table === table && use.part === part && (use.isWrite || !isWrite));
  const unused = Object.entries(tables).flatMap(([table, owners]) => {
    const [writers, readers] = [parts(owners.writers), parts(owners.readers)];
    return [
      ...writers
        .filter((part) => !isUsed(table, part, true))
        .map((part) => `${part} writes ${table}`),
      ...readers
        .filter((part) => !isUsed(table, part, false))
        .map((part) => `${part} reads ${table}`),
      ...readers.filter((part) => writers.includes(part)).map((part) => `${part} twice: ${table}`),
    ];
  });
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
  const statements =
    /\b(create(?: or replace)?|drop) (?:table|view)(?: if (?:not )?exists)? ([a-z_, ]+)/g;
  for (const [, verb, names] of migrations.matchAll(statements))
    for (const name of verb === "drop" ? names!.split(",") : [names!.trim().split(" ")[0]!])
      if (verb === "drop") existing.delete(name.trim());
      else existing.add(name.trim());
  expect([...existing].sort()).toEqual(Object.keys(tables).sort());
});
