// Without script: a table whose order and pages are links.
import { codesHeadings, reportList, subjectLabels } from "../../features/reports/report-filters";
import type { ResultView } from "../../features/reports/report-view";
import { MaskedNote } from "../../features/sign-in/viewer";
import { Badge } from "../../ui/feedback/badge";
import { ButtonLink } from "../../ui/form/button";
import { Card } from "../../ui/layout/page";
import { EmptyState } from "../../ui/table/list-notes";
import { ListTable, RowCount } from "../../ui/list/list-table";
import { ListStatus } from "../../ui/table/pagination";
import type { Column } from "../../ui/table/table";
import * as table from "../../ui/table/table.css";
import { note } from "#styles/global.css";
import type { ReportData } from "./report-screen.server";

const nouns = {
  promotion: "single code",
  generation: "mass generation",
  machine: "machine",
  group: "machine group",
};

export function ResultsTable({ data }: { data: ReportData }) {
  const { by, rows, total, hasRedemptions, tabs } = data;
  const isOfCampaigns = by === "promotion" || by === "generation";
  const otherTab = tabs.find(({ isCurrent }) => !isCurrent);
  const label = subjectLabels[by];
  const noun = nouns[by];
  return (
    <>
      <ListStatus data={data} noun={noun} />
      {rows.length > 0 ? (
        <ListTable
          caption={`Results by ${label.toLowerCase()}`}
          list={reportList}
          data={{ ...data, rows: rows as ResultView[] }}
          columns={columnsOf(by)}
          tools={
            <>
              <RowCount total={total} noun={noun} />
              {by === "promotion" && <MaskedNote />}
            </>
          }
        />
      ) : (
        <Card>
          <EmptyState
            icon="receipt"
            title={
              isOfCampaigns ? `No ${noun} was used in this period` : "No results in this period"
            }
            reason="Redemptions and refused attempts of the period appear here."
            action={
              isOfCampaigns &&
              hasRedemptions &&
              otherTab && (
                <ButtonLink to={otherTab.to}>Show {otherTab.label.toLowerCase()}</ButtonLink>
              )
            }
          />
        </Card>
      )}
    </>
  );
}

const refusalRate: Column<ResultView> = {
  heading: "Refusal rate",
  isNumber: true,
  className: table.twoLines,
  cell: ({ refusalRate: rate }) =>
    rate ? (
      <>
        {rate.text} {rate.reason && <span className={note}>{rate.reason}</span>}
      </>
    ) : (
      "–"
    ),
};

/** A number that leads to what it counts, where there is anything and a list of it. */
function CountLink({
  to,
  label,
  children,
}: {
  to: string | null;
  label: string;
  children: string;
}) {
  if (to === null || children === "0") return <>{children}</>;
  return (
    <a href={to} aria-label={label}>
      {children}
    </a>
  );
}

function columnsOf(by: ReportData["by"]): Column<ResultView>[] {
  const isOfCodes = by === "promotion" || by === "generation";
  return [
    {
      heading: "Name",
      sort: "name",
      isRowHeader: true,
      className: table.twoLines,
      cell: ({ name, detail, to }) => (
        <>
          <a href={to}>{name}</a> {detail && <small className={table.detail}>{detail}</small>}
        </>
      ),
    },
    {
      heading: codesHeadings[by],
      isNumber: true,
      cell: ({ codes }) => codes,
    },
    {
      heading: "Redeemed",
      sort: "redeemed",
      isNumber: true,
      cell: ({ name, redemptions, toRedeemed }) => (
        <CountLink to={toRedeemed} label={`${redemptions} redeemed of ${name}`}>
          {redemptions}
        </CountLink>
      ),
    },
    ...(isOfCodes
      ? [{ heading: "Rate", isNumber: true, cell: ({ rate }: ResultView) => rate }]
      : []),
    { heading: "Discounts", sort: "discount", isNumber: true, cell: ({ discount }) => discount },
    {
      heading: "Refused",
      sort: "refused",
      isNumber: true,
      className: table.twoLines,
      cell: ({ name, refused, reasons, toRefused }) => (
        <>
          <CountLink to={toRefused} label={`${refused} refused of ${name}`}>
            {refused}
          </CountLink>{" "}
          {reasons && <span className={note}>{reasons}</span>}
        </>
      ),
    },
    ...(isOfCodes ? [] : [refusalRate]),
    { heading: "First use", cell: ({ firstUse }) => firstUse },
    { heading: "Last use", cell: ({ lastUse }) => lastUse },
    ...(by === "machine"
      ? [
          {
            heading: "Status",
            isBadge: true,
            cell: (row: ResultView) => (
              <>
                {row.isIdle && <Badge tone="warn">Idle</Badge>}
                {row.refusalRate?.isOften && <Badge tone="warn">Refuses often</Badge>}
              </>
            ),
          },
        ]
      : []),
    ...(by === "group"
      ? [
          {
            heading: "Idle machines",
            isNumber: true,
            cell: ({ idleMachines }: ResultView) => idleMachines,
          },
        ]
      : []),
  ];
}
