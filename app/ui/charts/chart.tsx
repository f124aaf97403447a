// Without script: the same; nothing here is alive.
import { createElement, type ReactNode } from "react";
import { Icon } from "../icon/icon";
import { summary } from "../layout/layout.css";
import * as css from "./chart.css";

/** A picture as plain data: it is drawn on the server, and React puts it into the page. */
export type Drawing = {
  /** Attributes of the `<svg>`. */
  attributes: Record<string, string>;
  /** Its name and description first, then shapes and texts in the order they are painted in. */
  parts: DrawnPart[];
};

export type DrawnPart = { name: string; attributes: Record<string, string>; words: string };

export type ChartDrawings = {
  /** One for each width; exactly one of them is shown. */
  wide: Drawing;
  narrow: Drawing;
};

/** A picture that was drawn on the server, with its figures as a table to open. */
export function Chart({ wide, narrow, children }: ChartDrawings & { children: ReactNode }) {
  return (
    <figure>
      <div className={`${css.chart} ${css.wide}`}>
        <Picture drawing={wide} />
      </div>
      <div className={`${css.chart} ${css.narrow}`}>
        <Picture drawing={narrow} />
      </div>
      <details className={css.table}>
        <summary className={summary}>
          <Icon name="chevron-down" size="small" /> Show the figures as a table
        </summary>
        {children}
      </details>
    </figure>
  );
}

function Picture({ drawing }: { drawing: Drawing }) {
  return (
    <svg {...drawing.attributes}>
      {drawing.parts.map(({ name, attributes, words }, at) =>
        createElement(name, { key: at, ...attributes }, words || undefined),
      )}
    </svg>
  );
}
