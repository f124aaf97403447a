// Without script: the same.
import type { SerializeFrom } from "@remix-run/node";
import { useEffect } from "react";
import { clearSelection } from "../../features/promotions/list/selection";
import { countOf, formatNumber } from "../../format/number";
import { formatCode } from "../../format/promotion";
import { CardSection } from "../../ui/layout/detail";
import { parts } from "../../ui/layout/layout.css";
import { LinkedCode, Table } from "../../ui/table/table";
import type { loader } from "./route";
import { SkippedReasons } from "./skipped-reasons";

type Done = Extract<SerializeFrom<typeof loader>, { state: "done" }>;

export function BulkResult({ page: { outcome, skipped } }: { page: Done }) {
  // The ticked codes are done with.
  useEffect(clearSelection, []);
  if (skipped === 0) return null;
  const { reasons, shown } = outcome.refusals;
  return (
    <div className={parts}>
      <CardSection title="Not changed">
        <SkippedReasons reasons={reasons} />
      </CardSection>
      <Table
        caption="Codes that were not changed"
        rows={shown}
        columns={[
          {
            heading: "Name",
            isRowHeader: true,
            cell: ({ id, name, code }) => (
              <LinkedCode id={id} name={name} code={formatCode(code)} />
            ),
          },
          { heading: "Reason", cell: ({ reason }) => reason },
        ]}
        footer={
          skipped > shown.length &&
          `${countOf(shown.length, "code")} shown of ${formatNumber(skipped)}.`
        }
      />
    </div>
  );
}
