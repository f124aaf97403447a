// Without script: the same.
import type { ReactNode } from "react";
import { cardSection } from "../ui/layout/layout.css";
import { Card } from "../ui/layout/page";
import * as css from "./demo.css";

/** Samples by their headings. */
export type Samples = Record<string, ReactNode>;

export function EqualColumns({ names }: { names: readonly string[] }) {
  return (
    <div className={css.equal}>
      {names.map((name) => (
        <span key={name} className={css.chip}>
          {name}
        </span>
      ))}
    </div>
  );
}

/** Shows samples in as many columns as there is room for. */
export function Cards({ cards }: { cards: Samples }) {
  return (
    <div className={css.columns}>
      {Object.entries(cards).map(([heading, content]) => (
        <Card key={heading} className={cardSection}>
          <h2>{heading}</h2>
          {content}
        </Card>
      ))}
    </div>
  );
}
