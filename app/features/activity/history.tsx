// Without script: the same; older entries unfold.
import type { SerializeFrom } from "@remix-run/node";
import { muted } from "#styles/global.css";
import { CardSection, FirstRows } from "../../ui/layout/detail";
import { events } from "../../ui/layout/layout.css";
import type { HistoryEntry } from "./audit-log.server";

type Entries = readonly SerializeFrom<HistoryEntry>[];

export function History({ entries }: { entries: Entries }) {
  return (
    <CardSection title="History">
      {entries.length === 0 ? (
        <p className={muted}>No history yet.</p>
      ) : (
        <FirstRows rows={entries} count={10}>
          {(rows) => <EntryList entries={rows} />}
        </FirstRows>
      )}
    </CardSection>
  );
}

function EntryList({ entries }: { entries: Entries }) {
  return (
    <ol className={events}>
      {entries.map(({ id, occurredAt, actor, action, changes }) => (
        <li key={id}>
          <span>{occurredAt}</span>
          <div>
            <p>
              <strong>{action}</strong> by {actor}
            </p>
            {changes.map(({ field, from, to }) => (
              <p key={field} className={muted}>
                {field}: {from} → {to}
              </p>
            ))}
          </div>
        </li>
      ))}
    </ol>
  );
}
