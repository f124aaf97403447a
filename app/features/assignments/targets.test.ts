import { describe, expect, test } from "vitest";
import {
  applyPickerIntent,
  groupTarget,
  layOutPicker,
  layOutPickers,
  listTargets,
  machineTarget,
  maxShown,
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

describe("the picker of machines", () => {
  test("searches serial number or name case-insensitively", () => {
    const byName = layOutPicker("machine", machines, { selected: new Set(), search: " LOBBY " });
    expect(ids(byName.list.shown)).toEqual(["VM-1", "XX-3"]);
    const bySerial = layOutPicker("machine", machines, { selected: new Set(), search: "vm-" });
    expect(bySerial.list.total).toBe(2);
  });

  test("keeps listing selected machines that the search does not match", () => {
    const picker = layOutPicker("machine", machines, {
      selected: new Set(["VM-2"]),
      search: "lobby",
    });
    expect(ids(picker.selected)).toEqual(["VM-2"]);
  });

  test("adds the matching machines by Select All and empties the selection by Unselect All", () => {
    const choice = { selected: ["VM-2"], search: "lobby" };
    expect(applyPickerIntent("select-all", machines, choice)).toEqual(
      new Set(["VM-2", "VM-1", "XX-3"]),
    );
    expect(applyPickerIntent("unselect-all", machines, choice)).toEqual(new Set());
    expect(applyPickerIntent("search-machines", machines, choice)).toEqual(new Set(["VM-2"]));
  });

  test("shows a limited number of rows and the count of all", () => {
    const picker = layOutPicker("machine", manyMachines, { selected: new Set(), search: "" });
    expect(picker.list.shown).toHaveLength(maxShown);
    expect(picker.list.total).toBe(maxShown + 50);
    expect(picker.isComplete).toBe(false);
  });
});

describe("the picker of groups", () => {
  test("puts matching groups first and leaves none out", () => {
    const picker = layOutPicker("group", [group(1, 7), group(2), group(12)], {
      selected: new Set(["2", "99"]),
      search: " ROUTE 1",
    });
    expect(ids(picker.list.shown)).toEqual(["1", "12", "2"]);
    expect(picker.list.total).toBe(3);
    expect(ids(picker.selected)).toEqual(["2"]);
  });

  test("limits the rows but never leaves out a selected group", () => {
    const picker = layOutPicker("group", many(maxShown + 50, group), {
      selected: new Set(["240"]),
      search: "",
    });
    expect(picker.list.shown).toHaveLength(maxShown + 1);
    expect(picker.list.total).toBe(maxShown + 50);
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
  expect(pickers.map(({ kind, selected }) => [kind, ids(selected)])).toEqual([
    ["group", ["2"]],
    ["machine", ["VM-1", "XX-3"]],
  ]);
  expect(layOutPickers({ machine: machines }, posted)).toHaveLength(1);
});
