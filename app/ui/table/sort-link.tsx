// Without script: a link in the column's header; the order is in the address.
import { Link } from "@remix-run/react";
import type { ReactNode } from "react";
import { Icon } from "../icon/icon";
import * as css from "./table.css";

/** A header cell. `sorted` says how the rows are ordered by it now, `to` what pressing it gives. */
export function SortHeader({
  to,
  sorted,
  isNumber = false,
  children,
}: {
  to: string;
  sorted: "ascending" | "descending" | null;
  isNumber?: boolean;
  children: ReactNode;
}) {
  return (
    <th scope="col" aria-sort={sorted ?? undefined} className={isNumber ? css.number : undefined}>
      <Link to={to} preventScrollReset className={css.sortLink}>
        {children}
        {sorted && <Icon name={sorted === "ascending" ? "arrow-up" : "arrow-down"} size="small" />}
      </Link>
    </th>
  );
}
