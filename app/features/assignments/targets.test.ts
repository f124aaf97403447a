import { describe, expect, test } from "vitest";
import {
  groupTarget,
  kindOf,
  layOutPickers,
  listTargets,
  machineTarget,
  maxShown,
  searchFieldOf,
  type Target,
  type TargetKind,
} from "./targets";

const machines = [
  machineTarget({ serialNumber: "VM-1", humanName: "Lobby" }),
  machineTarget({ serialNumber: "VM-2", humanName: "Canteen" }),
  machineTarget({ serialNumber: "XX-3", humanName: "North lobby" }),
];
const group = (number: number, machineCount = 0) =>
  groupTarget({ id: `${number}`, name: `Route ${number}`, kind: "route", machineCount });
const many = <Item>(count: number, make: (index: number) => Item) =>
  Array.from({ length: count }, (_, index) => make(index));
const manyMachines = many(maxShown + 50, (index) =>
  machineTarget({ serialNumber: `VM-${index}`, humanName: "" }),
);
const ids = (targets: readonly { id: string }[]) => targets.map(({ id }) => id);

/** Lays out one picker as a form without fields of other kinds. */
function layOut(
  kind: TargetKind,
  targets: Target[],
  ticked: string[],
  search: string,
  intent = "",
) {
  const params = new URLSearchParams({ [searchFieldOf(kind)]: search, intent });
  for (const id of ticked) params.append(kindOf(kind).field, id);
  return layOutPickers({ [kind]: targets }, params)[0]!;
}

describe("the picker of machines", () => {
  test("searches serial number or name case-insensitively", () => {
    const byName = layOut("machine", machines, [], " LOBBY ");
    expect(ids(byName.available.shown)).toEqual(["VM-1", "XX-3"]);
    expect(layOut("machine", machines, [], "vm-").available.total).toBe(2);
  });

  test("keeps listing selected machines that the search does not match", () => {
    expect(ids(layOut("machine", machines, ["VM-2"], "lobby").chosen.shown)).toEqual(["VM-2"]);
  });

  test("adds the matching machines by Select All and empties the selection by Unselect All", () => {
    const selectedBy = (intent: string) =>
      ids(layOut("machine", machines, ["VM-2"], "lobby", intent).chosen.shown).sort();
    expect(selectedBy("select-all")).toEqual(["VM-1", "VM-2", "XX-3"]);
    expect(selectedBy("unselect-all")).toEqual([]);
    expect(selectedBy("search-machines")).toEqual(["VM-2"]);
  });

  test("shows a limited number of rows and the count of all", () => {
    const { available, isComplete } = layOut("machine", manyMachines, [], "");
    expect(available.shown).toHaveLength(maxShown);
    expect(available.total).toBe(maxShown + 50);
    expect(isComplete).toBe(false);
  });
});

describe("the picker of groups", () => {
  test("puts matching groups first and leaves none out", () => {
    const groups = [group(1, 7), group(2), group(12)];
    const { available, ticked } = layOut("group", groups, ["2", "99"], " ROUTE 1");
    expect(ids(available.shown)).toEqual(["1", "12", "2"]);
    expect(available.total).toBe(3);
    expect(ticked).toEqual(["2"]);
  });

  test("limits the rows but never leaves out a selected group", () => {
    const { available } = layOut("group", many(maxShown + 50, group), ["240"], "");
    expect(available.shown).toHaveLength(maxShown + 1);
    expect(available.total).toBe(maxShown + 50);
  });

  test("searches names only, not ids or the number of machines", () => {
    const north = groupTarget({ id: "7", name: "North", kind: "site", machineCount: 12 });
    expect(listTargets([north], { search: "7" }).matching).toBe(0);
    expect(listTargets([north], { search: "12" }).matching).toBe(0);
  });
});

test("lists matching targets first and otherwise keeps the order", () => {
  const list = listTargets(machines, { search: "LOBBY" });
  expect(ids(list.shown)).toEqual(["VM-1", "XX-3", "VM-2"]);
  expect(list.matching).toBe(2);
  expect(listTargets(machines, { search: " " }).shown).toEqual(machines);
});

test("lays out every picker of a form as the pressed button leaves it", () => {
  const posted = new URLSearchParams([
    ["intent", "select-all"],
    ["machine_search", "lobby"],
    ["groups", "2"],
  ]);
  const pickers = layOutPickers({ machine: machines, group: [group(1), group(2)] }, posted);
  expect(pickers.map(({ kind, ticked }) => [kind, ticked])).toEqual([
    ["group", ["2"]],
    ["machine", ["VM-1", "XX-3"]],
  ]);
  expect(layOutPickers({ machine: machines }, posted)).toHaveLength(1);
});
