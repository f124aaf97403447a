// Without script: plain boxes and buttons of the form around them.
import { Fragment, type ComponentPropsWithoutRef, type ReactNode } from "react";
import { capitalized } from "../../format/text";
import { Badge } from "../../ui/feedback/badge";
import * as form from "../../ui/form/form.css";
import * as styles from "./target-picker.css";
import { kindOf, searchFieldOf, type Target, type TargetKind, type TargetList } from "./targets";

type Panel = {
  /** First word of the panel's title and ids. */
  name: "Available" | "Selected" | "Assigned";
  /** The last kind gives the panel its title; the others have headings of their own. */
  lists: readonly (Pick<TargetList, "shown" | "total"> & { kind: TargetKind })[];
  row: (target: Target) => ReactNode;
  /** Stands in the place of an empty last list. */
  empty: ReactNode;
  control: ReactNode;
  /** A search finds the rows that are not shown. */
  canSearch?: boolean;
  top?: ReactNode;
  foot?: ReactNode;
};

/** Lists what can be chosen in the first panel, and what is chosen in the second. */
export function TargetPicker({ available, chosen }: { available: Panel | null; chosen: Panel }) {
  return (
    <div className={styles.panels}>
      {available && <TargetPanel {...available} />}
      <TargetPanel {...chosen} />
    </div>
  );
}

function TargetPanel({ name, lists, row, empty, control, canSearch, top, foot }: Panel) {
  const main = lists[lists.length - 1]!;
  const idOf = (kind: TargetKind) => `${name.toLowerCase()}-${kindOf(kind).field}`;
  return (
    <section className={styles.panel} aria-labelledby={idOf(main.kind)}>
      <header className={styles.panelHead}>
        <h3 id={idOf(main.kind)} className={styles.panelTitle} tabIndex={-1}>
          {name} {kindOf(main.kind).legend} <span className={styles.count}>{main.total}</span>
        </h3>
        {control}
      </header>
      {top}
      {lists.map(({ kind, shown, total }) => {
        const isMain = kind === main.kind;
        return (
          <Fragment key={kind}>
            {!isMain && total > 0 && (
              <h4 id={idOf(kind)} className={styles.groupsTitle}>
                {capitalized(kindOf(kind).field)} <span className={styles.count}>{total}</span>
              </h4>
            )}
            {isMain && total === 0 && <p className={styles.empty}>{empty}</p>}
            {shown.length > 0 && (
              <ul className={isMain ? styles.list : styles.groups} aria-labelledby={idOf(kind)}>
                {shown.map(row)}
              </ul>
            )}
            <MoreTargets kind={kind} shown={shown.length} total={total} canSearch={canSearch} />
          </Fragment>
        );
      })}
      {foot}
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
  return (
    <span className={styles.words}>
      {children} <span className={styles.hints[target.kind]}>{target.hint}</span>
      {target.isDisabled && <Badge tone="bad">Deleted from SmartVend</Badge>}
    </span>
  );
}

type MoreTargetsProps = {
  kind: TargetKind;
  shown: number;
  total: number;
  canSearch?: boolean | undefined;
  className?: string;
};

export function MoreTargets({ kind, shown, total, canSearch, ...props }: MoreTargetsProps) {
  if (shown >= total) return null;
  return (
    <p className={styles.more} {...props}>
      {shown} of {total} {kindOf(kind).field} shown. {canSearch && "Search to find the others."}
    </p>
  );
}

type TargetSearchProps = {
  kind: TargetKind;
  hint: string;
  /** Tells how many match. */
  status?: ReactNode;
  /** The button that searches, and others beside it. */
  children: ReactNode;
} & ComponentPropsWithoutRef<"input">;

export function TargetSearch({ kind, hint, status, children, ...input }: TargetSearchProps) {
  const name = searchFieldOf(kind);
  return (
    <div className={styles.search}>
      <label className={form.label} htmlFor={name}>
        Search {kindOf(kind).field}
      </label>
      <p className={form.hint} id={`${name}-hint`}>
        {hint}
      </p>
      {status}
      <div className={styles.searchRow}>
        <input
          className={`${form.input} ${styles.searchInput}`}
          id={name}
          name={name}
          type="search"
          autoComplete="off"
          aria-describedby={`${name}-hint`}
          {...input}
        />
        {children}
      </div>
    </div>
  );
}
