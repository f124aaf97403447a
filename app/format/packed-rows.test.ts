import { expect, test } from "vitest";
import { packRows, unpackRows } from "./packed-rows";

const page = {
  root: { theme: "default" },
  list: {
    rows: [
      { id: "1", promotion: { id: "7", name: "Summer" }, last: null, tags: ["a"] },
      { id: "2", promotion: { id: "8", name: "Winter" }, last: { text: "today" }, tags: [] },
    ],
    unlike: [{ id: "1" }, { id: "2", name: "b" }],
    names: ["a", "b"],
    one: [{ id: "1" }],
    none: null,
  },
  empty: null,
};

test("sends the names of properties once for all rows", () => {
  expect(packRows(page).list).toMatchObject({
    rows: {
      packed: ["id", ["promotion", ["id", "name"]], "last", "tags"],
      rows: [
        ["1", ["7", "Summer"], null, ["a"]],
        ["2", ["8", "Winter"], { text: "today" }, []],
      ],
    },
  });
});

test("gives scripts what the loaders returned", () => {
  expect(unpackRows(JSON.parse(JSON.stringify(packRows(page))))).toEqual(page);
});

test("leaves data alone that was not packed", () => {
  expect(unpackRows(page)).toEqual(page);
});
