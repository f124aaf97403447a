// Without script: the same.
import { Link } from "@remix-run/react";
import { muted } from "#styles/global.css";
import { paths } from "../../paths";
import { Badge } from "../../ui/feedback/badge";
import { Section } from "../../ui/layout/page";
import { Table } from "../../ui/table/table";
import * as table from "../../ui/table/table.css";
import { TransactionBadge } from "../transactions/transaction-badge";
import type { CodeEvent } from "./activity.server";

/** The last redemptions and refused attempts of a code, newest first. */
export function CodeActivity({ code, events }: { code: string; events: readonly CodeEvent[] }) {
  return (
    <Section title="At machines">
      {events.length === 0 ? (
        <p className={muted}>No machine has asked for it yet.</p>
      ) : (
        <>
          <Table caption="Last redemptions and refused attempts" head={head}>
            {events.map((event) => (
              <EventLine key={event.key} event={event} />
            ))}
          </Table>
          <p>
            <Link to={paths.transactionsOfCode(code)}>All transactions of this code</Link>
          </p>
        </>
      )}
    </Section>
  );
}

const head = (
  <>
    <th scope="col">Time</th>
    <th scope="col">Machine</th>
    <th scope="col" className={table.number}>
      Price
    </th>
    <th scope="col" className={table.number}>
      Discount
    </th>
    <th scope="col" className={table.number}>
      Paid
    </th>
    <th scope="col">Outcome</th>
  </>
);

function EventLine({ event }: { event: CodeEvent }) {
  return (
    <tr>
      <th scope="row" className={`${table.name} ${table.moment}`}>
        {event.at}
      </th>
      <td data-label="Machine" className={table.twoLines}>
        {event.serialNumber}
      </td>
      <td data-label="Price" className={table.number}>
        {event.price}
      </td>
      <td data-label="Discount" className={table.number}>
        {event.discount ?? "–"}
      </td>
      <td data-label="Paid" className={table.number}>
        {event.paid ?? "–"}
      </td>
      <td data-label="Outcome" className={table.withNote}>
        {event.outcome === "refused" ? (
          <>
            <Badge tone="bad">Refused</Badge> <span className={muted}>{event.reason}</span>
          </>
        ) : (
          <TransactionBadge status={event.outcome} />
        )}
      </td>
    </tr>
  );
}
