// Without script: the same.
import { muted } from "#styles/global.css";
import { Section } from "../../ui/layout/page";
import { Table } from "../../ui/table/table";
import * as table from "../../ui/table/table.css";
import type { PageWords } from "./page-words";

/** The last ones, newest first. */
export function Redemptions({ redemptions }: Pick<PageWords, "redemptions">) {
  return (
    <Section title="Redemptions">
      {redemptions.length === 0 ? (
        <p className={muted}>It was not redeemed yet.</p>
      ) : (
        <Table
          caption="Last redemptions"
          head={
            <>
              <th scope="col">Time</th>
              <th scope="col">Machine</th>
              <th scope="col" className={table.number}>
                Price
              </th>
              <th scope="col" className={table.number}>
                Discount
              </th>
              <th scope="col" className={table.number}>
                Paid
              </th>
              <th scope="col">Status</th>
            </>
          }
        >
          {redemptions.map((redemption) => (
            <tr key={redemption.id}>
              <th scope="row" className={table.name}>
                {redemption.at}
              </th>
              <td data-label="Machine">{redemption.machine}</td>
              <td data-label="Price" className={table.number}>
                {redemption.originalPrice}
              </td>
              <td data-label="Discount" className={table.number}>
                {redemption.discount}
              </td>
              <td data-label="Paid" className={table.number}>
                {redemption.discountedPrice}
              </td>
              <td data-label="Status">{redemption.status}</td>
            </tr>
          ))}
        </Table>
      )}
    </Section>
  );
}
