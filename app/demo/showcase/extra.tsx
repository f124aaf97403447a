import { Fragment } from "react";
import { MessageBlock } from "../../ui/feedback/message-block";
import { Button } from "../../ui/form/button";
import { cardSection, parts } from "../../ui/layout/layout.css";
import { Card, FactList } from "../../ui/layout/page";
import { Table } from "../../ui/table/table";
import { muted } from "#styles/global.css";
import * as css from "../demo.css";
import { capitalize, landscapes, pictureUrl } from "../pictures/picture-names";
import { Face, Picture } from "../pictures/pictures";
import { numberParam } from "../random";
import { money } from "../store/product";
import { linkWith, type ShowcaseProps } from "./showcase-page";

const posts = [
  [
    "amy",
    "Jessica Nilson",
    "4 minutes ago",
    "A photo that I made on the island last summer.",
    "island",
  ],
  ["ben", "Bob Nilson", "6 hours ago", "The way to the meeting is marked on the map.", "melbourne"],
  ["cleo", "Cleo Lanister", "yesterday", "The report of the quarter is ready. Thank you all."],
  ["dan", "Dan Park", "2 days ago", "Back from the mountains, with a picture for you.", "summit"],
] as const;

export const timelineCards = Object.fromEntries(
  posts.map(([person, who, when, text, picture]) => [
    who,
    <Fragment key={who}>
      <p className={css.row}>
        <Face name={person} /> <span className={muted}>{when}</span>
      </p>
      <p>{text}</p>
      {picture && <Picture name={picture} alt={capitalize(picture)} />}
    </Fragment>,
  ]),
);

const results = [
  ["Next generation admin template", "Documentation", "$24", "/app/demo"],
  ["Try. Posted by Okendoken", "Code", "$12", "/app/extra/timeline"],
  ["Vitaut the Great", "Documentation", "$83", "/app/core/typography"],
  ["Can I use CSS3 Flexbox?", "Code", "$7", "/app/core/grid"],
] as const;
const resultPages = 10;

export function SearchPage({ query }: ShowcaseProps) {
  const page = numberParam(query, "page", { from: 1, to: resultPages, none: 1 });
  return (
    <>
      <p role="status" className={css.intro}>
        About 94,700,000 results
      </p>
      <div className={parts}>
        {results.map(([title, kind, price, path], index) => (
          <Card key={title} className={css.result}>
            <img
              src={pictureUrl(landscapes[(page + index) % landscapes.length]!)}
              alt=""
              width={120}
              height={72}
            />
            <div>
              <h2>
                <a href={path}>{title}</a>
              </h2>
              <p className={muted}>{`${kind}, ${price}`}</p>
              <p>
                Not just usual metro. But something bigger. Not just usual widgets, but real ones.
              </p>
            </div>
          </Card>
        ))}
        <nav aria-label="Pages" className={css.row}>
          {Array.from({ length: resultPages }, (_, at) => (
            <a
              key={at}
              href={linkWith(query, { page: `${at + 1}` })}
              aria-current={page === at + 1 ? "page" : undefined}
              className={css.chip}
            >
              {at + 1}
            </a>
          ))}
        </nav>
      </div>
    </>
  );
}

export const galleryCards = Object.fromEntries(
  landscapes.map((name) => {
    const title = capitalize(name);
    return [title, <Picture key={name} name={name} alt={title} />];
  }),
);

type Item = [id: number, item: string, desc: string, quantity: number, cents: number];

const rows: Item[] = [
  [1, "Brand-new 27-inch monitor", "2,560 by 1,440 pixels", 2, 70_000],
  [2, "Domain: okendoken.com", "6-month registration", 1, 2_188],
  [3, "Atlas Shrugged", "Novel, first published in 1957", 5, 3_500],
  [4, "New song", "Single in a lossless format", 1, 2_500],
];
const items = rows.map(([id, item, desc, quantity, price]) => ({
  id,
  item,
  desc,
  quantity,
  price,
  total: quantity * price,
}));
const taxPercent = 10;

const formatCents = (amount: number) => money.format(amount / 100);

export function InvoicePage({ query }: ShowcaseProps) {
  const subtotal = items.reduce((sum, { total }) => sum + total, 0);
  const tax = Math.round((subtotal * taxPercent) / 100);
  return (
    <div className={parts}>
      {query.has("paid") && (
        <div role="status">
          <MessageBlock kind="info">Thank you. This is a demo: nothing was paid.</MessageBlock>
        </div>
      )}
      <Card>
        <FactList
          facts={[
            ["No. 9.45613", "20.11.2026"],
            ["Company", "Promo Console Demo, Great Road 12, 60601 Springfield"],
            ["Client", "Veronica Niasvizhskaja, Consultant, Allspicer"],
          ]}
        />
      </Card>
      <Table
        title="Items"
        fits
        rows={items}
        columns={[
          { heading: "#", isNumber: true, cell: ({ id }) => id },
          { heading: "Item", isRowHeader: true, cell: ({ item }) => item },
          { heading: "Description", cell: ({ desc }) => desc },
          { heading: "Quantity", isNumber: true, cell: ({ quantity }) => quantity },
          { heading: "Price per unit", isNumber: true, cell: ({ price }) => formatCents(price) },
          { heading: "Total", isNumber: true, cell: ({ total }) => formatCents(total) },
        ]}
      />
      <Card className={cardSection}>
        <FactList
          facts={[
            ["Subtotal", formatCents(subtotal)],
            [`Tax (${taxPercent}%)`, formatCents(tax)],
            ["Total", <b key="total">{formatCents(subtotal + tax)}</b>],
          ]}
        />
        <p>
          <b>Note:</b> Thank you for your business. Please pay within 14 days. To print, use the
          print command of the browser.
        </p>
        <form>
          <Button variant="primary" name="paid" value="1">
            Proceed with Payment
          </Button>
        </form>
      </Card>
    </div>
  );
}
