// Without script: the same; older events unfold.
import { Link } from "@remix-run/react";
import { muted } from "#styles/global.css";
import { paths } from "../../paths";
import { CardSection, type Figure, Figures, FirstRows } from "../../ui/layout/detail";
import { Badge } from "../../ui/feedback/badge";
import { actions, events as eventList } from "../../ui/layout/layout.css";
import type { CodeEvent } from "./activity.server";

const verbs = { applied: "Redeemed", rolled_back: "Rolled back", refused: "Refused" };

/** Lists redemptions and refused attempts of a code, newest first. */
export function CodeActivity({
  to,
  events,
  figures = [],
  archived = null,
}: {
  /** The address of all transactions of the code. */
  to: string;
  events: readonly CodeEvent[];
  figures?: readonly Figure[];
  /** Says that older ones are archived. */
  archived?: string | null;
}) {
  return (
    <CardSection title="Redemptions">
      {figures.length > 0 && <Figures figures={figures} />}
      {events.length === 0 ? (
        <p className={muted}>{archived ?? "No redemptions yet."}</p>
      ) : (
        <FirstRows rows={events} count={5}>
          {(rows) => <EventList events={rows} />}
        </FirstRows>
      )}
      {events.length > 0 && archived && <p className={muted}>{archived}</p>}
      {events.length > 0 && (
        <p className={actions}>
          <Link to={to}>All transactions</Link>
        </p>
      )}
    </CardSection>
  );
}

function EventList({ events }: { events: readonly CodeEvent[] }) {
  return (
    <ol className={eventList}>
      {events.map(({ key, occurredAt, machine, serialNumber, outcome, reason, price, paid }) => (
        <li key={key}>
          <span>{occurredAt}</span>
          <span>
            {verbs[outcome]} at{" "}
            {machine === null ? serialNumber : <a href={paths.machine(serialNumber)}>{machine}</a>}
            {reason && `: ${reason}`}
          </span>
          {outcome === "applied" ? (
            <span>{`${price} → ${paid}`}</span>
          ) : (
            <Badge tone={outcome === "refused" ? "warn" : "off"}>{verbs[outcome]}</Badge>
          )}
        </li>
      ))}
    </ol>
  );
}
