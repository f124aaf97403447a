import { cardSection } from "../../ui/layout/layout.css";
import { Card } from "../../ui/layout/page";
import * as css from "../demo.css";
import { pictureUrl } from "../pictures/picture-names";

/** Shows the map, which has 205 pixels for one radian at its full width. */
export function VectorMapPage() {
  return (
    <Card className={cardSection}>
      <h2>World</h2>
      <img
        src={pictureUrl("world")}
        alt="Map of the world with a marker at Buenos Aires"
        width={1288}
        height={504}
        className={css.sea}
      />
      <p>
        The marker stands at Buenos Aires.{" "}
        <a href={pictureUrl("world")}>Open the map to see the name of each country</a>
      </p>
    </Card>
  );
}
