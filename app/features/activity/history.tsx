// Without script: the same; older entries unfold.
import type { SerializeFrom } from "@remix-run/node";
import { muted } from "#styles/global.css";
import { CardSection, ShowMore } from "../../ui/layout/detail";
import { events } from "../../ui/layout/layout.css";
import type { HistoryEntry } from "./audit-log.server";

type Entries = readonly SerializeFrom<HistoryEntry>[];

/** Entries that are listed at once. */
const maxShown = 10;

export function History({ entries }: { entries: Entries }) {
  const more = entries.length - maxShown;
  return (
    <CardSection title="History">
      {entries.length === 0 ? (
        <p className={muted}>No history yet.</p>
      ) : (
        <div>
          <EntryList entries={entries.slice(0, maxShown)} />
          {more > 0 && (
            <ShowMore count={more}>
              <EntryList entries={entries.slice(maxShown)} />
            </ShowMore>
          )}
        </div>
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
