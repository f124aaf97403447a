import { describe, expect, test } from "vitest";
import {
  groupTarget,
  kindOf,
  layOutPickers,
  listTargets,
  machineTarget,
  maxShown,
  moveTicked,
  searchField,
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

/** Lays out the picker of one kind in a form. */
function layOut(
  kind: TargetKind,
  targets: Target[],
  ticked: string[],
  search: string,
  intent = "",
) {
  const params = new URLSearchParams({ [searchField]: search, intent });
  for (const id of ticked) params.append(kindOf(kind).field, id);
  return layOutPickers({ [kind]: targets }, params).find((picker) => picker.kind === kind)!;
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

  test("says where there is nothing to choose, also in 'Manage Machines'", () => {
    expect(layOut("machine", [], [], "").emptyNote).toContain("No machines to choose from.");
    expect(layOut("machine", machines, ids(machines), "").emptyNote).toBe("");
  });

  test("shows a limited number of rows and the count of all", () => {
    const { available, isComplete } = layOut("machine", manyMachines, [], "");
    expect(available.shown).toHaveLength(maxShown);
    expect(available.total).toBe(maxShown + 50);
    expect(isComplete).toBe(false);
  });
});

test("moves selected groups as it moves machines, and drops what no longer exists", () => {
  const groups = [group(1, 7), group(2), group(12)];
  const { available, chosen, ticked } = layOut("group", groups, ["2", "99"], " ROUTE 1");
  expect(ids(available.shown)).toEqual(["1", "12"]);
  expect(ids(chosen.shown)).toEqual(["2"]);
  expect(ticked).toEqual(["2"]);
});

test("searches names of groups only, not ids or the number of machines", () => {
  const north = groupTarget({ id: "7", name: "North", kind: "site", machineCount: 12 });
  expect(listTargets([north], { search: "7" }).matching).toBe(0);
  expect(listTargets([north], { search: "12" }).matching).toBe(0);
});

test("moves what is ticked in the browser as the server does", () => {
  const [picker] = layOutPickers({ machine: machines }, new URLSearchParams({ machines: "VM-2" }));
  const { available, chosen } = moveTicked(picker!, ["VM-2", "XX-3"], "lobby");
  expect(ids(available.shown)).toEqual(["VM-1"]);
  expect(available.total).toBe(1);
  expect(ids(chosen.shown)).toEqual(["VM-2", "XX-3"]);
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
  expect(layOutPickers({ machine: machines, group: [] }, posted)).toHaveLength(1);
});
