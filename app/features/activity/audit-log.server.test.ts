import { expect, it } from "vitest";
import { describeAction, describeChanges, toActionName } from "./audit-log.server";

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
  ["user.edited", { phoneNumber: { from: "", to: "12" } }, "Phone number: 12"],
  ["user.edited", { firstName: { from: "Ann", to: "Eve" } }, "First name: Ann → Eve"],
])("writes what %s changed", (action, details, line) => {
  expect(describeChanges({ action, details }, { hasCodes: true })).toEqual([line]);
});

it.each([
  ["user.second_factor_added", "Two-step verification added"],
  ["approval.asked", "Approval requested"],
])("writes %s as '%s', and finds it by these words", (action, label) => {
  expect(describeAction({ action, subjectId: "1", covered: 1 })).toBe(label);
  expect(action.endsWith(toActionName(label))).toBe(true);
});

it.each(["requested", "Approval request"])("finds 'Approval requested' by '%s'", (text) => {
  expect(toActionName(text)).toBe("asked");
});

// Comparing each with each takes minutes for so many.
it("writes what changed in a list of 300,000 within the time of a test", () => {
  const from = Array.from({ length: 300_000 }, (_, index) => `VM-${index}`);
  const machines = { from, to: [...from.slice(1), "VM-X"] };
  const options = { hasCodes: true };
  expect(
    describeChanges({ action: "promotion.machines_added", details: { machines } }, options),
  ).toEqual(["Machines: 300,000 → 300,000, added VM-X, removed VM-0"]);
});
