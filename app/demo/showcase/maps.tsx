import { cardSection } from "../../ui/layout/layout.css";
import { Card } from "../../ui/layout/page";
import { Pagination } from "../../ui/table/pagination";
import { Table } from "../../ui/table/table";
import * as css from "./ui.css";
import * as pageCss from "./pages.css";
import { pictureUrl } from "../pictures/picture-names";
import { numberParam } from "./random";
import type { ShowcaseProps } from "./showcase-props";
import { loadCountries, mapSize } from "./world.server";

const perPage = 25;

export function VectorMapPage({ query }: ShowcaseProps) {
  const countries = loadCountries();
  const last = Math.ceil(countries.length / perPage);
  const page = numberParam(query, "page", { from: 1, to: last, none: 1 });
  const rows = countries.slice((page - 1) * perPage, page * perPage);
  return (
    <div className={css.stackWide}>
      <Card className={cardSection}>
        <h2>World</h2>
        <img
          src={pictureUrl("world")}
          alt="Map of the world with a marker at Buenos Aires"
          width={mapSize.width}
          height={mapSize.height}
          className={pageCss.sea}
        />
        <p>
          The marker stands at Buenos Aires.{" "}
          <a href={pictureUrl("world")}>Open the map to see the name of each country</a>
        </p>
      </Card>
      <Table
        id="countries"
        caption="Countries"
        title="Countries"
        rows={rows}
        fits
        columns={[
          { heading: "Country", isRowHeader: true, cell: ({ name }) => name },
          { heading: "Code", cell: ({ id }) => <code>{id}</code> },
        ]}
        footer={
          <Pagination
            label="Pages of countries"
            page={{ page, perPage, total: countries.length }}
            rowCount={rows.length}
            urlOf={({ page: to = "1" }) => `?page=${to}#countries`}
          />
        }
      />
    </div>
  );
}
