import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { pasteError, separatedEntries } from "./machine-groups-forms";
import { type KnownMachine, possibleSerials, readSerials } from "./group-members.server";
import { anyText, property } from "../../../tests/support/property";

const live = ["VM-1", "VM-2", "vm-2", "V/M 4%", "A,B", "B"];
const gone = ["OLD-1", "Vm-1"];
const machines: KnownMachine[] = [
  ...live.map((serialNumber) => ({ id: serialNumber, serialNumber, isDeleted: false })),
  ...gone.map((serialNumber) => ({ id: serialNumber, serialNumber, isDeleted: true })),
];

/** Looks serial numbers up as the database does. */
function read(pasted: string, { mayHoldSpaces = false }: { mayHoldSpaces?: boolean } = {}) {
  const known = new Map(
    possibleSerials(pasted).map((serial) => [
      serial,
      machines.filter(({ serialNumber }) => serialNumber.toLowerCase() === serial.toLowerCase()),
    ]),
  );
  const found = readSerials(pasted, known, mayHoldSpaces);
  return { ...found, machines: found.machines.map(({ serialNumber }) => serialNumber) };
}

describe("pasted serial numbers", () => {
  test.each<[string, string[]]>([
    ["VM-1\nVM-2", ["VM-1", "VM-2"]],
    ["VM-1\r\n\r\n  VM-2  \r\n", ["VM-1", "VM-2"]],
    ["VM-1,VM-2;OLD-1\tB", ["VM-1", "VM-2", "OLD-1", "B"]],
    ["VM-1 VM-2   B", ["VM-1", "VM-2", "B"]],
    ["VM-2\nVM-1\nVM-2", ["VM-2", "VM-1"]],
    // A line that is a serial number is one, whatever is in it.
    ["A,B", ["A,B"]],
    ["V/M 4%", ["V/M 4%"]],
    ["V/M 4%, VM-1", ["V/M 4%", "VM-1"]],
  ])("%j are %j", (pasted, serials) => {
    expect(read(pasted)).toEqual({ machines: serials, unknown: [], ambiguous: [] });
  });

  test("are found whatever their case, when only one can be meant", () => {
    expect(read("b\nold-1\nv/m 4%").machines).toEqual(["B", "OLD-1", "V/M 4%"]);
    // Exactly as written comes first, also where it is deleted.
    expect(read("vm-2 Vm-1").machines).toEqual(["vm-2", "Vm-1"]);
    // Else one that is live is meant, not one that was deleted.
    expect(read("vm-1").machines).toEqual(["VM-1"]);
    expect(read("Vm-2")).toEqual({ machines: [], unknown: [], ambiguous: ["Vm-2"] });
  });

  test("that nobody knows are kept as they were written, each once", () => {
    expect(read("VM-1, VM-9;nowhere\nVM-9")).toEqual({
      machines: ["VM-1"],
      unknown: ["VM-9", "nowhere"],
      ambiguous: [],
    });
  });

  test("are apart by spaces unless a serial number may hold some", () => {
    expect(read("VM-1 Lobby")).toMatchObject({ machines: ["VM-1"], unknown: ["Lobby"] });
    const spaced = { mayHoldSpaces: true };
    expect(read("VM-1 Lobby", spaced)).toMatchObject({ machines: [], unknown: ["VM-1 Lobby"] });
    expect(read("VM-1 VM-2", spaced).machines).toEqual(["VM-1", "VM-2"]);
  });

  property([anyText({ maxLength: 200 }), fc.boolean()])(
    "of any text end up somewhere",
    (pasted, mayHoldSpaces) => {
      const found = read(pasted, { mayHoldSpaces });
      const all = [...found.machines, ...found.unknown, ...found.ambiguous];
      const visible = (text: string) => text.replace(/[\s,;]/gu, "").toLowerCase();
      for (const entry of separatedEntries(pasted))
        for (const piece of entry.split(/\s+/))
          expect(all.some((text) => visible(text).includes(visible(piece)))).toBe(true);
    },
  );
});

test("the box says what it takes", () => {
  const lines = (count: number) => Array.from({ length: count }, (_, i) => `SN-${i}`).join("\n");
  expect(pasteError(" \n ")).toBe("Enter at least one serial number");
  expect(pasteError(lines(2_000))).toBeNull();
  expect(pasteError(`${lines(2_000)}\nSN-1`)).toBeNull();
  expect(pasteError(lines(5_000))).toBe(
    "No more than 2,000 serial numbers can be added at once, and these are 5,000. Nothing was added.",
  );
});
