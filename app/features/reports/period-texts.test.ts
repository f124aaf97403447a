import { expect, it } from "vitest";
import { formatCents } from "../../format/money";
import { compare } from "./period-texts";

const october = "1–23 October";

it.each([
  [112, 100, october, "+12% on 1–23 October"],
  [88, 100, october, "−12% on 1–23 October"],
  [5, 5, october, "Same as 1–23 October"],
  [0, 0, "yesterday until 15:59", "Same as yesterday until 15:59"],
  [163, 0, october, "Up from 0 on 1–23 October"],
  [24, 1, october, "Up from 1 on 1–23 October"],
  [4, 0, "yesterday until 15:59", "Up from 0 yesterday until 15:59"],
])("compares %i with %i as '%4$s'", (current, previous, before, text) => {
  const { change, on } = compare(current, previous, before);
  expect(`${change} ${on}`).toBe(text);
});

it("writes the figure that it starts from in its own unit", () => {
  expect(compare(18_210, 0, october, formatCents).change).toBe("Up from $0.00");
});
