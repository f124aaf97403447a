// Without script: the same.
import type { ReactNode } from "react";
import { muted } from "#styles/global.css";
import { Icon, type IconName } from "../icon/icon";
import * as css from "./table.css";

/** Stands in the place of rows: a title, the reason, one button. */
export function EmptyState({
  icon,
  title,
  reason,
  action,
}: {
  icon: IconName;
  title: string;
  reason?: ReactNode;
  action?: ReactNode;
}) {
  return (
    <div className={css.empty}>
      <span className={css.emptyIcon}>
        <Icon name={icon} />
      </span>
      <h2>{title}</h2>
      {reason && <p className={muted}>{reason}</p>}
      {action}
    </div>
  );
}
