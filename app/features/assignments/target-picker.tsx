// Without script: plain boxes and buttons of the form around them.
import { Fragment, type ComponentPropsWithoutRef, type ReactNode } from "react";
import { capitalized } from "../../format/text";
import { Badge } from "../../ui/feedback/badge";
import * as form from "../../ui/form/form.css";
import * as styles from "./target-picker.css";
import { useDeletedLabel } from "../machines/has-platform";
import { kindOf, mainKind, searchField, type Target, type TargetKind } from "./targets";

type TargetPanelProps = {
  /** First word of the panel's title and ids. */
  name: "Available" | "Selected" | "Assigned";
  /** The last kind gives the panel its title; the others have headings of their own. */
  lists: readonly { kind: TargetKind; shown: readonly Target[]; total: number }[];
  row: (target: Target) => ReactNode;
  /** Stands in the place of an empty last list. */
  empty: ReactNode;
  control: ReactNode;
  /** Stands between the head and the lists. */
  top?: ReactNode;
  /** A search finds the rows that are not shown. */
  canSearch?: boolean;
  children?: ReactNode;
};

/** One panel of a picker, within `styles.panels`: what can be chosen, or what is chosen. */
export function TargetPanel({
  name,
  lists,
  row,
  empty,
  control,
  top,
  canSearch,
  children,
}: TargetPanelProps) {
  const idOf = (kind: TargetKind) => `${name.toLowerCase()}-${kindOf(kind).field}`;
  const title = idOf(mainKind.kind);
  return (
    <section className={styles.panel} aria-labelledby={title}>
      <header className={styles.panelHead}>
        <h3 id={title} className={styles.panelTitle} tabIndex={-1}>
          {name} {mainKind.legend} <span className={styles.count}>{lists.at(-1)!.total}</span>
        </h3>
        {control}
      </header>
      {top}
      {lists.map(({ kind, shown, total }) => {
        const isMain = kind === mainKind.kind;
        const { field } = kindOf(kind);
        return (
          <Fragment key={kind}>
            {!isMain && total > 0 && (
              <h4 id={idOf(kind)} className={styles.groupsTitle}>
                {capitalized(field)} <span className={styles.count}>{total}</span>
              </h4>
            )}
            {isMain && total === 0 && <p className={styles.empty}>{empty}</p>}
            {shown.length > 0 && (
              <ul className={isMain ? styles.list : styles.groups} aria-labelledby={idOf(kind)}>
                {shown.map(row)}
              </ul>
            )}
            {shown.length < total && (
              <p className={styles.more}>
                {shown.length} of {total} {field} shown. {canSearch && "Search to find the others."}
              </p>
            )}
          </Fragment>
        );
      })}
      {children}
    </section>
  );
}

type TargetBoxProps = {
  target: Target;
  isTicked: boolean;
  onToggle?: (target: Target, isTicked: boolean) => void;
};

export function TargetBox({ target, isTicked, onToggle }: TargetBoxProps) {
  return (
    <li>
      <label className={styles.choice}>
        <input
          type="checkbox"
          // Browsers restore ticks by their place, where another target may be by then.
          autoComplete="off"
          name={kindOf(target.kind).field}
          value={target.id}
          defaultChecked={isTicked}
          onChange={(event) => onToggle?.(target, event.currentTarget.checked)}
        />
        <TargetText target={target}>{target.label}</TargetText>
      </label>
    </li>
  );
}

export function TargetText({ target, children }: { target: Target; children: ReactNode }) {
  const deletedLabel = useDeletedLabel();
  return (
    <span className={styles.words}>
      {children} <span className={styles.hints[target.kind]}>{target.hint}</span>
      {target.isDisabled && <Badge tone="bad">{deletedLabel}</Badge>}
    </span>
  );
}

type TargetSearchProps = {
  hint: string;
  /** Tells how many match. */
  status?: ReactNode;
  /** The button that searches, and others beside it. */
  children: ReactNode;
} & ComponentPropsWithoutRef<"input">;

export function TargetSearch({ hint, status, children, ...input }: TargetSearchProps) {
  return (
    <div className={styles.search}>
      <label className={form.label} htmlFor={searchField}>
        Search machines
      </label>
      <p className={form.hint} id={`${searchField}-hint`}>
        {hint}
      </p>
      {status}
      <div className={styles.searchRow}>
        <input
          className={`${form.input} ${styles.searchInput}`}
          id={searchField}
          name={searchField}
          type="search"
          autoComplete="off"
          aria-describedby={`${searchField}-hint`}
          {...input}
        />
        {children}
      </div>
    </div>
  );
}
