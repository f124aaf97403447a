import { expect, test } from "vitest";
import { layOutGroupChoices, maxShownGroups } from "./group-choices";

const group = (number: number) => ({
  id: `${number}`,
  name: `Route ${number}`,
  kind: "route" as const,
  machineCount: 0,
});

test("groups that match come first, and none is left out", () => {
  const layout = layOutGroupChoices([group(1), group(2), group(12)], {
    selected: ["2", "99"],
    search: " ROUTE 1",
  });
  expect(layout.shown.map(({ id }) => id)).toEqual(["1", "12", "2"]);
  expect(layout).toMatchObject({ total: 3, selected: ["2"] });
});

test("many are bounded, but never what is selected", () => {
  const many = Array.from({ length: maxShownGroups + 50 }, (_, index) => group(index));
  const layout = layOutGroupChoices(many, { selected: ["240"], search: "" });
  expect(layout.shown).toHaveLength(maxShownGroups + 1);
  expect(layout.total).toBe(maxShownGroups + 50);
});
