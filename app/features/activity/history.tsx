// Without script: the same.
import type { SerializeFrom } from "@remix-run/node";
import { muted } from "#styles/global.css";
import { entries as list } from "../../ui/layout/layout.css";
import { Card, Section } from "../../ui/layout/page";
import type { HistoryEntry } from "./audit-log.server";

export function History({ entries }: { entries: SerializeFrom<HistoryEntry>[] }) {
  return (
    <Section title="History">
      {entries.length === 0 ? (
        <p className={muted}>Nothing was noted about it yet.</p>
      ) : (
        <Card>
          <ol className={list}>
            {entries.map(({ id, occurredAt, actor, action, changes }) => (
              <li key={id}>
                <p>
                  <strong>{action}</strong> by {actor}
                </p>
                <p className={muted}>{occurredAt}</p>
                {changes.map(({ field, from, to }) => (
                  <p key={field}>
                    {field}: {from} → {to}
                  </p>
                ))}
              </li>
            ))}
          </ol>
        </Card>
      )}
    </Section>
  );
}
