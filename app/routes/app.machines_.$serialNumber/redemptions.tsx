// Without script: the same; the period is a link, the picture comes drawn.
import { activityPeriods } from "../../features/redemptions/machine-activity";
import { paths } from "../../paths";
import { Chart, type ChartDrawings } from "../../ui/charts/chart";
import { Card } from "../../ui/layout/page";
import { FilterChip } from "../../ui/table/filter-bar";
import { Table } from "../../ui/table/table";
import * as table from "../../ui/table/table.css";
import { muted } from "#styles/global.css";
import * as css from "./machine-page.css";
import type { PageView } from "./page-view";

export function Redemptions({ page }: { page: PageView & { chart: ChartDrawings | null } }) {
  const { machine, period, chart, days } = page;
  return (
    <section className={css.section}>
      <div className={css.head}>
        <h2>Redemptions per day</h2>
        <nav aria-label="Period" className={css.periods}>
          {activityPeriods.map((length) => (
            <FilterChip
              key={length}
              to={`${paths.machine(machine.serialNumber)}?period=${length}`}
              isChosen={length === period.days}
            >
              {`Last ${length} days`}
            </FilterChip>
          ))}
        </nav>
      </div>
      <Card>
        {chart === null ? (
          <p className={muted}>No code was redeemed here in {period.words}.</p>
        ) : (
          <Chart {...chart}>
            <Table
              id="days"
              caption={`Redemptions in ${period.words}`}
              fits
              head={
                <>
                  <th scope="col">Day</th>
                  <th scope="col" className={table.number}>
                    Redemptions
                  </th>
                  <th scope="col" className={table.number}>
                    Discounts given
                  </th>
                </>
              }
            >
              {days.map(({ day, redemptions, discount }) => (
                <tr key={day}>
                  <th scope="row" className={table.name}>
                    {day}
                  </th>
                  <td data-label="Redemptions" className={table.number}>
                    {redemptions}
                  </td>
                  <td data-label="Discounts given" className={table.number}>
                    {discount}
                  </td>
                </tr>
              ))}
            </Table>
          </Chart>
        )}
      </Card>
    </section>
  );
}
