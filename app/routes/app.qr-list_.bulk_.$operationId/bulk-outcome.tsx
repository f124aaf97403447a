import type { SerializeFrom } from "@remix-run/node";
import { useNavigationType, useSearchParams } from "@remix-run/react";
import { useEffect, useState } from "react";
import { maxCodesNamed, type Refusals } from "../../features/promotions/lifecycle/bulk-actions";
import { clearSelection } from "../../ui/list/selection";
import { isHydrated } from "../../ui/overlay/focus";
import { countOf, formatNumber } from "../../format/number";
import { formatCode } from "../../format/promotion";
import { ProgressCard } from "../../ui/feedback/progress";
import { CardSection } from "../../ui/layout/detail";
import { parts } from "../../ui/layout/layout.css";
import { LinkedCode, Table } from "../../ui/table/table";
import * as css from "./bulk.css";
import type { loader } from "./route";

type PageIn<State> = { page: Extract<SerializeFrom<typeof loader>, { state: State }> };

export function BulkProgress({ page: { position, total, title } }: PageIn<"running">) {
  return <ProgressCard title={title} position={position} total={total} noun="code" />;
}

/** Returns how the browser came to this document: undefined on the server. */
function navigationTypeOfDocument(): NavigationTimingType | undefined {
  const [entry] = performance.getEntriesByType("navigation");
  return (entry as PerformanceNavigationTiming | undefined)?.type;
}

export function BulkResult({ page: { outcome, skipped } }: PageIn<"done">) {
  // The ticked codes are done with. Back shows the outcome once more, and others may be ticked since.
  const isBack = useNavigationType() === "POP";
  // The confirmation was sent before its scripts ran.
  const [isNewDocument] = useState(
    () => !isHydrated() && navigationTypeOfDocument() === "navigate",
  );
  const isDone = useSearchParams()[0].has("ticked") && (!isBack || isNewDocument);
  useEffect(() => {
    if (isDone) clearSelection();
  }, [isDone]);
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

/** Lists why codes stay as they are, with the number for each reason. */
function SkippedReasons({ reasons }: Pick<Refusals, "reasons">) {
  return (
    <ul className={css.list}>
      {reasons.map(({ reason, count }) => (
        <li key={reason}>{`${countOf(count, "code")}: ${reason}`}</li>
      ))}
    </ul>
  );
}

/** Names the codes that stay as they are; of many, only the reasons. */
export function SkippedCodes({ refusals, skipped }: { refusals: Refusals; skipped: number }) {
  if (skipped > maxCodesNamed) return <SkippedReasons reasons={refusals.reasons} />;
  return (
    <ul className={css.list}>
      {refusals.shown.map(({ id, name, code, reason }) => (
        <li key={id}>
          {`${name} (`}
          <code className={css.code}>{formatCode(code)}</code>
          {`): ${reason}`}
        </li>
      ))}
    </ul>
  );
}
