// Parts of a page about one thing. Without script: the same; what is long unfolds.
import type { ComponentProps, ReactNode } from "react";
import { muted } from "#styles/global.css";
import { formatNumber } from "../../format/number";
import { button, sizes } from "../form/button.css";
import { Icon } from "../icon/icon";
import { DetailsMenu } from "../overlay/details-menu";
import * as css from "./layout.css";

/** A part of a page in a card with its heading. */
export function CardSection({
  title,
  note,
  children,
}: {
  title: string;
  /** Beside the heading. */
  note?: ReactNode;
  children: ReactNode;
}) {
  return (
    <section className={`${css.card} ${css.cardBody} ${css.cardSection}`}>
      <div className={css.title}>
        <h2>{title}</h2>
        {note && <div className={muted}>{note}</div>}
      </div>
      {children}
    </section>
  );
}

/** A part of a page with a form, no wider than its fields. */
export function FormCard(section: ComponentProps<typeof CardSection>) {
  return (
    <div className={css.formCard}>
      <CardSection {...section} />
    </div>
  );
}

/** A page about one thing: what happened to it, and what it is. Below 1000 px one after the other. */
export function DetailColumns({ aside, children }: { aside: ReactNode; children: ReactNode }) {
  return (
    <div className={css.detail}>
      <div className={css.parts}>{children}</div>
      <section aria-label="Details" className={`${css.card} ${css.cardBody} ${css.cardSection}`}>
        {aside}
      </section>
    </div>
  );
}

export type Figure = { name: string; value: ReactNode; note?: string };

/** Numbers beside each other, each under its name. */
export function Figures({ figures }: { figures: readonly Figure[] }) {
  return (
    <dl className={css.figures}>
      {figures.map(({ name, value, note }) => (
        <div key={name}>
          <dt className={muted}>{name}</dt>
          <dd className={css.smallFigure}>
            {value} {note && <span className={css.figureNote}>{note}</span>}
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** The rest of something long. Without script: <details>. */
export function ShowMore({ count, children }: { count: number; children: ReactNode }) {
  return (
    <details className={css.more}>
      <summary className={`${button.quiet} ${sizes.small}`}>
        Show {formatNumber(count)} more
      </summary>
      {/* What is closed has no display of its own, also on paper, where it is shown. */}
      <div>{children}</div>
    </details>
  );
}

/** Rows of which the first are listed at once, and the others unfold. */
export function FirstRows<Row>({
  rows,
  count,
  children,
}: {
  rows: readonly Row[];
  count: number;
  children: (rows: readonly Row[]) => ReactNode;
}) {
  const more = rows.length - count;
  return (
    <div>
      {children(rows.slice(0, count))}
      {more > 0 && <ShowMore count={more}>{children(rows.slice(count))}</ShowMore>}
    </div>
  );
}

/** The actions of a screen that are not beside its heading. */
export function MoreMenu({ id, children }: { id?: string; children: ReactNode }) {
  return (
    <DetailsMenu
      {...(id && { summaryId: id })}
      summaryClass={button.default}
      summary={
        <>
          More <Icon name="chevron-down" size="small" />
        </>
      }
    >
      {children}
    </DetailsMenu>
  );
}
