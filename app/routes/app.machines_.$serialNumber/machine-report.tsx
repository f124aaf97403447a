// Without script: the same; the period is a link, the picture comes drawn.
import { Link } from "@remix-run/react";
import { Fragment, type ComponentProps } from "react";
import { ActivityBadge } from "../../features/machines/activity-badge";
import {
  activityPeriods,
  maxRefusedAttempts,
  maxTransactions,
  refusalsSince,
} from "../../features/redemptions/machine-activity";
import { TransactionBadge } from "../../features/transactions/transaction-badge";
import { paths } from "../../paths";
import { Chart } from "../../ui/charts/chart";
import { CardSection } from "../../ui/layout/detail";
import { columns } from "../../ui/layout/layout.css";
import { FactList, LinkTabs } from "../../ui/layout/page";
import { Timestamp } from "../../ui/layout/timestamp";
import { LinkedCode, Table, type Column } from "../../ui/table/table";
import { timestamp } from "../../ui/table/table.css";
import { code as codeStyle, muted } from "#styles/global.css";
import * as css from "./machine-page.css";
import type { MachinePageData } from "./route";

type PageProps = { page: MachinePageData };

export function Facts({ page: { machine, activity, promotions } }: PageProps) {
  return (
    <FactList
      facts={[
        ["Serial number", machine.serialNumber],
        ["Last active", <Timestamp key="active" time={machine.lastActive} />],
        ["Last seen", <Timestamp key="seen" time={machine.lastSeen} />],
        [
          "Active promos",
          <>
            {promotions.summary}
            {promotions.isAny && ". "}
            {promotions.isAny && (
              <Link to={paths.machinePromotions(machine.serialNumber)}>Show campaigns</Link>
            )}
          </>,
        ],
        ["Activity", <ActivityBadge key="activity" activity={activity} />],
        ["Groups", <GroupLinks key="groups" groups={machine.groups} />],
      ]}
    />
  );
}

function GroupLinks({ groups }: { groups: MachinePageData["machine"]["groups"] }) {
  if (groups.length === 0) return <>None</>;
  return (
    <ul className={columns}>
      {groups.map(({ id, name }) => (
        <li key={id}>
          <Link to={paths.machineGroup(id)}>{name}</Link>
        </li>
      ))}
    </ul>
  );
}

const timeColumn: Column<ComponentProps<typeof Timestamp>> = {
  heading: "Time",
  isRowHeader: true,
  className: timestamp,
  cell: Timestamp,
};

/** Chooses the days that figures, chart and refused attempts cover. */
export function PeriodTabs({ page: { machine, period } }: PageProps) {
  return (
    <LinkTabs
      label="Period"
      tabs={activityPeriods.map((days) => ({
        to: `${paths.machine(machine.serialNumber)}?period=${days}`,
        label: `Last ${days} days`,
        isCurrent: days === period.days,
      }))}
    />
  );
}

export function Redemptions({ page }: PageProps) {
  const { period, chart, days } = page;
  return (
    <CardSection title="Redemptions per day">
      {chart === null ? (
        <p className={muted}>No redemptions here in {period.text}.</p>
      ) : (
        <Chart {...chart}>
          <Table
            id="days"
            caption={`Redemptions in ${period.text}`}
            fits
            rows={days}
            rowKey="day"
            columns={[
              { heading: "Day", isRowHeader: true, cell: ({ day }) => day },
              { heading: "Redemptions", isNumber: true, cell: ({ redemptions }) => redemptions },
              { heading: "Discounts given", isNumber: true, cell: ({ discount }) => discount },
            ]}
          />
        </Chart>
      )}
    </CardSection>
  );
}

export function Refusals({ page: { refusals, period } }: PageProps) {
  return (
    <CardSection title="Refused attempts">
      {refusals.length === 0 ? (
        <p className={muted}>No refused attempts here in {period.text}.</p>
      ) : (
        <dl className={css.reasons}>
          {refusals.map(({ reason, count }) => (
            // The figure first: it is what is compared.
            <Fragment key={reason}>
              <dt className={css.count}>{count}</dt>
              <dd>{reason}</dd>
            </Fragment>
          ))}
        </dl>
      )}
    </CardSection>
  );
}

/** Shows the share of refused attempts by day; the table leaves out days without an attempt. */
export function RefusalRates({ page }: PageProps) {
  const { rateChart, rates, machine, firstDay, period } = page;
  if (rateChart === null) return null;
  return (
    <CardSection title="Refusal rate per day">
      <Chart {...rateChart}>
        <Table
          id="rates"
          caption={`Refusal rate in ${period.text}`}
          rows={rates}
          rowKey="day"
          columns={[
            { heading: "Day", isRowHeader: true, cell: ({ day }) => day },
            { heading: "Attempts", isNumber: true, cell: ({ attempts }) => attempts },
            { heading: "Refused", isNumber: true, cell: ({ refused }) => refused },
            { heading: "Rate", isNumber: true, cell: ({ rate }) => rate },
            { heading: "Most frequent reason", cell: ({ reason }) => reason },
          ]}
        />
      </Chart>
      <p>
        <Link to={refusalsSince(machine.serialNumber, firstDay)}>
          Refused attempts of these days
        </Link>
      </p>
    </CardSection>
  );
}

/** The newest refused attempts; the view of them has all. */
export function LatestRefusals({ page: { machine, attempts, missingRefusals } }: PageProps) {
  if (attempts.length === 0) return null;
  return (
    <Table
      id="attempts"
      title="Latest refused attempts"
      rows={attempts}
      columns={[
        timeColumn,
        {
          heading: "Code",
          className: css.subject,
          cell: ({ code, promotion }) => (
            <>
              {promotion && <a href={paths.promotion(promotion.id)}>{promotion.name}</a>}
              <span className={codeStyle}>{code}</span>
            </>
          ),
        },
        { heading: "Reason", cell: ({ reason }) => reason },
        { heading: "Price", isNumber: true, cell: ({ price }) => price },
      ]}
      footer={
        attempts.length === maxRefusedAttempts ? (
          <Link to={`${paths.refusals}?${new URLSearchParams({ machine: machine.serialNumber })}`}>
            All refused attempts at this machine
          </Link>
        ) : (
          missingRefusals
        )
      }
    />
  );
}

/** The newest transactions; their own screen has them all. */
export function Transactions({ page: { machine, transactions, archived } }: PageProps) {
  if (transactions.length === 0)
    return (
      <CardSection title="Recent transactions">
        <p className={muted}>{archived ?? "No redemptions yet."}</p>
      </CardSection>
    );
  return (
    <Table
      id="transactions"
      title="Recent transactions"
      rows={transactions}
      columns={[
        timeColumn,
        {
          heading: "Code",
          className: css.subject,
          isBare: true,
          cell: ({ promotion }) => <LinkedCode {...promotion} />,
        },
        { heading: "Price", isNumber: true, cell: ({ originalPrice }) => originalPrice },
        {
          heading: "Discount",
          isNumber: true,
          cell: ({ discount, savings }) => (
            <>
              {discount} <span className={muted}>({savings})</span>
            </>
          ),
        },
        { heading: "Paid", isNumber: true, cell: ({ discountedPrice }) => discountedPrice },
        {
          heading: "Status",
          isBadge: true,
          cell: ({ status }) => <TransactionBadge status={status} />,
        },
      ]}
      footer={
        transactions.length === maxTransactions ? (
          <Link to={paths.transactionsOf(machine.serialNumber)}>
            All transactions of this machine
          </Link>
        ) : (
          archived
        )
      }
    />
  );
}
