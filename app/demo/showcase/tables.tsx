import { button } from "../../ui/form/button.css";
import { cardSection } from "../../ui/layout/layout.css";
import { Card } from "../../ui/layout/page";
import { Icon } from "../../ui/icon/icon";
import { countOf } from "../../format/number";
import { HeaderCell, Table, type Column } from "../../ui/table/table";
import * as shared from "../demo.css";
import * as css from "./ui.css";
import * as pageCss from "./pages.css";
import type { ShowcaseProps } from "./showcase-props";

const employees = (
  "Joe James,Test Corp,Yonkers,NY;John Walsh,Test Corp,Hartford,CT;Bob Herm,Test Corp,Tampa,FL;" +
  "James Houston,Test Corp,Dallas,TX;Prabhakar Linwood,Test Corp,Hartford,CT;Kaui Ignace,Test Corp,Yonkers,NY;" +
  "Esperanza Susanne,Test Corp,Hartford,CT;Christian Birgitte,Test Corp,Tampa,FL;Meral Elias,Test Corp,Hartford,CT;" +
  "Deep Pau,Test Corp,Yonkers,NY;Sebastiana Hani,Test Corp,Dallas,TX;Marciano Oihana,Test Corp,Yonkers,NY;" +
  "Brigid Ankur,Test Corp,Dallas,TX;Anna Siranush,Test Corp,Yonkers,NY;Avram Sylva,Test Corp,Hartford,CT;" +
  "Serafima Babatunde,Test Corp,Tampa,FL;Gaston Festus,Test Corp,Tampa,FL"
)
  .split(";")
  .map((row) => {
    const [name = "", company = "", city = "", state = ""] = row.split(",");
    return { name, company, city, state };
  });

const orders = [
  {
    name: "Mark Otto",
    product: "On the Road",
    price: "$25,224.20",
    date: "11.05.2026",
    city: "Otsego",
  },
  {
    name: "Jacob Thornton",
    product: "HP Core i7",
    price: "$1,254.20",
    date: "04.06.2026",
    city: "Fivepointville",
  },
  {
    name: "Larry the Bird",
    product: "Air Pro",
    price: "$1,570.00",
    date: "27.08.2026",
    city: "Leadville North",
  },
  {
    name: "Joseph May",
    product: "Version Control",
    price: "$5,224.50",
    date: "19.02.2026",
    city: "Seaforth",
  },
];

export function StaticTablesPage() {
  return (
    <div className={css.stackWide}>
      <Table
        caption="Employee List"
        title="Employee List"
        rows={employees}
        rowKey="name"
        tools={<span className={shared.edge}>{countOf(employees.length, "employee")}</span>}
        columns={[
          { heading: "Name", isRowHeader: true, cell: ({ name }) => name },
          { heading: "Company", cell: ({ company }) => company },
          { heading: "City", cell: ({ city }) => city },
          { heading: "State", cell: ({ state }) => state },
        ]}
      />
      <Table
        id="orders"
        caption="Orders"
        title="Plain table"
        rows={orders}
        rowKey="name"
        columns={[
          { heading: "Name", isRowHeader: true, cell: ({ name }) => name },
          { heading: "Product", cell: ({ product }) => product },
          { heading: "Price", isNumber: true, cell: ({ price }) => price },
          { heading: "Date", cell: ({ date }) => date },
          { heading: "City", cell: ({ city }) => city },
        ]}
      />
    </div>
  );
}

const desserts = (
  "Cupcake,305,3.7,67,4.3;Donut,452,25,51,4.9;Eclair,262,16,24,6;Frozen yoghurt,159,6,24,4;Gingerbread,356,16,49,3.9;" +
  "Honeycomb,408,3.2,87,6.5;Ice cream sandwich,237,9,37,4.3;Jelly Bean,375,0,94,0;KitKat,518,26,65,7;" +
  "Lollipop,392,0.2,98,0;Marshmallow,318,0,81,2;Nougat,360,19,9,37;Oreo,437,18,63,4"
)
  .split(";")
  .map((row) => {
    const [name = "", ...numbers] = row.split(",");
    const [calories = 0, fat = 0, carbs = 0, protein = 0] = numbers.map(Number);
    return { name, calories, fat, carbs, protein };
  });
type Dessert = (typeof desserts)[number];

const headings: [keyof Dessert, string][] = [
  ["calories", "Calories"],
  ["fat", "Fat (g)"],
  ["carbs", "Carbs (g)"],
  ["protein", "Protein (g)"],
];
const dessertsPerPage = 5;

export function DynamicTablesPage({ query }: ShowcaseProps) {
  return (
    <div className={css.stackWide}>
      <Desserts query={query} />
      <Nutrition query={query} />
    </div>
  );
}

function linkWith(query: URLSearchParams, changes: Record<string, string>): string {
  const params = new URLSearchParams(query);
  for (const [name, value] of Object.entries(changes)) params.set(name, value);
  return `?${params}`;
}

function Desserts({ query }: ShowcaseProps) {
  const last = Math.ceil(desserts.length / dessertsPerPage);
  const page = Math.min(last, Math.max(1, Math.trunc(Number(query.get("page"))) || 1));
  const rows = desserts.slice((page - 1) * dessertsPerPage, page * dessertsPerPage);
  const steps: [string, number][] = [
    ["First page", 1],
    ["Previous page", page - 1],
    ["Next page", page + 1],
    ["Last page", last],
  ];
  return (
    <Table
      caption="Desserts"
      title="Desserts"
      rows={rows}
      rowKey="name"
      fits
      columns={[
        { heading: "Dessert", isRowHeader: true, cell: ({ name }) => name },
        { heading: "Calories", isNumber: true, cell: ({ calories }) => calories },
        { heading: "Fat (g)", isNumber: true, cell: ({ fat }) => fat },
      ]}
      footer={
        <nav aria-label="Pages of desserts" className={shared.row}>
          <span>{`Page ${page} of ${last}`}</span>
          {steps.map(([label, to]) =>
            to < 1 || to > last || to === page ? (
              <span key={label} role="link" aria-disabled="true" className={button.default}>
                {label}
              </span>
            ) : (
              <a key={label} href={linkWith(query, { page: `${to}` })} className={button.default}>
                {label}
              </a>
            ),
          )}
        </nav>
      }
    />
  );
}

function Nutrition({ query }: ShowcaseProps) {
  const [by, direction] = (query.get("sort") ?? "calories.asc").split(".");
  const [sortBy] = headings.find(([name]) => name === by) ?? headings[0]!;
  const isDescending = direction === "desc";
  const rows = [...desserts].sort(
    (a, b) => (isDescending ? -1 : 1) * (Number(a[sortBy]) - Number(b[sortBy])),
  );
  const chosen = query.getAll("dessert");
  const columns: Column<Dessert>[] = [
    {
      heading: "Select",
      isSelection: true,
      cell: ({ name }) => (
        <input
          type="checkbox"
          name="dessert"
          value={name}
          form="nutrition-form"
          defaultChecked={chosen.includes(name)}
          aria-label={`Select ${name}`}
        />
      ),
    },
    { heading: "Dessert", isRowHeader: true, cell: ({ name }) => name },
    ...headings.map(([name, heading]): Column<Dessert> => {
      const isSorted = name === sortBy;
      const next = isSorted && !isDescending ? "desc" : "asc";
      return {
        heading,
        isNumber: true,
        header: (
          <HeaderCell
            column={{ isNumber: true }}
            aria-sort={isSorted ? (isDescending ? "descending" : "ascending") : undefined}
          >
            <a href={linkWith(query, { sort: `${name}.${next}` })} className={pageCss.sort}>
              {heading}
              {isSorted && <Icon name={isDescending ? "arrow-down" : "arrow-up"} size="small" />}
            </a>
          </HeaderCell>
        ),
        cell: (row) => row[name],
      };
    }),
  ];
  return (
    <>
      <Table
        id="nutrition"
        caption="Nutrition"
        title="Nutrition"
        rows={rows}
        rowKey="name"
        columns={columns}
        tools={
          <form id="nutrition-form" className={shared.edge}>
            <input type="hidden" name="sort" value={`${sortBy}.${direction ?? "asc"}`} />
            <button type="submit" className={button.default}>
              Show selection
            </button>
          </form>
        }
      />
      {chosen.length > 0 && (
        <Card className={cardSection}>
          <p role="status">{`${chosen.length} selected: ${chosen.join(", ").slice(0, 300)}`}</p>
        </Card>
      )}
    </>
  );
}
