import { readdirSync } from "node:fs";
import { beforeAll, describe, expect, test } from "vitest";
import { db } from "../../app/db/connection.server";
import {
  countMachinesByActivity,
  listAssignableMachines,
  listMachines,
} from "../../app/features/machines/machines.server";
import { machineList, type MachineSort } from "../../app/features/machines/machine-list";
import { parseFilters, parseList } from "../../app/lists/parse-list";
import { serialOfSegment, serialSegment } from "../../app/paths";
import { insertGroup } from "../factories/machine-groups";
import { insertMachine } from "../factories/people-and-machines";
import { useDatabase } from "../support/postgres";

useDatabase();

/** Serial number, name, hours since it was active (null is never), active promotions. */
const machines: [string, string, number | null, number | null][] = [
  ["C-1", "Lobby", 5, 11],
  ["A-1", "lobby 100% east", null, 10],
  ["B_1", "Canteen", 1, 5],
  ["B-2", "École", 1, 4],
  ["A-2", "Kitchen", null, 1],
  ["D-1", "Attic", 9, 0],
  ["D-2", "attic", 9, null],
];

beforeAll(async () => {
  for (const [serial_number, human_name, hours, count] of machines) {
    const { id } = await insertMachine({
      serial_number,
      human_name,
      last_qr_used_at: hours === null ? null : new Date(Date.UTC(2026, 10, 21, 12 - hours)),
    });
    if (count !== null)
      await db()("machine_promotion_counts").insert({ machine_id: id, active_promotions: count });
  }
  await insertMachine({ serial_number: "A-0", human_name: "Lobby", is_deleted: true });
});

// High is more than 10 promotions, medium 5 to 10, low fewer.
test("machines are counted by their activity, as their list shows it", async () => {
  const { counts, countedAt } = await countMachinesByActivity();
  expect(counts).toEqual({ high: 1, medium: 2, low: 2, inactive: 2 });
  expect(countedAt).toBeInstanceOf(Date);
  for (const [activity, expected] of [
    ["high", ["C-1"]],
    ["medium", ["A-1", "B_1"]],
    ["low", ["A-2", "B-2"]],
    ["inactive", ["D-1", "D-2"]],
  ] as const) {
    expect(await serials({ activity })).toEqual(expected);
    expect((await listMachines({ activity, page: 1, perPage: 1 })).total).toBe(counts[activity]);
  }
});

test("machines are filtered by their use in the last 24 hours, and by a group", async () => {
  const used = await insertMachine({ serial_number: "E-1", last_qr_used_at: new Date() });
  expect(await serials({ use: "used" })).toEqual(["E-1"]);
  expect(await serials({ use: "silent" })).toHaveLength(7);
  const groupId = await insertGroup([used.id]);
  expect(await serials({ groupId })).toEqual(["E-1"]);
  expect(await serials({ groupId, use: "silent" })).toEqual([]);
  await db()("machines").where({ id: used.id }).delete();
});

test("a page after the last one is the last one", async () => {
  const list = await listMachines({ page: 99, perPage: 2 });
  expect(list).toMatchObject({ page: 4, total: 7 });
  expect(list.machines.map(({ serialNumber }) => serialNumber)).toEqual(["D-2"]);
});

test("the selector offers no deleted machine", async () => {
  const offered = await listAssignableMachines();
  expect(offered[0]).toEqual({ serialNumber: "A-1", humanName: "lobby 100% east" });
  expect(offered).toHaveLength(7);
});

type Query = Parameters<typeof listMachines>[0];
async function serials(query: Partial<Query>): Promise<string[]> {
  const list = await listMachines({ page: 1, perPage: 25, ...query });
  return list.machines.map(({ serialNumber }) => serialNumber);
}

describe("a search", () => {
  test.each<[Partial<Query>, string[]]>([
    [{ serialNumber: "-1" }, ["A-1", "C-1", "D-1"]],
    [{ serialNumber: "b_" }, ["B_1"]],
    [{ name: "LOBBY" }, ["A-1", "C-1"]],
    [{ name: "éCOLE" }, ["B-2"]],
    [{ name: "100%" }, ["A-1"]],
    [{ name: "\\" }, []],
    [{ name: "' or 1=1" }, []],
    [{ name: " lobby ", serialNumber: "a" }, ["A-1"]],
    [{ name: "lobby", serialNumber: "D" }, []],
  ])("%j finds %j, and no deleted machine", async (query, found) => {
    expect(await serials(query)).toEqual(found);
    expect((await listMachines({ page: 1, perPage: 1, ...query })).total).toBe(found.length);
  });
});

describe("the order", () => {
  const ordered = (by: MachineSort["by"], isDescending: boolean) =>
    serials({ sort: { by, isDescending } });

  test.each<[MachineSort["by"], boolean, string[]]>([
    ["serial", false, ["A-1", "A-2", "B-2", "B_1", "C-1", "D-1", "D-2"]],
    ["serial", true, ["D-2", "D-1", "C-1", "B_1", "B-2", "A-2", "A-1"]],
    // Equal ones by serial number, whichever way; without regard to case.
    ["name", false, ["D-1", "D-2", "B_1", "A-2", "C-1", "A-1", "B-2"]],
    // Never active is last both ways.
    ["active", true, ["B-2", "B_1", "C-1", "D-1", "D-2", "A-1", "A-2"]],
    ["active", false, ["D-1", "D-2", "C-1", "B-2", "B_1", "A-1", "A-2"]],
    // Not counted yet is none.
    ["promos", true, ["C-1", "A-1", "B_1", "B-2", "A-2", "D-1", "D-2"]],
    ["promos", false, ["D-1", "D-2", "A-2", "B-2", "B_1", "A-1", "C-1"]],
    // High; Medium from 5 to 10; Low; Inactive.
    ["activity", true, ["C-1", "A-1", "B_1", "A-2", "B-2", "D-1", "D-2"]],
  ])("by %s, descending %s", async (by, isDescending, expected) => {
    expect(await ordered(by, isDescending)).toEqual(expected);
  });

  test("is kept from page to page", async () => {
    for (const by of Object.keys(machineList.sorts) as MachineSort["by"][])
      for (const isDescending of [true, false]) {
        const sort = { by, isDescending };
        const pages = await Promise.all(
          [1, 2, 3, 4].map((page) => serials({ sort, page, perPage: 2 })),
        );
        expect(pages.flat()).toEqual(await ordered(by, isDescending));
      }
  });
});

describe("an address", () => {
  const parse = (search: string) => {
    const params = new URLSearchParams(search);
    const { query, errors } = parseList(machineList, params);
    const parsed = parseFilters(machineList.filters, params);
    return { query, filters: parsed.filters, errors: { ...errors, ...parsed.errors } };
  };

  test("says what is shown", () => {
    expect(parse("serial_number=+a+&name=b&sort=-promos&per_page=100&page=3")).toMatchObject({
      query: { page: 3, perPage: 100, sort: { by: "promos", isDescending: true } },
      filters: { serialNumber: "a", name: "b" },
      errors: {},
    });
  });

  test.each([
    "page=0",
    "per_page=10",
    "sort=id",
    "sort=--name",
    "name=%00",
    `name=${"x".repeat(201)}`,
  ])("%s falls back, and is named", (search) => {
    const { query, filters, errors } = parse(search);
    expect(query).toMatchObject({ page: 1, perPage: 25, sort: machineList.defaultSort });
    const none = { activity: null, use: null, groupId: null };
    expect(filters).toEqual({ serialNumber: "", name: "", ...none });
    const [name = ""] = search.split("=");
    expect(errors).toEqual({ [name]: `The value of '${name}' is not valid` });
  });
});

describe("a serial number in an address", () => {
  test.each([
    "VM-1",
    ".",
    "..",
    "...",
    "~",
    "~.",
    "~~x",
    "a/b",
    "%",
    "%2F",
    "%252F",
    "a b",
    "é",
    "Refresh",
    "promotions",
    "?#&",
    "\\",
    "🥤",
  ])("%s is a segment that no browser and no router takes for another", (serial) => {
    const segment = serialSegment(serial);
    const { pathname } = new URL(`http://x/app/machines/${segment}/promotions`);
    expect(pathname.split("/")[3]).toBe(segment);
    expect(serialOfSegment(segment)).toBe(serial);
  });

  test("is never one of the screens beside the machines", () => {
    const screens = readdirSync("app/routes").flatMap(
      (name) => /^app\.machines_?\.([^$.]+)/.exec(name)?.[1] ?? [],
    );
    expect(screens.length).toBeGreaterThan(0);
    for (const screen of screens)
      for (const serial of [screen, screen.toUpperCase()])
        expect(serialSegment(serial)).toBe(`~${serial}`);
  });
});
