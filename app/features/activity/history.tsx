// Without script: the same; older entries unfold.
import type { SerializeFrom } from "@remix-run/node";
import type { ReactNode } from "react";
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
        <EventList entries={entries}>{({ actor }) => <>by {actor}</>}</EventList>
      )}
    </CardSection>
  );
}

/** The newest ten actions with what each changed; the others unfold. @param children follows the action's name */
export function EventList<Entry extends Pick<Entries[number], "id" | "action" | "changes">>({
  entries,
  children,
}: {
  entries: readonly (Entry & { occurredAt: string })[];
  children: (entry: Entry) => ReactNode;
}) {
  return (
    <FirstRows rows={entries} count={10}>
      {(rows) => (
        <ol className={events}>
          {rows.map((entry) => (
            <li key={entry.id}>
              <span>{entry.occurredAt}</span>
              <div>
                <p>
                  <strong>{entry.action}</strong> {children(entry)}
                </p>
                {entry.changes.map((change) => (
                  <p key={change} className={muted}>
                    {change}
                  </p>
                ))}
              </div>
            </li>
          ))}
        </ol>
      )}
    </FirstRows>
  );
}
