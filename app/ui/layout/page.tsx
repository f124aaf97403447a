// Without script: the same.
import { Link, NavLink } from "@remix-run/react";
import { Fragment, type MouseEventHandler, type ReactNode } from "react";
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
  tabs: readonly {
    /** The tab is text without one: it would lead to nothing but the same page. */
    to?: string | undefined;
    label: string;
    id?: string;
    isCurrent?: boolean;
    /** Whether addresses below its own are dialogs over its page. */
    hasDialogs?: boolean;
  }[];
  /** Runs before the link that was pressed is followed. */
  onFollow?: MouseEventHandler<HTMLAnchorElement>;
}) {
  return (
    <nav aria-label={label} className={css.tabs}>
      {tabs.map(({ to, label: text, id, isCurrent, hasDialogs }) => (
        <Fragment key={text}>
          {to === undefined ? (
            <span aria-current="page" className={css.tab}>
              {text}
            </span>
          ) : isCurrent === undefined ? (
            <NavLink to={to} end={!hasDialogs} className={css.tab} onClick={onFollow}>
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
