import type { AuditView } from "../../features/audit/audit-list.server";
import { timeColumn, type Column } from "../../ui/table/table";
import * as table from "../../ui/table/table.css";
import { muted } from "#styles/global.css";
import * as css from "./audit.css";

export const auditColumns: Column<AuditView>[] = [
  timeColumn,
  {
    heading: "By",
    className: `${table.twoLines} ${css.half} ${css.line} ${css.actor}`,
    cell: ({ actor }) => actor,
  },
  {
    heading: "Action",
    isBare: true,
    className: `${table.twoLines} ${css.half} ${css.line} ${css.long}`,
    cell: ({ action, changes }) => (
      <>
        {action}
        {changes.map((change) => (
          <span key={change} className={muted}>
            {change}
          </span>
        ))}
      </>
    ),
  },
  {
    heading: "Subject",
    className: `${table.twoLines} ${css.half} ${css.line} ${css.long}`,
    cell: ({ subject: { label, to } }) => (to ? <a href={to}>{label}</a> : label),
  },
  { heading: "IP address", className: css.half, cell: ({ address }) => address || "–" },
];
