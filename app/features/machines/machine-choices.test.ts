import { describe, expect, test } from "vitest";
import { applySelectorIntent, layOutChoices, matchingFirst, maxShown } from "./machine-choices";

const machines = [
  { serialNumber: "VM-1", humanName: "Lobby" },
  { serialNumber: "VM-2", humanName: "Canteen" },
  { serialNumber: "XX-3", humanName: "North lobby" },
];

describe("the machine selector without scripts", () => {
  test("searches serial number or name, whatever the case", () => {
    const layout = layOutChoices(machines, { selected: new Set(), search: " LOBBY " });
    expect(layout.available.map((machine) => machine.serialNumber)).toEqual(["VM-1", "XX-3"]);
    expect(layOutChoices(machines, { selected: new Set(), search: "vm-" }).availableTotal).toBe(2);
  });

  test("keeps listing what is selected when the search does not match it", () => {
    const layout = layOutChoices(machines, { selected: new Set(["VM-2"]), search: "lobby" });
    expect(layout.selected.map((machine) => machine.serialNumber)).toEqual(["VM-2"]);
  });

  test("Select All adds what matches; Unselect All empties", () => {
    const choice = { selected: ["VM-2"], search: "lobby" };
    expect(applySelectorIntent("select-all", machines, choice)).toEqual(
      new Set(["VM-2", "VM-1", "XX-3"]),
    );
    expect(applySelectorIntent("unselect-all", machines, choice)).toEqual(new Set());
    expect(applySelectorIntent("search-machines", machines, choice)).toEqual(new Set(["VM-2"]));
  });

  test("shows a bounded number of rows and says how many there are", () => {
    const many = Array.from({ length: maxShown + 50 }, (_, index) => ({
      serialNumber: `VM-${index}`,
      humanName: "",
    }));
    const layout = layOutChoices(many, { selected: new Set(), search: "" });
    expect(layout.available).toHaveLength(maxShown);
    expect(layout.availableTotal).toBe(maxShown + 50);
    expect(layout.isComplete).toBe(false);
  });
});

test("those that match come first, and otherwise the order stays", () => {
  const sorted = matchingFirst(machines, "LOBBY");
  expect(sorted.machines.map((machine) => machine.serialNumber)).toEqual(["VM-1", "XX-3", "VM-2"]);
  expect(sorted.matching).toBe(2);
  expect(matchingFirst(machines, " ").machines).toEqual(machines);
});
