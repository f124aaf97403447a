import { Button } from "../../ui/form/button";
import { Icon } from "../../ui/icon/icon";
import { cardSection, smallFigure } from "../../ui/layout/layout.css";
import { Card } from "../../ui/layout/page";
import { muted } from "#styles/global.css";
import * as shared from "../demo.css";
import * as css from "./ui.css";
import * as pageCss from "./pages.css";
import { pictureUrl } from "../pictures/picture-names";

const Picture = ({ name, alt }: { name: string; alt: string }) => (
  <img src={pictureUrl(name)} alt={alt} width={400} height={240} className={shared.picture} />
);

export function CardsPage() {
  return (
    <div className={shared.columns.medium}>
      <Card className={cardSection}>
        <Picture name="lizard" alt="Lizard on a warm stone" />
        <h2>Lizard</h2>
        <p>
          Lizards are a widespread group of reptiles with more than 6,000 species, found on every
          continent but Antarctica.
        </p>
        <p className={shared.row}>
          <Button type="button">Share</Button>
          <a href="/app/demo" className={shared.target}>
            Learn more
          </a>
        </p>
      </Card>
      <Card className={cardSection}>
        <div className={shared.row}>
          <img src={pictureUrl("cleo")} alt="" width={40} height={40} className={shared.face} />
          <div>
            <h2>Rice with prawns and peas</h2>
            <p className={muted}>14 September 2026</p>
          </div>
        </div>
        <Picture name="harbour" alt="Harbour in the evening" />
        <p>This dish feeds a whole table. Add a cup of frozen peas with the prawns.</p>
        <details>
          <summary className={css.summary}>
            <Icon name="chevron-down" size="small" /> Method
          </summary>
          <p>Heat the stock with saffron, brown the prawns, add rice, and wait for 20 minutes.</p>
        </details>
      </Card>
      <Card className={cardSection}>
        <p className={muted}>Word of the day</p>
        <h2>be·nev·o·lent</h2>
        <p className={muted}>adjective</p>
        <p>Well meaning and kindly, as in “a benevolent smile”.</p>
      </Card>
      <Card className={cardSection}>
        <Picture name="summit" alt="Summit above the clouds" />
        <h2>Spring offer</h2>
        <p>Two nights in the mountains for the price of one.</p>
        <p>
          <Button type="button" variant="primary">
            See the offer
          </Button>
        </p>
      </Card>
      <Card className={cardSection}>
        <h2>Rating</h2>
        <p className={smallFigure}>4.6</p>
        <p role="img" aria-label="4.6 of 5 stars" className={pageCss.stars} />
        <p>342 reviews</p>
        <p>
          <b>69%</b> recommend
        </p>
        <p>
          <Button type="button">Write a review</Button>
        </p>
      </Card>
    </div>
  );
}
