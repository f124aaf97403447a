import { muted } from "#styles/global.css";
import { Chart } from "../../ui/charts/chart";
import { CardSection } from "../../ui/layout/detail";
import { FactList } from "../../ui/layout/page";
import type { ReportData } from "./report-screen.server";
import * as css from "./reports.css";

/** The charts of a report, what is outstanding, and why codes were refused. */
export function ReportCards({ data }: { data: ReportData }) {
  return (
    <>
      <CardSection title="Discounts given over time">
        {data.hasDiscounts ? (
          <Chart {...data.line} />
        ) : (
          <p className={muted}>No discounts in this period or the one before.</p>
        )}
      </CardSection>
      <CardSection title="Redemptions by weekday and hour">
        {data.hasRedemptions ? (
          <Chart {...data.heat} />
        ) : (
          <p className={muted}>No redemptions in this period.</p>
        )}
      </CardSection>
      <div className={css.cards}>
        <CardSection title="Liability" note="now">
          <FactList
            facts={[
              ["Free drinks outstanding", data.liability.drinks],
              ["Estimated value", data.liability.value],
              ["Active percentage codes", data.liability.percentageCodes],
            ]}
          />
        </CardSection>
        {data.refusals.length > 0 && (
          <CardSection title="Refused by reason">
            <FactList facts={data.refusals.map(({ label, count }) => [label, count] as const)} />
          </CardSection>
        )}
      </div>
    </>
  );
}
