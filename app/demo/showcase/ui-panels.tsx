import { Icon, type IconName } from "../../ui/icon/icon";
import { cardSection, figure } from "../../ui/layout/layout.css";
import { Card, FactList, LinkTabs } from "../../ui/layout/page";
import { muted } from "#styles/global.css";
import * as shared from "../demo.css";
import * as css from "./ui.css";
import type { ShowcaseProps } from "./showcase-props";

const items = ["One", "Two", "Three"];
const icons: [IconName, string][] = [
  ["receipt", "Recents"],
  ["check", "Favorites"],
  ["machine", "Nearby"],
];

export function TabsPage({ query }: ShowcaseProps) {
  return (
    <div className={shared.grid}>
      <Card className={cardSection}>
        <h2>Tabs</h2>
        <Tabs name="tab" label="Items" query={query} labels={items.map((item) => `Item ${item}`)} />
      </Card>
      <Card className={cardSection}>
        <h2>Full width</h2>
        <div className={css.fullTabs}>
          <Tabs name="full" label="Full width" query={query} labels={items} />
        </div>
      </Card>
      <Card className={cardSection}>
        <h2>Icon tabs</h2>
        <IconTabs query={query} />
      </Card>
      <Card className={cardSection}>
        <h2>Expansion panels</h2>
        <Panels />
      </Card>
      <Card className={cardSection}>
        <h2>One at a time</h2>
        <Panels group="accordion" />
      </Card>
    </div>
  );
}

type TabsProps = { name: string; label: string; labels: string[]; query: URLSearchParams };

function chosenTab(query: URLSearchParams, name: string, count: number): number {
  const number = Number(query.get(name));
  return Number.isInteger(number) && number >= 1 && number <= count ? number : 1;
}

function tabUrl(query: URLSearchParams, name: string, value: number): string {
  const params = new URLSearchParams(query);
  params.set(name, `${value}`);
  return `?${params}`;
}

function Tabs({ name, label, labels, query }: TabsProps) {
  const chosen = chosenTab(query, name, labels.length);
  return (
    <>
      <LinkTabs
        label={label}
        tabs={labels.map((text, index) => ({
          to: tabUrl(query, name, index + 1),
          label: text,
          isCurrent: chosen === index + 1,
        }))}
      />
      <p>{`Page ${items[chosen - 1]!.toLowerCase()}: each tab is a link, and its page a part of the address.`}</p>
    </>
  );
}

function IconTabs({ query }: ShowcaseProps) {
  const chosen = chosenTab(query, "icon", icons.length);
  return (
    <nav aria-label="Icon tabs" className={shared.row}>
      {icons.map(([icon, label], index) => (
        <a
          key={label}
          href={tabUrl(query, "icon", index + 1)}
          aria-current={chosen === index + 1 ? "page" : undefined}
          className={css.iconTab}
        >
          <Icon name={icon} />
          {label}
        </a>
      ))}
    </nav>
  );
}

function Panels({ group }: { group?: string }) {
  const name = group ? { name: group } : {};
  return (
    <div className={css.panels}>
      {["General settings", "Users"].map((title) => (
        <details key={title} {...name}>
          <summary className={css.summary}>
            <Icon name="chevron-down" size="small" /> {title}
          </summary>
          <p>A panel shows its content when it is open, and only its title when it is closed.</p>
        </details>
      ))}
      <p aria-disabled="true" className={css.disabledPanel}>
        Disabled panel
      </p>
    </div>
  );
}

const usages = [
  ["Page title", `<Page title="Machines" actions={<ButtonLink to="…">New</ButtonLink>}>…</Page>`],
  ["Card", `<Card className={cardSection}><h2>Title</h2>…</Card>`],
  ["Facts", `<FactList facts={[["Code", "ABCD-EFGH-2345"]]} />`],
] as const;

export function WidgetPage() {
  return (
    <div className={shared.grid}>
      <Card className={cardSection}>
        <h2>Simple widget</h2>
        <p>A card with a heading and text.</p>
      </Card>
      <Card className={cardSection}>
        <h2>Widget with a figure</h2>
        <p className={figure}>4,232</p>
        <p className={muted}>visits today</p>
      </Card>
      <Card className={cardSection}>
        <h2>Widget with facts</h2>
        <FactList
          facts={[
            ["Status", "Running"],
            ["Since", "21.11.2026"],
          ]}
        />
      </Card>
      <Card className={`${cardSection} ${shared.wide}`}>
        <h2>Usage</h2>
        {usages.map(([title, code]) => (
          <div key={title}>
            <h3>{title}</h3>
            <pre className={shared.usage}>
              <code>{code}</code>
            </pre>
          </div>
        ))}
      </Card>
    </div>
  );
}
