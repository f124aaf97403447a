import { expect, test } from "vitest";
import { maxShown } from "../../machines/machine-choices";
import {
  groupsWithPending,
  layOutGroups,
  layOutList,
  maxGroupsListed,
  sortList,
  withPending,
} from "./machine-lists";

const machine = (number: number, isDeleted = false) => ({
  serialNumber: `VM-${number}`,
  humanName: `Place ${number}`,
  isDeleted,
});
const nobody = new Set<string>();

test("a list is bounded, but never leaves out what is ticked", () => {
  const many = Array.from({ length: maxShown + 50 }, (_, index) => machine(index));
  const list = layOutList(many, "", new Set(["VM-240"]));
  expect(list.shown).toHaveLength(maxShown + 1);
  expect(list.shown.at(-1)?.serialNumber).toBe("VM-240");
  expect(list.total).toBe(maxShown + 50);
  expect(layOutList(many, "vm-240").shown[0]?.serialNumber).toBe("VM-240");
});

test("the browser counts what matches only where it knows all", () => {
  const whole = layOutList([machine(1), machine(2)], "");
  expect(sortList(whole, "place 2", "").matching).toBe(1);
  const many = Array.from({ length: maxShown + 50 }, (_, index) => machine(index));
  const searched = layOutList(many, "place");
  expect(sortList(searched, "place", "place").matching).toBe(maxShown + 50);
});

test("what is pending is shown as done", () => {
  const assigned = layOutList([machine(1), machine(2, true)], "");
  const available = layOutList([machine(3), machine(4)], "");
  const lists = withPending(assigned, available, {
    added: new Set(["VM-3"]),
    removed: new Set(["VM-2"]),
    isCleared: false,
  });
  expect(lists.assigned.arriving.map(({ serialNumber }) => serialNumber)).toEqual(["VM-3"]);
  expect(lists.assigned.leaving).toEqual(new Set(["VM-2"]));
  expect([lists.assigned.total, lists.available.total]).toEqual([2, 1]);

  const cleared = withPending(assigned, available, {
    added: nobody,
    removed: nobody,
    isCleared: true,
  });
  // The deleted one doesn't come back.
  expect([cleared.assigned.total, cleared.available.total]).toEqual([0, 3]);
});

const group = (number: number) => ({
  id: `${number}`,
  name: `Group ${number}`,
  kind: "site" as const,
  machineCount: number,
});

test("groups that match come first; many are bounded, but never what is ticked", () => {
  const many = Array.from({ length: maxGroupsListed + 20 }, (_, index) => group(index + 1));
  const list = layOutGroups(many, "GROUP 7", new Set(["69"]));
  expect(list.total).toBe(maxGroupsListed + 20);
  expect(list.shown.slice(0, 3).map(({ id }) => id)).toEqual(["7", "70", "1"]);
  expect(list.shown).toHaveLength(maxGroupsListed + 1);
  expect(list.shown.at(-1)?.id).toBe("69");
});

test("groups that are pending are shown as done", () => {
  const pending = {
    added: nobody,
    removed: nobody,
    addedGroups: new Set(["3"]),
    removedGroups: new Set(["1"]),
    isCleared: false,
  };
  const available = { shown: [group(3), group(4)], total: 2 };
  const lists = groupsWithPending([group(1), group(2)], available, pending);
  expect(lists.arriving.map(({ id }) => id)).toEqual(["3"]);
  expect(lists.leaving).toEqual(new Set(["1"]));
  expect(lists.available).toEqual({ shown: [group(4)], total: 2 });
  const cleared = groupsWithPending([group(1), group(2)], available, {
    ...pending,
    isCleared: true,
  });
  expect(cleared.leaving).toEqual(new Set(["1", "2"]));
});
