import { Readable } from "node:stream";
import { buffer, text } from "node:stream/consumers";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { up as convertOutcomes } from "../../migrations/0037-outcomes-of-imports.js";
import { db } from "../../app/db/connection.server";
import { importJobs } from "../../app/features/imports/import-jobs.server";
import {
  confirmImport,
  exportVerdicts,
  getImport,
  readWrongRows,
} from "../../app/features/imports/imports.server";
import { stageImport } from "../../app/features/imports/stage-import.server";
import { generationArchive } from "../../app/features/mass-generations/generation-archive.server";
import { redeem } from "../../app/features/redemptions/redeem.server";
import { checkSummary } from "../../app/features/reports/check-summary.server";
import { insertApproval } from "../factories/approvals";
import { insertImport } from "../factories/imports";
import { insertGroup } from "../factories/machine-groups";
import { insertMachine, insertUser } from "../factories/people-and-machines";
import { insertPromotion } from "../factories/promotions";
import { makeKey, outcomeOf, request } from "../factories/redemptions";
import { useActor } from "../support/actor";
import { decodeQr } from "../support/decode-qr";
import { useImports } from "../support/import-files";
import { assertInvariants } from "../support/invariants";
import { useDatabase } from "../support/postgres";
import { readCsv } from "../support/read-csv";
import { readZip } from "../support/read-zip";
import { changeSettings } from "../factories/settings";

useDatabase();
const { actor: user } = useActor();

const heading = "code,name,discount,uses,expiration,machines,groups";

const { options, runJobs, read, stage, dryRun, importAll } = useImports(user, {
  kind: "codes",
  heading,
});

const codesOfImport = (id: string) =>
  db()("promotions").where({ import_id: id }).orderBy("id").pluck<string[]>("code");
const generationsOf = (id: string) =>
  db()("mass_generations").where({ import_id: id }).orderBy("id");
const actions = () => db()("audit_log").orderBy("id").pluck<string[]>("action");

let serial = 0;
/** @returns codes that no other test has */
const newCodes = (count: number, prefix = "IMPORT") =>
  Array.from({ length: count }, () => `${prefix}${String(++serial).padStart(5, "0")}`);

beforeAll(async () => {
  await insertMachine({ serial_number: "VM-1" });
  await insertMachine({ serial_number: "VM-2" });
  await insertMachine({ serial_number: "VM-GONE", is_deleted: true });
  await insertGroup([], { name: "Stations" });
});

describe("the dry run", () => {
  it("names what is wrong with each row, and writes nothing", async () => {
    await insertPromotion({ code: "ABCDEFGH2345" });
    const before = await db()("promotions").count();
    const { item, wrong } = await dryRun([
      "SHORT,Name,20%,single,,,",
      "GOODCODE1,,20%,single,,,",
      "GOODCODE2,Name,120%,single,,,",
      "GOODCODE3,Name,many,single,,,",
      "GOODCODE4,Name,20%,3,,,",
      "GOODCODE5,Name,free drink,unlimited,,,",
      "GOODCODE6,Name,20%,single,31/02/2030,,",
      "GOODCODE7,Name,20%,single,01/01/2020,,",
      'GOODCODE8,Name,20%,single,,"VM-1,VM-GONE,VM-NONE",',
      "GOODCODE9,Name,20%,single,,,Nowhere",
      "abcd-efgh-2345,Name,20%,single,,,",
      "SAMECODE1,Name,20%,single,,,",
      "SAME-CODE-1,Name,20%,single,,,Nowhere",
      "RIGHTCODE,Name,20%,single,31/12/2099,VM-1,stations",
    ]);
    expect(item).toMatchObject({ state: "checked", rows: 14, wrongRows: 12, outcome: null });
    expect(wrong.map(({ line, reason }) => `${line}: ${reason}`)).toEqual([
      "2: Code must have 8 to 32 letters and digits",
      "3: Name is required",
      "4: Percentage cannot exceed 100%",
      "5: Discount must be a percentage, such as 20%, or 'free drink'",
      "6: Uses must be 'single' or 'unlimited'",
      "7: Uses must be 'single' or the number of free drinks",
      expect.stringContaining("8: "),
      "9: Date cannot be in the past",
      "10: Not available: machine VM-GONE and 1 more",
      "11: Not available: machine group Nowhere",
      "12: This code exists already",
      "14: The same code stands in line 13. Not available: machine group Nowhere",
    ]);
    expect(await db()("promotions").count()).toEqual(before);
    await expect(confirmImport(item.id, options())).rejects.toMatchObject({ reason: "conflict" });
  });

  it("names a row with more cells than the file has columns, unless these are empty", async () => {
    const [first, second] = newCodes(2);
    const { wrong } = await dryRun([
      `${first},Name,20%,single,,VM-1,,VM-2`,
      `${second},Name,20%,single,,,,,`,
    ]);
    const reason = "This row has more cells than the file has columns. Put a list in quotes";
    expect(wrong).toEqual([{ line: 2, entry: first, reason }]);
  });

  it("reads a discount with the space of any language", async () => {
    const [first, second, third] = newCodes(3);
    const { wrong } = await dryRun([
      `${first},Name,20\u00a0%,single,,,`,
      `${second},Name,20\u202f%,single,,,`,
      `${third},Name,free\u00a0drink,single,,,`,
    ]);
    expect(wrong).toEqual([]);
  });

  it("shortens a long entry between two characters", async () => {
    const { wrong } = await dryRun([`,${"a".repeat(99)}🍹🍹,20%,single,,,`]);
    expect(wrong).toMatchObject([{ entry: `${"a".repeat(99)}🍹` }]);
  });

  it("has a line for each row in a file that is more than separators", async () => {
    const [code] = newCodes(1);
    const rows = [`${code},Name,20%,single,,,`, ",,,, ,,", "X,Name,20%,single,,,", ",,,,,,"];
    const { id } = await dryRun(rows);
    const file = await text(exportVerdicts(id));
    expect(readCsv(file.slice(1))).toEqual([
      ["Line", "Entry", "Verdict", "Reason"],
      ["2", code, "OK", ""],
      ["4", "X", "Wrong", "Code must have 8 to 32 letters and digits"],
    ]);
  });

  it.each([
    ["code;name;discount", "Columns are missing: 'uses'."],
    ["code,name,discount,uses,price", "Columns are not known: 'price'."],
    ["code,name,discount,uses,Code", "Columns stand twice: 'code'."],
  ])("is refused with the columns %s", async (first, message) => {
    const imports = await db()("imports").count();
    await expect(stage(["A,B,C"], first)).rejects.toMatchObject({
      fields: { file: expect.stringContaining(message) as string },
    });
    expect(await db()("imports").count()).toEqual(imports);
  });

  it("leaves empty columns behind the last one out", async () => {
    const [code] = newCodes(1);
    const { item, wrong } = await dryRun(
      [`${code};Name;20%;single;;`],
      "code;name;discount;uses; ;",
    );
    expect([item.rows, wrong]).toEqual([1, []]);
  });

  it("reads columns in any order, with semicolons, and a file that is sent twice once", async () => {
    const [code] = newCodes(1);
    const first = "\ufeffUses;Discount;Name;Code";
    const line = [`single;20;Hello;${code}`];
    const ids = [await stage(line, first, "same-key"), await stage(line, first, "same-key")];
    expect(ids[0]).toBe(ids[1]);
    await runJobs();
    expect(await read(ids[0]!)).toMatchObject({
      wrongRows: 0,
      outcome: { counts: { single_codes: 1 } },
    });
  });
});

describe("an import", () => {
  beforeEach(() => changeSettings({ max_codes: null }));

  it("makes a campaign of rows with equal terms, with their machines and groups, in one action", async () => {
    const [a, b, c, d, e] = newCodes(5);
    const before = await actions();
    const id = await importAll([
      `${a},Summer,20%,single,31/12/2099,"VM-2,VM-1",Stations`,
      `${b},Summer,20%,single,2099-12-31,VM-1|VM-2,stations`,
      `${c},Summer,20%,unlimited,,,`,
      `${d},Drinks,free drink,3,,VM-1,`,
      `${e},Drink,free drink,single,,VM-1,`,
    ]);
    expect((await actions()).slice(before.length)).toEqual(["import.confirmed"]);
    const [generation, ...others] = await generationsOf(id);
    expect(others).toEqual([]);
    expect(generation).toMatchObject({
      name: "Summer",
      num_codes: 2,
      is_single_use: true,
      discount_value: 20,
      expires_at: new Date("2099-12-31T23:00:00Z"),
    });
    expect(await codesOfImport(id)).toEqual(expect.arrayContaining([a, b, c, d, e]));
    const rows = await db()("promotions").where({ import_id: id }).orderBy("code");
    expect(rows.map((row) => row.max_uses as number | null)).toEqual([1, 1, null, 3, 1]);
    expect(rows[2]).toMatchObject({ mass_generation_id: null, created_by: user.id });
    const assigned = db()("assignments").where({ set_id: generation.set_id }).count();
    expect(await assigned).toEqual([{ count: "3" }]);
    expect(await db()("recorded_events").where({ type: "campaign.created" }).count()).toEqual([
      { count: "4" },
    ]);
    expect(await read(id)).toMatchObject({ state: "imported", canUndo: true, position: 5 });
    expect(await checkSummary()).toEqual([]);
    await assertInvariants();
  });

  it("has names on one line, also where a cell of the file has several", async () => {
    const [one, other] = newCodes(2, "LINES");
    const id = await importAll([
      `${one},"Summer\nfair ",5%,single,,,`,
      `${other},"Summer \r\n\r\nfair",5%,single,,,`,
    ]);
    expect(await generationsOf(id)).toMatchObject([{ name: "Summer fair", num_codes: 2 }]);
  });

  it("makes one campaign of rows that name the same group once and twice, in either case", async () => {
    const [a, b] = newCodes(2);
    const { item } = await dryRun([
      `${a},Twice,20%,single,,,Stations`,
      `${b},Twice,20%,single,,,"Stations,STATIONS"`,
    ]);
    expect(item.outcome!.counts).toMatchObject({ mass_generations: 1, codes: 2, single_codes: 0 });
  });

  it("has codes that machines redeem, however they are written", async () => {
    const [long, short] = ["SOMMER 2027 0123456789 ABCDEFGHIJK", "O0-I1-L8-XY"];
    const terms = "Anywhere,20%,single,,VM-1,";
    await importAll([`${long},${terms}`, `${short},${terms}`]);
    const { secret } = await makeKey("VM-1");
    for (const code of [long.toLowerCase(), short.replaceAll("-", " ")]) {
      const answer = await redeem(request({ code, serialNumber: "VM-1" }), secret);
      expect(outcomeOf(answer)).toBe("applied");
    }
  });

  it("splits what is more than a mass generation may have", async () => {
    await changeSettings({ max_codes: 3 });
    const id = await importAll(newCodes(7).map((code) => `${code},Many,20%,single,,,`));
    const sizes = (await generationsOf(id)).map((row) => row.num_codes as number);
    expect(sizes).toEqual([3, 3]);
    expect(await codesOfImport(id)).toHaveLength(7);
    expect((await read(id)).outcome!.counts).toEqual({
      mass_generations: 2,
      codes: 6,
      single_codes: 1,
    });
  });

  it("makes the campaigns that were confirmed although the limit of codes was raised since", async () => {
    await changeSettings({ max_codes: 2 });
    const { id } = await dryRun(newCodes(4).map((code) => `${code},Raised,20%,single,,,`));
    await changeSettings({ max_codes: 100 });
    await confirmImport(id, options());
    await runJobs();
    expect((await generationsOf(id)).map((row) => row.num_codes as number)).toEqual([2, 2]);
  });

  it("is checked again when the limit of codes was lowered since", async () => {
    const { id } = await dryRun(newCodes(4).map((code) => `${code},Lowered,20%,single,,,`));
    await changeSettings({ max_codes: 2 });
    await confirmImport(id, options());
    await runJobs();
    await runJobs();
    expect(await codesOfImport(id)).toEqual([]);
    const { state, outcome } = await read(id);
    expect(state).toBe("checked");
    expect(outcome!.counts).toMatchObject({ mass_generations: 2, codes: 4 });
  });

  it("has an archive with codes of different lengths", async () => {
    const codes = [...newCodes(2, "LONGERCODE"), ...newCodes(3), "EIGHT888"];
    const id = await importAll(codes.map((code) => `${code},Mixed,20%,single,,,`));
    const [generation] = await generationsOf(id);
    const archive = await generationArchive(String(generation.id));
    const bytes = await buffer(archive.bytes());
    expect(bytes).toHaveLength(archive.size);
    const { entries, content } = await readZip(bytes);
    const names = entries.map(({ fileName }) => fileName);
    const ordered = [codes[5], codes[2], codes[3], codes[4], codes[0], codes[1]];
    expect(names).toEqual([...ordered.map((code) => `${code}.png`), "codes.csv"]);
    expect(decodeQr(await content(entries[0]!))).toBe("EIGHT888");
    expect(decodeQr(await content(entries[5]!))).toBe(codes[1]);
    const csv = (await content(entries[6]!)).toString();
    expect(readCsv(csv.slice(1)).map(([code]) => code)).toEqual(["Code", ...ordered]);
    const part = await buffer(archive.bytes({ first: 500, end: bytes.length - 200 }));
    expect(part).toEqual(bytes.subarray(500, -200));
  });

  it("writes nothing when a code was created meanwhile, and says so in the verdicts", async () => {
    const codes = newCodes(3);
    const { id } = await dryRun(codes.map((code) => `${code},Late,20%,single,,,`));
    await insertPromotion({ code: codes[1] });
    await confirmImport(id, options());
    await runJobs();
    expect(await read(id)).toMatchObject({ state: "checked", wrongRows: 1 });
    expect(await readWrongRows(id)).toMatchObject([
      { line: 3, reason: "This code exists already" },
    ]);
    expect(await codesOfImport(id)).toEqual([]);
    expect(await generationsOf(id)).toEqual([]);
  });

  it("writes nothing when a date has passed since the dry run", async () => {
    const { id } = await dryRun([`${newCodes(1)},Late,20%,single,31/12/2099,,`]);
    await db()("import_rows").where({ import_id: id }).update({ last_day: "2020-01-01" });
    await confirmImport(id, options());
    await runJobs();
    expect(await readWrongRows(id)).toMatchObject([{ reason: "Date cannot be in the past" }]);
    expect(await codesOfImport(id)).toEqual([]);
  });

  it("is seen by its user and admins alone", async () => {
    const { id } = await dryRun([`${newCodes(1)},Mine,20%,single,,,`]);
    const other = { id: "999999", role: "user" as const };
    await expect(getImport(id, other)).rejects.toMatchObject({ reason: "not_found" });
    expect(await getImport(id, { ...other, role: "admin" })).toMatchObject({ id });
  });
});

describe("what a person uploads", () => {
  it("has at most so many rows in a file, and leaves none of one with more", async () => {
    const before = await db()("imports").count();
    const lines = newCodes(3).map((code) => `${code},Many,20%,single,,,`);
    const file = Readable.from([Buffer.from([heading, ...lines].join("\n"))]);
    const upload = { kind: "codes", fileName: "many.csv", bytes: file } as const;
    await expect(stageImport({ ...upload, maxRows: 2 }, options())).rejects.toMatchObject({
      fields: { file: "A file has at most 2 rows. Divide it into several files." },
    });
    expect(await db()("imports").count()).toEqual(before);
  });

  it("is kept while it is not confirmed, but for the ten newest files alone", async () => {
    const { id: userId, email } = await insertUser();
    const imported = await insertImport(userId, "imported");
    const requested = await insertImport(userId, "checked");
    await insertImport(userId, "checked");
    const newer: string[] = [];
    while (newer.length < 9) newer.push(await insertImport(userId, "checked"));
    const others = await insertImport(user.id, "checked");
    await insertApproval(userId, { kind: "import", input: { id: requested, to: "importing" } });
    const { stage } = useImports({ id: userId, email }, { kind: "codes", heading });
    const newest = await stage([`${newCodes(1)},New,20%,single,,,`]);
    const kept = db()("imports").where({ created_by: userId }).orderBy("id").pluck("id");
    expect(await kept).toEqual([imported, requested, ...newer, newest]);
    expect(await read(others)).toMatchObject({ state: "checked" });
  });
});

describe("a process that stops", () => {
  const runOnce = (subject: string, signal: AbortSignal) =>
    importJobs.import_run.run(
      { id: "1", kind: "import_run", attempts: 1, addedAt: "now", lastError: null, subject },
      signal,
    );

  it("leaves nothing of an import, which the next one finishes", async () => {
    const codes = newCodes(5);
    const { id } = await dryRun(codes.map((code) => `${code},Stopped,20%,single,,,`));
    await confirmImport(id, options());
    expect(await runOnce(id, AbortSignal.abort())).toEqual({ state: "released" });
    expect(await codesOfImport(id)).toEqual([]);
    expect(await read(id)).toMatchObject({ state: "importing" });
    await runJobs();
    expect(await codesOfImport(id)).toHaveLength(5);
  });

  it("leaves the second dry run of an import to the next one", async () => {
    const [code] = newCodes(1);
    const { id } = await dryRun([`${code},Late,20%,single,,,`]);
    await insertPromotion({ code });
    await confirmImport(id, options());
    await db().transaction(async (trx) => {
      // No verdict can be written.
      await trx.raw("lock table import_rows in share mode");
      await Promise.resolve(runOnce(id, new AbortController().signal)).catch(() => {});
    });
    await runJobs();
    expect(await read(id)).toMatchObject({ state: "checked", wrongRows: 1 });
  });
});

it("keeps what earlier imports came to, when the form of outcomes changes", async () => {
  const id = await importAll(["OLD-SHAPE-1,Old,20%,single,,,"]);
  const outcome = {
    generations: 1,
    generationCodes: 2,
    singles: 3,
    stayed: 1,
    named: [{ name: "Old", codes: 2, discountType: "percentage", discountValue: 20 }],
  };
  await db()("imports").where({ id }).update({ outcome });
  await convertOutcomes(db());
  await convertOutcomes(db());
  expect((await read(id)).outcome).toEqual({
    counts: { mass_generations: 1, codes: 2, single_codes: 3 },
    named: [{ name: "Old", note: "2 codes" }],
    stayed: { count: 1, named: [] },
  });
});
