// Without script: the same; nothing here is alive.
import { createElement, type ReactNode } from "react";
import { Icon } from "../icon/icon";
import { summary } from "../layout/layout.css";
import { Table } from "../table/table";
import * as css from "./chart.css";

/** A picture as plain data: it is drawn on the server, and React puts it into the page. */
export type Drawing = {
  attributes: Record<string, string>;
  /** Its name and description first, then shapes and texts in the order they are painted in. */
  parts: DrawnPart[];
};

export type DrawnPart = {
  name: string;
  attributes: Record<string, string>;
  text: string;
  /** Pieces of a text that stand at places of their own and share its attributes. */
  pieces?: readonly (readonly [x: number, y: number, text: string])[];
};

/** The numbers of a chart, ready for display. */
export type ChartTableData = {
  /** Unique on the page. */
  id: string;
  caption: string;
  /** Heading of the labels first, then those of the values. */
  headings: readonly string[];
  /** Labels are unique. */
  rows: readonly { label: string; values: readonly string[] }[];
};

export type ChartDrawings = {
  /** One for each width; exactly one of them is shown. */
  wide: Drawing;
  medium: Drawing;
  narrow: Drawing;
  table: ChartTableData;
  /** Names of the lines, if there are two. */
  series?: readonly [current: string, before: string];
};

/** A picture that was drawn on the server, with its numbers as a table to open. */
export function Chart({
  wide,
  medium,
  narrow,
  table,
  series,
  children = <ChartTable {...table} />,
}: ChartDrawings & {
  /** Replaces the table by one that has more columns. */
  children?: ReactNode;
}) {
  return (
    <figure className={css.figure}>
      {series && (
        <ul className={css.series}>
          {series.map((name) => (
            <li key={name}>
              <i /> {name}
            </li>
          ))}
        </ul>
      )}
      <div className={`${css.chart} ${css.wide}`}>
        <Picture drawing={wide} />
      </div>
      <div className={`${css.chart} ${css.medium}`}>
        <Picture drawing={medium} />
      </div>
      <div className={`${css.chart} ${css.narrow}`}>
        <Picture drawing={narrow} />
      </div>
      <details className={css.table}>
        <summary className={summary}>
          <Icon name="chevron-down" size="small" /> Show as a table
        </summary>
        {children}
      </details>
    </figure>
  );
}

function ChartTable({ id, caption, headings, rows }: ChartTableData) {
  const [labels = "", ...numbers] = headings;
  return (
    <Table
      id={id}
      caption={caption}
      fits={numbers.length < 3}
      rows={rows}
      rowKey="label"
      columns={[
        { heading: labels, isRowHeader: true, cell: ({ label }) => label },
        ...numbers.map((heading, at) => ({
          heading,
          isNumber: true,
          cell: ({ values }: ChartTableData["rows"][number]) => values[at],
        })),
      ]}
    />
  );
}

function Picture({ drawing }: { drawing: Drawing }) {
  return (
    <svg {...drawing.attributes}>
      {drawing.parts.map(({ name, attributes, text, pieces }, at) =>
        // One child: React warns about a title with several.
        createElement(
          name,
          { key: at, ...attributes },
          pieces?.map(([x, y, piece], index) => (
            <tspan key={index} x={x} y={y}>
              {piece}
            </tspan>
          )) ??
            (text || undefined),
        ),
      )}
    </svg>
  );
}
