import { expect, test } from "vitest";
import {
  groupTarget,
  layOutPickers,
  listTargets,
  machineTarget,
  maxShown,
  type Target,
} from "../targets";
import { type PendingChange, sortList, withPending } from "./machines-dialog";

const machine = (number: number, isDeleted = false) =>
  machineTarget({ serialNumber: `VM-${number}`, humanName: `Place ${number}`, isDeleted });
const group = (number: number) => ({
  id: `${number}`,
  name: `Group ${number}`,
  kind: "site" as const,
  machineCount: number,
});
const manyMachines = Array.from({ length: maxShown + 50 }, (_, index) => machine(index));
const whole = { search: "" };
const ids = (targets: readonly { id: string }[]) => targets.map(({ id }) => id);
const pendingIn = ({ shown }: { shown: readonly Target[] }) =>
  Object.fromEntries(shown.flatMap(({ id, pending }) => (pending ? [[id, pending]] : [])));
const pending = (change: Partial<PendingChange>): PendingChange => ({
  added: new Set(),
  removed: new Set(),
  isCleared: false,
  ...change,
});

test("limits a list but never leaves out what is ticked", () => {
  const list = listTargets(manyMachines, { search: "", selectedIds: ["VM-240"] });
  expect(list.shown).toHaveLength(maxShown + 1);
  expect(list.shown.at(-1)?.id).toBe("VM-240");
  expect(list.total).toBe(maxShown + 50);
  expect(listTargets(manyMachines, { search: "vm-240" }).shown[0]?.id).toBe("VM-240");
});

test("counts matches in the browser only where it knows every row", () => {
  const list = listTargets([machine(1), machine(2)], whole);
  expect(sortList(list, "place 2", "").matching).toBe(1);
  const searched = listTargets(manyMachines, { search: "place" });
  expect(sortList(searched, "place", "place").matching).toBe(maxShown + 50);
});

test("shows pending changes of machines as done", () => {
  const lists = {
    chosen: listTargets([machine(1), machine(2, true)], whole),
    available: listTargets([machine(3), machine(4)], whole),
  };
  const change = { added: new Set(["machine VM-3"]), removed: new Set(["machine VM-2"]) };
  const { chosen, available } = withPending(lists, pending(change));
  expect(pendingIn(chosen)).toEqual({ "VM-2": "removing", "VM-3": "adding" });
  expect([chosen.total, available.total]).toEqual([2, 1]);

  const cleared = withPending(lists, pending({ isCleared: true }));
  // A deleted machine doesn't become available.
  expect([cleared.chosen.total, cleared.available.total]).toEqual([0, 3]);
});

test("shows pending changes of groups as done", () => {
  const lists = {
    chosen: listTargets([group(1), group(2)].map(groupTarget), whole),
    available: listTargets([group(3), group(4)].map(groupTarget), whole),
  };
  const change = { added: new Set(["group 3"]), removed: new Set(["group 1"]) };
  const { chosen, available } = withPending(lists, pending(change));
  expect(pendingIn(chosen)).toEqual({ "1": "removing", "3": "adding" });
  expect([ids(available.shown), available.total]).toEqual([["4"], 2]);
  const cleared = withPending(lists, pending({ isCleared: true }));
  expect(pendingIn(cleared.chosen)).toEqual({ "1": "removing", "2": "removing" });
});

test("offers a limited number of groups, matching ones first, with all that are ticked", () => {
  const groups = Array.from({ length: maxShown + 20 }, (_, index) => groupTarget(group(index + 1)));
  const params = new URLSearchParams({ machine_search: "GROUP 7", groups: "219" });
  const nothing = { machine: [], group: [] };
  const [picker] = layOutPickers({ group: groups }, params, nothing);
  const { available } = picker!;
  expect(available.total).toBe(maxShown + 20);
  expect(ids(available.shown).slice(0, 3)).toEqual(["7", "70", "71"]);
  expect(available.shown).toHaveLength(maxShown + 1);
  expect(available.shown.at(-1)?.id).toBe("219");
});
