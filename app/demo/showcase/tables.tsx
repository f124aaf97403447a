import { countOf } from "../../format/number";
import { defineList, type Sort } from "../../lists/list";
import { formatSort } from "../../lists/list-params";
import { parseList } from "../../lists/parse-list";
import { ListNotes } from "../../ui/table/list-notes";
import { ListTable } from "../../ui/list/list-table";
import { Table, type Column } from "../../ui/table/table";
import { muted } from "#styles/global.css";
import type { ShowcaseProps } from "./showcase-page";

/** Splits a table of text: one row a line, its values between commas. */
const parseRows = (text: string) =>
  text
    .trim()
    .split("\n")
    .map((line) => line.trim().split(","));

const employees = parseRows(`
  Joe James,Test Corp,Yonkers,NY
  John Walsh,Test Corp,Hartford,CT
  Bob Herm,Test Corp,Tampa,FL
  James Houston,Test Corp,Dallas,TX
  Prabhakar Linwood,Test Corp,Hartford,CT
  Kaui Ignace,Test Corp,Yonkers,NY
`).map(([name, company, city, state]) => ({ name, company, city, state }));

export function StaticTablesPage() {
  return (
    <Table
      title="Employee List"
      rows={employees}
      rowKey="name"
      tools={<span className={muted}>{countOf(employees.length, "employee")}</span>}
      columns={[
        { heading: "Name", isRowHeader: true, cell: ({ name }) => name },
        { heading: "Company", cell: ({ company }) => company },
        { heading: "City", cell: ({ city }) => city },
        { heading: "State", cell: ({ state }) => state },
      ]}
    />
  );
}

const desserts = parseRows(`
  Cupcake,305,3.7,67,4.3
  Donut,452,25,51,4.9
  Eclair,262,16,24,6
  Frozen yoghurt,159,6,24,4
  Gingerbread,356,16,49,3.9
  Honeycomb,408,3.2,87,6.5
  Ice cream sandwich,237,9,37,4.3
  Jelly Bean,375,0,94,0
  KitKat,518,26,65,7
  Lollipop,392,0.2,98,0
  Marshmallow,318,0,81,2
  Nougat,360,19,9,37
  Oreo,437,18,63,4
`).map(([id = "", ...numbers]) => {
  const [calories = 0, fat = 0, carbs = 0, protein = 0] = numbers.map(Number);
  return { id, calories, fat, carbs, protein };
});
type Dessert = (typeof desserts)[number];

const dessertList = defineList({
  pageSizes: [5, 10],
  defaultPageSize: 5,
  sorts: {
    id: "ascending",
    calories: "ascending",
    fat: "ascending",
    carbs: "ascending",
    protein: "ascending",
  },
  defaultSort: { by: "calories", isDescending: false },
});

function sortDesserts({ by, isDescending }: Sort<keyof Dessert>): Dessert[] {
  const sorted = desserts.toSorted((a, b) => (a[by] < b[by] ? -1 : a[by] > b[by] ? 1 : 0));
  return isDescending ? sorted.reverse() : sorted;
}

const numberColumn = (sort: keyof Dessert, heading: string): Column<Dessert> => ({
  heading,
  sort,
  isNumber: true,
  cell: (row) => row[sort],
});

const columns: Column<Dessert>[] = [
  { heading: "Dessert", sort: "id", isRowHeader: true, cell: ({ id }) => id },
  numberColumn("calories", "Calories"),
  numberColumn("fat", "Fat (g)"),
  numberColumn("carbs", "Carbs (g)"),
  numberColumn("protein", "Protein (g)"),
];

export function DynamicTablesPage({ query }: ShowcaseProps) {
  const { query: list, errors } = parseList(dessertList, query);
  const { perPage, sort } = list;
  const page = Math.min(list.page, Math.ceil(desserts.length / perPage));
  const data = {
    page,
    perPage,
    sort: formatSort(sort),
    total: desserts.length,
    rows: sortDesserts(sort).slice((page - 1) * perPage, page * perPage),
  };
  return (
    <>
      <ListNotes list={{ messages: Object.values(errors), isFallback: page !== list.page }} />
      <ListTable title="Nutrition" list={dessertList} data={data} columns={columns} />
    </>
  );
}
