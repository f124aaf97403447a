import { expect, it } from "vitest";
import { describeChanges } from "./audit-log.server";

it.each([
  [
    "report_schedule.edited",
    { frequency: { from: "weekly", to: "monthly" } },
    "Frequency: weekly → monthly",
  ],
  ["report_schedule.created", { frequency: { from: null, to: "monthly" } }, "Frequency: monthly"],
  [
    "machine_group.machines_added",
    { machines_added: { from: [], to: ["VM-1", "VM-2"] } },
    "VM-1, VM-2",
  ],
  [
    "machine_group.machines_removed",
    { machines: { from: ["VM-1"], to: [] } },
    "Machines: VM-1 → none",
  ],
])("writes what %s changed", (action, details, line) => {
  expect(describeChanges({ action, details })).toEqual([line]);
});
