// Without script: the same.
import { paths } from "../../paths";
import { Card, Section } from "../../ui/layout/page";
import { Table } from "../../ui/table/table";
import * as table from "../../ui/table/table.css";
import { code as codeStyle, muted } from "#styles/global.css";
import * as css from "./machine-page.css";
import type { PageView } from "./page-view";

/** Refused attempts at this machine: counts by reason, then the newest ones. */
export function RefusedAttempts({ page }: { page: PageView }) {
  const { refusals, attempts, period } = page;
  return (
    <Section title="Refused attempts">
      <Card>
        {refusals.length === 0 ? (
          <p className={muted}>No attempt was refused here in {period.words}.</p>
        ) : (
          <dl className={css.reasons}>
            {refusals.map(({ reason, count }) => (
              <Reason key={reason} count={count}>
                {reason}
              </Reason>
            ))}
          </dl>
        )}
      </Card>
      {attempts.length > 0 && (
        <Table
          id="attempts"
          caption="Newest refused attempts"
          head={
            <>
              <th scope="col">Time</th>
              <th scope="col">Code</th>
              <th scope="col">Why</th>
              <th scope="col" className={table.number}>
                Price
              </th>
            </>
          }
        >
          {attempts.map(({ id, at, code, promotion, reason, price }) => (
            <tr key={id}>
              <th scope="row" className={table.name}>
                <time dateTime={at.iso}>{at.words}</time>
              </th>
              <td data-label="Code" className={css.subject}>
                {promotion && <a href={paths.promotion(promotion.id)}>{promotion.name}</a>}
                <span className={codeStyle}>{code}</span>
              </td>
              <td data-label="Why">{reason}</td>
              <td data-label="Price" className={table.number}>
                {price}
              </td>
            </tr>
          ))}
        </Table>
      )}
    </Section>
  );
}

/** The figure first: it is what is compared. */
function Reason({ count, children }: { count: string; children: string }) {
  return (
    <>
      <dt className={css.count}>{count}</dt>
      <dd>{children}</dd>
    </>
  );
}
