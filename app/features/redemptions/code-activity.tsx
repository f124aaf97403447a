// Without script: the same.
import { Link } from "@remix-run/react";
import { muted } from "#styles/global.css";
import { paths } from "../../paths";
import { Badge } from "../../ui/feedback/badge";
import { Section } from "../../ui/layout/page";
import { Table, type Column } from "../../ui/table/table";
import * as table from "../../ui/table/table.css";
import { TransactionBadge } from "../transactions/transaction-badge";
import type { CodeEvent } from "./activity.server";

export function CodeActivity({ code, events }: { code: string; events: readonly CodeEvent[] }) {
  return (
    <Section title="At machines">
      {events.length === 0 ? (
        <p className={muted}>No machine has asked for it yet.</p>
      ) : (
        <>
          <Table
            caption="Last redemptions and refused attempts"
            rows={events}
            rowKey="key"
            columns={columns}
          />
          <p>
            <Link to={paths.transactionsOfCode(code)}>All transactions of this code</Link>
          </p>
        </>
      )}
    </Section>
  );
}

const columns: Column<CodeEvent>[] = [
  {
    heading: "Time",
    isRowHeader: true,
    className: `${table.name} ${table.moment}`,
    cell: ({ at }) => at,
  },
  { heading: "Machine", className: table.twoLines, cell: ({ serialNumber }) => serialNumber },
  { heading: "Price", isNumber: true, cell: ({ price }) => price },
  { heading: "Discount", isNumber: true, cell: ({ discount }) => discount ?? "–" },
  { heading: "Paid", isNumber: true, cell: ({ paid }) => paid ?? "–" },
  {
    heading: "Outcome",
    className: table.withNote,
    cell: ({ outcome, reason }) =>
      outcome === "refused" ? (
        <>
          <Badge tone="bad">Refused</Badge> <span className={muted}>{reason}</span>
        </>
      ) : (
        <TransactionBadge status={outcome} />
      ),
  },
];
