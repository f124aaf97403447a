import { Badge, type Tone } from "../../ui/feedback/badge";
import { Button } from "../../ui/form/button";
import { Icon } from "../../ui/icon/icon";
import { parts, smallFigure, summary } from "../../ui/layout/layout.css";
import { LinkTabs } from "../../ui/layout/page";
import { muted } from "#styles/global.css";
import * as css from "../demo.css";
import { Picture } from "../pictures/pictures";
import { numberParam } from "../random";
import { linkWith, type ShowcaseProps } from "./showcase-page";

const tones: Partial<Record<Tone, string>> = {
  info: "Info",
  ok: "Success",
  warn: "Warning",
  bad: "Danger",
  off: "Neutral",
};
export const badgeCards = {
  "Text badges": (
    <p className={css.row}>
      {Object.entries(tones).map(([tone, label]) => (
        <Badge key={tone} tone={tone as Tone}>
          {label}
        </Badge>
      ))}
    </p>
  ),
  Chips: (
    <p className={css.row}>
      <span className={css.chip}>Basic chip</span>{" "}
      <span className={css.chip}>
        <Icon name="user" size="small" /> Chip with an icon
      </span>{" "}
      <a href="/app/ui/cards" className={css.chip}>
        Chip that is a link
      </a>{" "}
      <span className={css.chip}>
        Chip to remove <Icon name="close" size="small" />
      </span>
    </p>
  ),
};

export const cardCards = {
  Lizard: (
    <>
      <Picture name="lizard" alt="Lizard on a warm stone" />
      <p>
        Lizards are a widespread group of reptiles with more than 6,000 species, found on every
        continent but Antarctica.
      </p>
      <p>
        <Button type="button">Share</Button>
      </p>
    </>
  ),
  Rating: (
    <>
      <p className={smallFigure}>4.6</p>
      <p role="img" aria-label="4.6 of 5 stars">
        ★★★★☆
      </p>
      <p>
        342 reviews, <b>69%</b> recommend
      </p>
      <p>
        <Button type="button">Write a review</Button>
      </p>
    </>
  ),
};

function Panel({ title, children }: { title: string; children: string }) {
  return (
    <details>
      <summary className={summary}>
        <Icon name="chevron-down" size="small" /> {title}
      </summary>
      <p>{children}</p>
    </details>
  );
}

const items = ["one", "two", "three"];

export function tabCards({ query }: ShowcaseProps) {
  const chosen = numberParam(query, "tab", { from: 1, to: items.length, none: 1 });
  return {
    Tabs: (
      <>
        <LinkTabs
          label="Items"
          tabs={items.map((item, index) => ({
            to: linkWith(query, { tab: `${index + 1}` }),
            label: `Item ${item}`,
            isCurrent: chosen === index + 1,
          }))}
        />
        <p>{`Page ${items[chosen - 1]}: each tab is a link, and its page a part of the address.`}</p>
      </>
    ),
    "Expansion panels": (
      <div className={parts}>
        {["General settings", "Users"].map((title) => (
          <Panel key={title} title={title}>
            A panel shows its content when it is open, and only its title when it is closed.
          </Panel>
        ))}
        <p aria-disabled="true" className={`${summary} ${muted}`}>
          Disabled panel
        </p>
      </div>
    ),
  };
}

const usages = {
  "Page title": `<Page title="Machines" actions={<ButtonLink to="…">New</ButtonLink>}>…</Page>`,
  Card: `<Card className={cardSection}><h2>Title</h2>…</Card>`,
  Facts: `<FactList facts={[["Code", "ABCD-EFGH-2345"]]} />`,
};

export const widgetCards = {
  "Simple widget": <p>A card with a heading and text.</p>,
  Usage: Object.entries(usages).map(([title, code]) => (
    <div key={title}>
      <h3>{title}</h3>
      <pre className={css.usage}>
        <code>{code}</code>
      </pre>
    </div>
  )),
};
