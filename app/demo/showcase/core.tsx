import { Table } from "../../ui/table/table";
import { color } from "#styles/tokens.css";
import { dark, darkAccents, light, lightAccents } from "../../../styles/palettes";
import { EqualColumns } from "../cards";
import * as css from "../demo.css";
import { capitalize } from "../pictures/picture-names";

const pangram = "The quick brown fox jumps over the lazy dog";

export const typographyCards = {
  "Sizes of text": Object.entries(css.textSize).map(([name, className]) => (
    <p key={name} className={className}>
      {`${capitalize(name)}: ${pangram}.`}
    </p>
  )),
  "Basic text settings": (
    <>
      <h3>A heading within a card</h3>
      <p>
        Text may be <em>cursive</em>, <b>bold</b>, <small>small</small>, <s>struck out</s>,{" "}
        <mark>marked</mark> or <code>code</code>.
      </p>
    </>
  ),
};

const usages = {
  accent: "Main action, current entry",
  success: "Active, applied, done",
  warning: "Expiring, needs attention",
  danger: "Deleted, failed, can’t be undone",
  info: "New, for information",
  neutral: "Inactive",
  text: "Body text and headings",
  muted: "Secondary text",
  onAccent: "Text on the primary button",
};
const lightColors: Record<string, string> = { ...light, ...lightAccents.default };
const darkColors: Record<string, string> = { ...dark, ...darkAccents.default };

/** The tokens of the product: what they are for, how they look now, and their values. */
export function ColorsPage() {
  return (
    <Table
      title="Colors"
      rows={Object.entries(usages).map(([name, usage]) => ({ name, usage }))}
      rowKey="name"
      fits
      columns={[
        { heading: "Name", isRowHeader: true, cell: ({ name }) => name },
        { heading: "Usage", cell: ({ usage }) => usage },
        {
          heading: "Preview",
          isBadge: true,
          cell: ({ name }) => (
            <svg className={css.swatch} aria-hidden="true">
              <rect width="100%" height="100%" fill={color[name as keyof typeof color]} />
            </svg>
          ),
        },
        {
          heading: "Hex value",
          cell: ({ name }) => <code>{`${lightColors[name]}, dark ${darkColors[name]}`}</code>,
        },
      ]}
    />
  );
}

export const gridCards = {
  "Equal width": <EqualColumns names={["One", "Two", "Three", "Four", "Five", "Six"]} />,
};
