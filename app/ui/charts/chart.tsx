// Without script: the same; nothing here is alive.
import { createElement, type ReactNode } from "react";
import { Icon } from "../icon/icon";
import * as css from "./chart.css";
import type { Drawing } from "./drawing";

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
        <summary className={css.summary}>
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
