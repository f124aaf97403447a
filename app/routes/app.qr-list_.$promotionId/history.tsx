// Without script: the same.
import type { SerializeFrom } from "@remix-run/node";
import type { HistoryEntry } from "../../features/promotions/promotion-history.server";
import { muted } from "#styles/global.css";
import { Card } from "../../ui/layout/page";
import * as css from "./promotion-page.css";

/** Who did what when, newest first. */
export function History({ entries }: { entries: SerializeFrom<HistoryEntry>[] }) {
  return (
    <section className={css.section}>
      <h2>History</h2>
      {entries.length === 0 ? (
        <p className={muted}>Nothing was noted about it yet.</p>
      ) : (
        <Card>
          <ol className={css.entries}>
            {entries.map(({ id, at, who, what, changes }) => (
              <li key={id}>
                <p>
                  <strong>{what}</strong> by {who}
                </p>
                <p className={muted}>{at}</p>
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
    </section>
  );
}
