// Without script: plain checkboxes of the form around them.
import type { ReactNode } from "react";
import { Badge } from "../../ui/feedback/badge";
import * as styles from "./target-picker.css";
import { kindOf, type Target } from "./targets";

type TargetBoxesProps = {
  targets: readonly Target[];
  isTicked: (target: Target) => boolean;
  onToggle?: (target: Target, isTicked: boolean) => void;
  className?: string;
  "aria-labelledby"?: string;
};

export function TargetBoxes({
  targets,
  isTicked,
  onToggle,
  className = styles.list,
  ...labelled
}: TargetBoxesProps) {
  return (
    <ul className={className} {...labelled}>
      {targets.map((target) => (
        <li key={target.id}>
          <label className={styles.choice}>
            <input
              type="checkbox"
              name={kindOf(target.kind).field}
              value={target.id}
              defaultChecked={isTicked(target)}
              onChange={(event) => onToggle?.(target, event.currentTarget.checked)}
            />
            <TargetText target={target}>{target.label}</TargetText>
          </label>
        </li>
      ))}
    </ul>
  );
}

export function TargetText({ target, children }: { target: Target; children: ReactNode }) {
  return (
    <span className={styles.words}>
      {children}{" "}
      <span className={target.kind === "machine" ? styles.serialNumber : styles.note}>
        {target.hint}
      </span>
      {target.isDisabled && <Badge tone="bad">Deleted from SmartVend</Badge>}
    </span>
  );
}

export function MoreTargets({
  shown,
  total,
  noun = "",
  isSearched = false,
  className = styles.more,
}: {
  shown: number;
  total: number;
  noun?: string;
  isSearched?: boolean;
  className?: string;
}) {
  if (shown >= total) return null;
  return (
    <p className={className}>
      {shown} of {total} {noun}shown. {!isSearched && "Search to find the others."}
    </p>
  );
}

export function TargetPanel({
  id,
  title,
  count,
  control,
  children,
}: {
  id: string;
  title: string;
  count: number;
  control: ReactNode;
  children: ReactNode;
}) {
  return (
    <section className={styles.panel} aria-labelledby={id}>
      <header className={styles.panelHead}>
        <h3 id={id} className={styles.panelTitle} tabIndex={-1}>
          {title} <span className={styles.count}>{count}</span>
        </h3>
        {control}
      </header>
      {children}
    </section>
  );
}
