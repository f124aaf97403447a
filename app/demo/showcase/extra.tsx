import { Button } from "../../ui/form/button";
import { Icon } from "../../ui/icon/icon";
import { button } from "../../ui/form/button.css";
import { cardSection } from "../../ui/layout/layout.css";
import { Card, LinkTabs } from "../../ui/layout/page";
import { muted } from "#styles/global.css";
import * as shared from "../demo.css";
import * as css from "./ui.css";
import * as pageCss from "./pages.css";
import { landscapes, pictureUrl } from "../pictures/picture-names";
import type { ShowcaseProps } from "./showcase.static";

const capital = (name: string) =>
  `${name.charAt(0).toUpperCase()}${name.slice(1).replaceAll("-", " ")}`;

const posts = [
  {
    who: "Jessica Nilson",
    person: "amy",
    when: "4 minutes ago",
    text: "Check out this awesome photo I made on the island last summer. Seems like a good time.",
    picture: "island",
  },
  {
    who: "Bob Nilson",
    person: "ben",
    when: "6 hours ago",
    text: "Lots of you have asked for the way to the meeting. It is marked on the map.",
    map: true,
  },
  {
    who: "Cleo Lanister",
    person: "cleo",
    when: "yesterday",
    text: "The report of the quarter is ready. Thank you all for your numbers.",
  },
  {
    who: "Dan Park",
    person: "dan",
    when: "2 days ago",
    text: "Back from the mountains, with a picture for each of you.",
    picture: "summit",
  },
];

export function TimelinePage({ query }: ShowcaseProps) {
  return (
    <ol className={pageCss.timeline}>
      {posts.map(({ who, person, when, text, picture, map }) => (
        <li key={who}>
          <Card className={cardSection}>
            <div className={shared.row}>
              <img src={pictureUrl(person)} alt="" width={40} height={40} className={shared.face} />
              <div>
                <h2>{who}</h2>
                <p className={muted}>{when}</p>
              </div>
            </div>
            <p>{text}</p>
            {picture && (
              <img
                src={pictureUrl(picture)}
                alt={capital(picture)}
                width={400}
                height={240}
                loading="lazy"
                className={shared.picture}
              />
            )}
            {map && (
              <a href="/app/maps/google">
                <img
                  src={pictureUrl("melbourne")}
                  alt="Map with a marker"
                  width={400}
                  height={240}
                  loading="lazy"
                  className={shared.picture}
                />
              </a>
            )}
            <LikeBar name={person} query={query} />
          </Card>
        </li>
      ))}
    </ol>
  );
}

/** Links that only this page counts. */
function LikeBar({ name, query }: { name: string; query: URLSearchParams }) {
  const likes = query.getAll("like");
  const isLiked = likes.includes(name);
  const next = isLiked ? likes.filter((liked) => liked !== name) : [...likes.slice(-20), name];
  const search = new URLSearchParams(next.map((liked) => ["like", liked])).toString();
  return (
    <p className={shared.row}>
      <a
        href={`?${search}#${name}`}
        id={name}
        aria-label={`${isLiked ? "Unlike" : "Like"} ${capital(name)}`}
        className={button.default}
      >
        {isLiked ? "Liked" : "Like"}
      </a>
      <a
        href={`?${search}#${name}`}
        aria-label={`Comment on ${capital(name)}`}
        className={button.default}
      >
        Comment
      </a>
    </p>
  );
}

const results = [
  ["Next generation admin template", "Documentation", "$24"],
  ["Try. Posted by Okendoken", "Code", "$12"],
  ["Vitaut the Great", "Documentation", "$83"],
  ["Can I use CSS3 Flexbox?", "Code", "$7"],
] as const;
const categories = { All: 94, Documentation: 40, Code: 54 };
const resultPages = 10;

export function SearchPage({ query }: ShowcaseProps) {
  const when = query.get("when") === "all" ? "all" : "popular";
  const category = query.get("category") ?? "All";
  const page = Math.min(resultPages, Math.max(1, Math.trunc(Number(query.get("page"))) || 1));
  const url = (changes: Record<string, string>) =>
    `?${new URLSearchParams({ when, category: category.slice(0, 50), ...changes })}`;
  const shown = results.filter(([, kind]) => category === "All" || kind === category);
  return (
    <>
      <p role="status">About 94 700 000 results</p>
      <LinkTabs
        label="Period"
        tabs={[
          { to: url({ when: "popular" }), label: "Popular", isCurrent: when === "popular" },
          { to: url({ when: "all" }), label: "All Time", isCurrent: when === "all" },
        ]}
      />
      <div className={pageCss.aside}>
        <Card className={cardSection}>
          <h2>Results filtering</h2>
          <ul>
            {Object.entries(categories).map(([name, count]) => (
              <li key={name}>
                <a
                  href={url({ category: name })}
                  aria-current={name === category ? "true" : undefined}
                >
                  {name}
                </a>{" "}
                <span className={muted}>{count}</span>
              </li>
            ))}
          </ul>
        </Card>
        <div className={css.stackWide}>
          {(when === "all" ? [...shown].reverse() : shown).map(([title, kind, price], index) => (
            <Card key={title} className={pageCss.result}>
              <img
                src={pictureUrl(landscapes[(page + index) % landscapes.length]!)}
                alt=""
                width={120}
                height={72}
                loading="lazy"
              />
              <div>
                <h2>{title}</h2>
                <p className={muted}>{kind}</p>
                <p>
                  Not just usual metro. But something bigger. Not just usual widgets, but real ones.
                </p>
              </div>
              <p>
                <b>{price}</b>
              </p>
            </Card>
          ))}
          <nav aria-label="Pages" className={shared.row}>
            {Array.from({ length: resultPages }, (_, at) => (
              <a
                key={at}
                href={url({ page: `${at + 1}` })}
                aria-current={page === at + 1 ? "page" : undefined}
                className={shared.chip}
              >
                {at + 1}
              </a>
            ))}
          </nav>
        </div>
      </div>
    </>
  );
}

export function GalleryPage({ query }: ShowcaseProps) {
  return (
    <ul className={shared.tiles}>
      {landscapes.map((name) => (
        <li key={name}>
          <Card className={cardSection}>
            <img
              src={pictureUrl(name)}
              alt={capital(name)}
              width={400}
              height={240}
              loading="lazy"
              className={shared.picture}
            />
            <h2>{capital(name)}</h2>
            <LikeBar name={name} query={query} />
          </Card>
        </li>
      ))}
    </ul>
  );
}

/** Price in cents. */
export const invoiceItems = [
  {
    id: 1,
    item: "Brand-new 27-inch monitor",
    desc: "2,560 by 1,440 pixels",
    quantity: 2,
    price: 70_000,
  },
  { id: 2, item: "Domain: okendoken.com", desc: "6-month registration", quantity: 1, price: 2_188 },
  {
    id: 3,
    item: "Atlas Shrugged",
    desc: "Novel, first published in 1957",
    quantity: 5,
    price: 3_500,
  },
  { id: 4, item: "New song", desc: "Single in a lossless format", quantity: 1, price: 2_500 },
];
const taxPercent = 10;

const dollars = new Intl.NumberFormat("en-US", { style: "currency", currency: "USD" });
const cents = (amount: number) => dollars.format(amount / 100);

export function InvoicePage({ query }: ShowcaseProps) {
  const subtotal = invoiceItems.reduce((sum, { quantity, price }) => sum + quantity * price, 0);
  const tax = Math.round((subtotal * taxPercent) / 100);
  return (
    <Card className={pageCss.invoice}>
      {query.has("paid") && <p role="status">Thank you. This is a demo: nothing was paid.</p>}
      <div className={shared.grid}>
        <section aria-labelledby="company">
          <h2 id="company">Company information</h2>
          <p>Promo Console Demo</p>
          <p className={muted}>Great Road 12, 60601 Springfield</p>
          <p className={muted}>billing@example.com</p>
        </section>
        <section aria-labelledby="client">
          <h2 id="client">Client information</h2>
          <p>Veronica Niasvizhskaja</p>
          <p className={muted}>Consultant, Allspicer</p>
          <p className={muted}>veronica@example.com</p>
        </section>
      </div>
      <p>Invoice 9.45613, 20.11.2026</p>
      <table className={pageCss.sheet}>
        <caption className={shared.strong}>Items</caption>
        <thead>
          <tr>
            {["#", "Item", "Description", "Quantity", "Price per unit", "Total"].map((heading) => (
              <th key={heading} scope="col">
                {heading}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {invoiceItems.map(({ id, item, desc, quantity, price }) => (
            <tr key={id}>
              <td>{id}</td>
              <th scope="row">{item}</th>
              <td>{desc}</td>
              <td>{quantity}</td>
              <td>{cents(price)}</td>
              <td>{cents(quantity * price)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p>
        <b>Note:</b> thank you for your business. Please pay within 14 days.
      </p>
      <dl className={pageCss.sums}>
        <dt>Subtotal</dt>
        <dd>{cents(subtotal)}</dd>
        <dt>{`Tax (${taxPercent} %)`}</dt>
        <dd>{cents(tax)}</dd>
        <dt>Total</dt>
        <dd>
          <b>{cents(subtotal + tax)}</b>
        </dd>
      </dl>
      <form className={shared.row}>
        <p className={muted}>
          <Icon name="info" size="small" /> To print, use the print command of the browser: the
          sheet has no menus.
        </p>
        <Button variant="primary" name="paid" value="1">
          Proceed with Payment
        </Button>
      </form>
    </Card>
  );
}
