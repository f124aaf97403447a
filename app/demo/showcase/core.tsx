import type { color } from "#styles/tokens.css";
import { Badge } from "../../ui/feedback/badge";
import { Button } from "../../ui/form/button";
import { cardSection } from "../../ui/layout/layout.css";
import { Card } from "../../ui/layout/page";
import { Table } from "../../ui/table/table";
import { dark, darkAccents, light, lightAccents } from "../../../styles/palettes";
import * as shared from "../demo.css";
import * as css from "./ui.css";
import * as pageCss from "./pages.css";

const pangram = "The quick brown fox jumps over the lazy dog";

export function TypographyPage() {
  return (
    <div className={shared.columns.medium}>
      <Card className={cardSection}>
        <h2>Headings</h2>
        {[1, 2, 3, 4, 5, 6].map((level) => (
          <p key={level} className={pageCss.heading[`h${level}` as keyof typeof pageCss.heading]}>
            {`h${level}. Heading`}
          </p>
        ))}
      </Card>
      <Card className={cardSection}>
        <h2>Colors of text</h2>
        {(Object.keys(pageCss.tone) as (keyof typeof pageCss.tone)[]).map((tone) => (
          <p key={tone} className={pageCss.tone[tone]}>
            {`${tone.charAt(0).toUpperCase()}${tone.slice(1)}: ${pangram}.`}
          </p>
        ))}
      </Card>
      <Card className={cardSection}>
        <h2>Basic text settings</h2>
        {(Object.keys(pageCss.setting) as (keyof typeof pageCss.setting)[]).map((setting) => (
          <p key={setting} className={pageCss.setting[setting]}>
            {`${setting.charAt(0).toUpperCase()}${setting.slice(1)} text`}
          </p>
        ))}
      </Card>
      <Card className={cardSection}>
        <h2>Sizes of text</h2>
        {(Object.keys(pageCss.textSize) as (keyof typeof pageCss.textSize)[]).map((size) => (
          <p key={size} className={pageCss.textSize[size]}>
            {`Size ${size}`}
          </p>
        ))}
      </Card>
    </div>
  );
}

type ColorRow = { name: string; usage: string; preview: keyof typeof color };

const stateColors: ColorRow[] = [
  { name: "Accent", usage: "Main action, current entry", preview: "accent" },
  { name: "Success", usage: "Active, applied, done", preview: "success" },
  { name: "Warning", usage: "Expiring, needs attention", preview: "warning" },
  { name: "Danger", usage: "Deleted, failed, can’t be undone", preview: "danger" },
  { name: "Info", usage: "New, for information", preview: "info" },
  { name: "Neutral", usage: "Inactive", preview: "neutral" },
];
const textColors: ColorRow[] = [
  { name: "Text", usage: "Body text and headings", preview: "text" },
  { name: "Muted", usage: "Secondary text", preview: "muted" },
  { name: "On accent", usage: "Text on the primary button", preview: "onAccent" },
];
const lightColors: Record<string, string> = { ...light, ...lightAccents.default };
const darkColors: Record<string, string> = { ...dark, ...darkAccents.default };

/** The tokens of the product: what they are for, how they look now, and their values. */
export function ColorsPage() {
  return (
    <div className={css.stackWide}>
      <ColorTable id="states" title="State colors" rows={stateColors} />
      <ColorTable id="texts" title="Text colors" rows={textColors} />
      <Table
        id="buttons"
        caption="Example buttons"
        title="Example buttons"
        rowKey="name"
        fits
        rows={[
          { name: "Primary", usage: "The main action of a screen", variant: "primary" as const },
          { name: "Default", usage: "Other actions", variant: "default" as const },
          { name: "Danger", usage: "Actions that can’t be undone", variant: "danger" as const },
        ]}
        columns={[
          { heading: "Name", isRowHeader: true, cell: ({ name }) => name },
          { heading: "Usage", cell: ({ usage }) => usage },
          {
            heading: "Preview",
            isBadge: true,
            cell: ({ name, variant }) => (
              <Button type="button" variant={variant}>
                {name}
              </Button>
            ),
          },
        ]}
      />
    </div>
  );
}

function ColorTable({ id, title, rows }: { id: string; title: string; rows: ColorRow[] }) {
  return (
    <Table
      id={id}
      caption={title}
      title={title}
      rows={rows}
      rowKey="name"
      fits
      columns={[
        { heading: "Name", isRowHeader: true, cell: ({ name }) => name },
        { heading: "Usage", cell: ({ usage }) => usage },
        {
          heading: "Preview",
          isBadge: true,
          cell: ({ preview }) => (
            <span className={pageCss.swatch[preview as keyof typeof pageCss.swatch]} />
          ),
        },
        {
          heading: "Hex value",
          cell: ({ preview }) => (
            <code>{`${lightColors[preview]}, dark ${darkColors[preview]}`}</code>
          ),
        },
      ]}
    />
  );
}

const breakpoints = [
  { name: "narrow", from: "0 px", columns: "1", use: "Phones: controls grow for fingers" },
  { name: "notNarrow", from: "600 px", columns: "2", use: "Tablets" },
  { name: "medium", from: "900 px", columns: "3", use: "The sidebar stands beside the page" },
  {
    name: "twoColumns",
    from: "1200 px",
    columns: "4",
    use: "Forms have their machines beside them",
  },
  { name: "wide", from: "1600 px", columns: "6", use: "Lists show all of their columns" },
];

export function GridPage() {
  return (
    <div className={css.stackWide}>
      <Card className={cardSection}>
        <h2>How it works</h2>
        <p>
          A CSS grid shows as many columns as fit. Gaps are tokens, and at 320 px every page has one
          column.
        </p>
      </Card>
      <Table
        id="options"
        caption="Grid options"
        title="Grid options"
        rows={breakpoints}
        rowKey="name"
        fits
        columns={[
          { heading: "Breakpoint", isRowHeader: true, cell: ({ name }) => name },
          { heading: "From", cell: ({ from }) => from },
          { heading: "Columns of cards", isNumber: true, cell: ({ columns }) => columns },
          { heading: "Use", cell: ({ use }) => use },
        ]}
      />
      <Card className={cardSection}>
        <h2>Equal width</h2>
        <div className={pageCss.equal}>
          {["One", "Two", "Three"].map((name) => (
            <span key={name} className={pageCss.cell}>
              {name}
            </span>
          ))}
        </div>
      </Card>
      {(Object.keys(pageCss.alignItems) as (keyof typeof pageCss.alignItems)[]).map((name) => (
        <Card key={name} className={cardSection}>
          <h2>{`Vertical alignment: ${name}`}</h2>
          <div className={pageCss.alignItems[name]}>
            {["A", "B", "C"].map((letter) => (
              <span key={letter} className={pageCss.cell}>
                {letter}
              </span>
            ))}
          </div>
        </Card>
      ))}
      <Card className={cardSection}>
        <h2>Horizontal alignment</h2>
        {(Object.keys(pageCss.justify) as (keyof typeof pageCss.justify)[]).map((name) => (
          <div key={name} className={pageCss.justify[name]}>
            <span className={pageCss.cell}>{name}</span>
            <span className={pageCss.cell}>{name}</span>
          </div>
        ))}
        <p>
          <Badge tone="info">Tip</Badge> Resize the window to see the columns change.
        </p>
      </Card>
    </div>
  );
}
