// Without script: the same.
import type { ReactNode } from "react";
import { cardSection } from "../ui/layout/layout.css";
import { Card } from "../ui/layout/page";
import * as css from "./demo.css";

/** Samples by their headings, in as many columns as there is room for. */
export function Cards({ cards }: { cards: Record<string, ReactNode> }) {
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
