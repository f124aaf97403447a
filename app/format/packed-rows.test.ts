import { expect, test } from "vitest";
import { packRows, unpackRows } from "./packed-rows";

const page = {
  root: { theme: "default" },
  list: {
    rows: [
      { id: "1", promotion: { id: "7", name: "Summer" }, used: 3, last: null, isNew: true },
      { id: "2", promotion: { id: "8", name: "Summer" }, used: 0, last: { at: 0 }, isNew: true },
      { id: "3", promotion: { id: "8", name: "Winter" }, used: 0, last: null, isNew: false },
    ],
    unlike: [{ id: "1" }, { id: "2", name: "b" }],
    counts: [{ count: null }, { count: 0 }, { count: null }],
    names: ["a", "b"],
    one: [{ id: "1" }],
    none: null,
  },
  empty: null,
};

test("sends names once for all rows, and a text once for rows that repeat it", () => {
  expect(packRows(page).list).toMatchObject({
    rows: {
      packed: ["id", ["promotion", ["id", "name"]], "used", "last", "isNew"],
      rows: [
        ["1", "7", "Summer", 3, null, true],
        ["2", "8", 0, 0, { at: 0 }],
        ["3", 0, "Winter", 0, null, false],
      ],
    },
  });
});

test("gives scripts what the loaders returned", () => {
  expect(unpackRows(JSON.parse(JSON.stringify(packRows(page))) as typeof page)).toEqual(page);
});

test("leaves data alone that was not packed", () => {
  expect(unpackRows(page)).toEqual(page);
});

test("leaves out what the end of a row repeats", () => {
  const rows = [
    { id: "1", name: "Summer", status: "active" },
    { id: "2", name: "Summer", status: "active" },
    { id: "2", name: "Winter", status: "active" },
    { id: "2", name: "Winter", status: "active" },
  ];
  const packed = packRows({ list: { rows } });
  expect(packed.list).toMatchObject({
    rows: { rows: [["1", "Summer", "active"], ["2"], [0, "Winter"], []] },
  });
  expect(unpackRows(packed)).toEqual({ list: { rows } });
});
