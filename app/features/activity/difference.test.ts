import { expect, it } from "vitest";
import { describeDifference } from "./difference";

const change = { field: "Frequency", from: "weekly", to: "monthly" };

it("writes the value before and the value after", () => {
  expect(describeDifference("Edited", change)).toBe("Frequency: weekly → monthly");
});

it("leaves out a value that there was not", () => {
  const created = { ...change, from: "none" };
  expect(describeDifference("Created", created)).toBe("Frequency: monthly");
});

it("does not repeat the name of the action", () => {
  const added = { field: "Machines added", from: "none", to: "VM-1, VM-2" };
  expect(describeDifference("Machines added", added)).toBe("VM-1, VM-2");
});
