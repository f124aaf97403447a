import { text as readText } from "node:stream/consumers";
import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { db } from "../../app/db/connection.server";
import {
  parseMatching,
  parseSelection,
} from "../../app/features/promotions/lifecycle/bulk-actions";
import { csvLine } from "../../app/codec/csv.server";
import { exportPromotions } from "../../app/features/promotions/list/export-promotions.server";
import { readCsv } from "../support/read-csv";
import { insertMany, insertPromotion } from "../factories/promotions";
import { countSessions } from "../support/database-sessions";
import { everyNth, naughtyStrings } from "../support/naughty-strings";
import { useDatabase } from "../support/postgres";
import { anyText, property } from "../support/property";
import { inSoak } from "../support/repetitions";

const reader = { role: "user" } as const;

/** Prefixes that start a formula, and the full-width forms that some spreadsheets treat alike. */
const trigger = /^[=+\-@\t\r\0＝＋－＠]/;

describe("a cell", () => {
  const dangerous = [
    "=1+1",
    "+1",
    "-1",
    "@SUM(A1)",
    "\t=1",
    "\r=1",
    "\0=1",
    "\0\0+1",
    "＝1",
    '="a"',
    "a;=1",
    'a;"=1"',
    "a\t@SUM(A1)",
    "a\n+1;-1",
    "a;\0＝1",
  ];
  /** Splits a text into cells as a spreadsheet does that separates them by semicolons or tabs. */
  const parts = (text: string) => text.split(/[;\t\r\n]"*/);
  const withoutGuards = (text: string) => text.replaceAll(/(^|[;\t\r\n])'/g, "$1");

  test("is text, however it begins", () => {
    for (const text of [...dangerous, ...naughtyStrings]) {
      const [[cell]] = readCsv(csvLine([text])) as [[string]];
      for (const part of [cell, ...parts(cell)]) expect(part).not.toMatch(trigger);
      expect(withoutGuards(cell)).toBe(withoutGuards(text.replaceAll("\0", "")));
    }
  });

  property([fc.array(anyText(), { minLength: 2 })])("is read back as it was written", (texts) => {
    const plain = texts.map((text) => `x${text.replaceAll("\0", "")}`);
    const [row] = readCsv(csvLine(plain));
    expect(row!.map(withoutGuards)).toEqual(plain.map(withoutGuards));
  });

  test("that is a number stays one", () => {
    expect(csvLine([25, -5, 0, null])).toBe("25,-5,0,\r\n");
  });
});

describe("an export", () => {
  useDatabase();

  beforeAll(async () => {
    for (const [index, name] of [...everyNth(10), "=cmd()", "Summer"].entries()) {
      if (name === "" || name.includes("\0") || [...name].length > 200) continue;
      await insertPromotion({
        name,
        created_at: new Date(Date.UTC(2026, 0, 1 + (index % 7), 12, 30)),
        expires_at: index % 3 ? new Date("2026-12-31T23:00:00Z") : null,
        is_deleted: index % 10 === 0,
        is_active: index % 7 !== 0,
      });
    }
  });

  const columns = async (query: string, ...names: string[]) => {
    const [head = [], ...rows] = await exported(query);
    return rows.map((row) => names.map((name) => row[head.indexOf(name)]!));
  };

  async function exported(query: string): Promise<string[][]> {
    const params = new URLSearchParams(query);
    const { selection } = parseSelection(params, reader) ?? parseMatching(params, reader);
    const file = await readText(exportPromotions(selection, reader));
    expect(file.startsWith("\ufeff")).toBe(true);
    return readCsv(file.slice(1));
  }

  test.each([
    ["", "not is_deleted"],
    ["include_deleted=true", "true"],
    ["deleted=true", "is_deleted"],
    ["status=inactive", "not is_deleted and not is_active"],
    ["text=summer", "not is_deleted and name ilike '%summer%'"],
    ["created_after=03/01/2026", "not is_deleted and created_at > '2026-01-03'"],
    ["ids=3&ids=1&ids=11&ids=999999", "id in (1, 3, 11)"],
  ])("'%s' holds exactly what is asked for, newest first", async (query, condition) => {
    const { rows } = await db().raw<{ rows: { id: string }[] }>(
      `select id from promotions where ${condition} order by created_at desc, id desc`,
    );
    const found = await columns(query, "ID");
    expect(found.flat()).toEqual(rows.map((row) => row.id));
    expect(found.length).toBeGreaterThan(0);
  });

  test("has no cell that is a formula, and every name", async () => {
    const rows = await exported("include_deleted=true");
    for (const cell of rows.flat()) expect(cell).not.toMatch(trigger);
    const names = (await columns("include_deleted=true", "Name")).flat();
    for (const { name } of await db()("promotions").select<{ name: string }[]>("name"))
      expect(names).toContain(trigger.test(name) ? `'${name}` : name);
  });

  test("says dates for machines and for people, and the status of the list", async () => {
    const id = await insertPromotion({
      created_at: new Date("2026-06-30T22:30:00Z"),
      expires_at: new Date("2025-12-31T23:00:00Z"),
    });
    const names = ["Created (ISO, UTC)", "Created (Europe/Berlin)", "Valid until (ISO)"];
    expect(
      await columns(`ids=${id}`, ...names, "Valid until (Europe/Berlin)", "Status", "Uses left"),
    ).toEqual([
      [
        "2026-06-30T22:30:00Z",
        "01.07.2026 00:30",
        "2025-12-31",
        "31.12.2025",
        "Expired",
        "Unlimited",
      ],
    ]);
  });
});

inSoak(describe)("an export of several pages", () => {
  useDatabase();

  test("has each row once, whatever is made meanwhile, and holds no connection", async () => {
    await insertMany(9_001);
    const ids: string[] = [];
    const { selection } = parseMatching(new URLSearchParams(), reader);
    for await (const part of exportPromotions(selection, reader)) {
      ids.push(...readCsv(part.replace("\ufeff", "")).map(([id]) => id!));
      await insertMany(50, `beside ${ids.length}`);
      expect(await countSessions("idle in a transaction")).toBe(0);
    }
    expect(ids.shift()).toBe("ID");
    expect(ids).toHaveLength(9_001);
    expect(new Set(ids).size).toBe(9_001);
  });
});
