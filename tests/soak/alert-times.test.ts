import { expect, it } from "vitest";
import { alertRows } from "../factories/alerts";
import { alertCases, type ArrangedAlert } from "../support/alert-cases";
import { useInstances } from "../support/app";

useInstances([{}, {}]);

const minute = { timeout: 60_000, interval: 1_000 };

it(
  "raises an alert of each kind within a minute, once with two instances, and clears it within a minute of its mending",
  { timeout: 300_000 },
  async () => {
    const arranged: (ArrangedAlert & { kind: string })[] = [];
    for (const { kind, arrange } of alertCases) arranged.push({ kind, ...(await arrange()) });
    const statesOf = async () => {
      const alerts = await Promise.all(
        arranged.map(({ kind, subject }) => alertRows(kind, subject)),
      );
      return alerts.map((rows, index) => [
        `${arranged[index]!.kind}, ${arranged[index]!.subject}`,
        ...rows.map(({ clearedAt }) => (clearedAt ? "cleared" : "open")),
      ]);
    };
    const all = (state: string) =>
      arranged.map(({ kind, subject }) => [`${kind}, ${subject}`, state]);
    await expect.poll(statesOf, minute).toEqual(all("open"));
    for (const { mend } of arranged) await mend();
    await expect.poll(statesOf, minute).toEqual(all("cleared"));
  },
);
