import { cardSection } from "../../ui/layout/layout.css";
import { Card } from "../../ui/layout/page";
import { Table } from "../../ui/table/table";
import * as shared from "../demo.css";
import * as css from "./ui.css";
import { pictureUrl } from "../pictures/picture-names";
import { loadCountries, mapSize } from "./world.server";

export function VectorMapPage() {
  const countries = loadCountries();
  const half = Math.ceil(countries.length / 2);
  return (
    <div className={css.stackWide}>
      <Card className={cardSection}>
        <h2>World</h2>
        <a href={pictureUrl("world")}>
          <img
            src={pictureUrl("world")}
            alt="Map of the world with a marker at Buenos Aires, opened alone it names each country"
            width={mapSize.width}
            height={mapSize.height}
            className={shared.picture}
          />
        </a>
      </Card>
      <div className={shared.grid}>
        {[countries.slice(0, half), countries.slice(half)].map((part, index) => (
          <Table
            key={index}
            id={`countries-${index + 1}`}
            caption={`Countries, part ${index + 1}`}
            rows={part}
            fits
            columns={[
              { heading: "Code", cell: ({ id }) => <code>{id}</code> },
              { heading: "Country", isRowHeader: true, cell: ({ name }) => name },
            ]}
          />
        ))}
      </div>
    </div>
  );
}
