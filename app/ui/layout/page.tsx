// Without script: the same.
import { Link, NavLink } from "@remix-run/react";
import { Fragment, type MouseEventHandler, type ReactNode } from "react";
import { muted } from "#styles/global.css";
import { formatNumber } from "../../format/number";
import { button, sizes } from "../form/button.css";
import { Icon } from "../icon/icon";
import * as css from "./layout.css";

type PageProps = {
  title: string;
  /** Status and code of what the screen is about. */
  beside?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
};

/** The heading of a screen with its actions at the right, then its content. */
export function Page({ title, beside, actions, children }: PageProps) {
  return (
    <>
      <div className={css.head}>
        <div className={css.title}>
          <h1 tabIndex={-1}>{title}</h1>
          {beside}
        </div>
        {actions && <div className={css.actions}>{actions}</div>}
      </div>
      {children}
    </>
  );
}

export function Card({ children, className = "" }: { children: ReactNode; className?: string }) {
  return <div className={`${css.card} ${css.cardBody} ${className}`.trim()}>{children}</div>;
}

/** A part of a page under a heading of its own. */
export function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className={css.section}>
      <h2>{title}</h2>
      {children}
    </section>
  );
}

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
        {note && <span className={muted}>{note}</span>}
      </div>
      {children}
    </section>
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
      {children}
    </details>
  );
}

/** Terms and their values. An entry that is false is left out. */
export function FactList({
  facts,
  ...list
}: {
  facts: readonly (readonly [term: ReactNode, value: ReactNode] | false | null)[];
  "aria-label"?: string;
}) {
  return (
    <dl className={css.facts} {...list}>
      {facts.map(
        (fact, index) =>
          fact && (
            <Fragment key={index}>
              <dt>{fact[0]}</dt>
              <dd>{fact[1]}</dd>
            </Fragment>
          ),
      )}
    </dl>
  );
}

/** Links that only look like tabs. */
export function LinkTabs({
  label,
  tabs,
  onFollow,
}: {
  /** Names the landmark: 'Kind of generation'. */
  label: string;
  /** `isCurrent` where more than the path decides it. */
  tabs: readonly { to: string; label: string; id?: string; isCurrent?: boolean }[];
  /** Runs before the link that was pressed is followed. */
  onFollow?: MouseEventHandler<HTMLAnchorElement>;
}) {
  return (
    <nav aria-label={label} className={css.tabs}>
      {tabs.map(({ to, label: text, id, isCurrent }) => (
        <Fragment key={to}>
          {isCurrent === undefined ? (
            <NavLink to={to} end className={css.tab} onClick={onFollow}>
              {text}
            </NavLink>
          ) : (
            <Link
              id={id}
              to={to}
              preventScrollReset
              aria-current={isCurrent ? "page" : undefined}
              className={css.tab}
            >
              {text}
            </Link>
          )}{" "}
        </Fragment>
      ))}
    </nav>
  );
}

export function Avatar({ isLarge = false }: { isLarge?: boolean }) {
  return (
    <span className={isLarge ? `${css.avatar} ${css.largeAvatar}` : css.avatar}>
      <Icon name="user" />
    </span>
  );
}
