// Without script: links; they only look like tabs, so each has an address.
import { NavLink } from "@remix-run/react";
import * as css from "./layout.css";

export function LinkTabs({
  label,
  tabs,
}: {
  /** Names the landmark: 'Kind of generation'. */
  label: string;
  tabs: readonly { to: string; label: string }[];
}) {
  return (
    <nav aria-label={label} className={css.tabs}>
      {tabs.map((tab) => (
        <NavLink key={tab.to} to={tab.to} end className={css.tab}>
          {tab.label}
        </NavLink>
      ))}
    </nav>
  );
}
