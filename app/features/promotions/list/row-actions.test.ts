import { expect, test } from "vitest";
import { paths } from "../../../paths";
import { optimisticRows } from "./row-actions";

const rows = [
  { id: "1", status: "active" },
  { id: "12", status: "active" },
  { id: "3", status: "expired" },
] as const;
const sent = (id: string, search = "") => ({
  formAction: paths.promotionDeactivation(id) + search,
});

test("a deactivation under way is shown as done", () => {
  expect(optimisticRows(rows, [sent("12", "?sort=name")])).toEqual([
    rows[0],
    { id: "12", status: "inactive" },
    rows[2],
  ]);
});

test("several at once are all shown", () => {
  const statuses = optimisticRows(rows, [sent("1"), sent("12")]).map(({ status }) => status);
  expect(statuses).toEqual(["inactive", "inactive", "expired"]);
});

test("only an active promotion changes", () => {
  expect(optimisticRows(rows, [sent("3")])).toEqual(rows);
});

test("an action that is no longer pending is undone, and nothing else moves a row", () => {
  expect(optimisticRows(rows, [])).toBe(rows);
  expect(optimisticRows(rows, [sent("2"), {}, { formAction: "/preferences" }])).toBe(rows);
  expect(optimisticRows(rows, [{ formAction: paths.promotionDeletion("1") }])).toBe(rows);
});
