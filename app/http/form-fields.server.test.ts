import { expect, it } from "vitest";
import { formFields } from "./form-fields.server";

function formOf(names: number): FormData {
  const form = new FormData();
  for (let index = 0; index < names; index += 1) form.append(`n${index}`, "x");
  return form;
}

/** Returns the shortest of some durations: other tests share the machine. */
function durationOf(work: () => void): number {
  const durations = Array.from({ length: 3 }, () => {
    const started = performance.now();
    work();
    return performance.now() - started;
  });
  return Math.min(...durations);
}

it("lists the values of a name that was sent more than once, and leaves secrets out", () => {
  const form = formOf(1);
  for (const value of ["1", "2", "3"]) form.append("machines", value);
  form.append("password", "secret");
  const { repopulateFields } = formFields({}, form, ["password"]);
  expect(repopulateFields).toEqual({ n0: "x", machines: ["1", "2", "3"] });
});

it("takes no longer for many names in one form than for as many in small ones", () => {
  const [large, small] = [formOf(5_000), formOf(50)];
  const ofSmall = durationOf(() => {
    for (let count = 0; count < 100; count += 1) formFields({}, small);
  });
  expect(durationOf(() => formFields({}, large))).toBeLessThan(10 * ofSmall);
});
