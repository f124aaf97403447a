// Without script: a hint names the browser's print command. With it, there is a button.
import { Form } from "@remix-run/react";
import { MessageBlock } from "../../ui/feedback/message-block";
import { Button } from "../../ui/form/button";
import { Card } from "../../ui/layout/page";
import { useAreScriptsRunning } from "../../ui/overlay/focus";
import { muted } from "#styles/global.css";
import * as shared from "../demo.css";
import * as css from "./pages.css";
import * as showcase from "./ui.css";

/** Price in cents. */
const items = [
  {
    id: 1,
    item: "Brand-new 27-inch monitor",
    desc: "2,560 by 1,440 pixels",
    quantity: 2,
    price: 70_000,
  },
  { id: 2, item: "Domain: okendoken.com", desc: "6-month registration", quantity: 1, price: 2_188 },
  {
    id: 3,
    item: "Atlas Shrugged",
    desc: "Novel, first published in 1957",
    quantity: 5,
    price: 3_500,
  },
  { id: 4, item: "New song", desc: "Single in a lossless format", quantity: 1, price: 2_500 },
];
const taxPercent = 10;

const dollars = new Intl.NumberFormat("en-US", { style: "currency", currency: "USD" });
const cents = (amount: number) => dollars.format(amount / 100);

export function Invoice({ isPaid }: { isPaid: boolean }) {
  const areScriptsRunning = useAreScriptsRunning();
  const subtotal = items.reduce((sum, { quantity, price }) => sum + quantity * price, 0);
  const tax = Math.round((subtotal * taxPercent) / 100);
  return (
    <div className={showcase.stackWide}>
      {isPaid && (
        <div role="status">
          <MessageBlock kind="info">Thank you. This is a demo: nothing was paid.</MessageBlock>
        </div>
      )}
      <Card className={css.invoice}>
        <p>
          <b>No. 9.45613</b> <span className={muted}>20.11.2026</span>
        </p>
        <div className={shared.grid}>
          <section aria-labelledby="company">
            <h2 id="company">Company information</h2>
            <p>Promo Console Demo</p>
            <p className={muted}>Great Road 12, 60601 Springfield</p>
            <p className={muted}>billing@example.com</p>
          </section>
          <section aria-labelledby="client">
            <h2 id="client">Client information</h2>
            <p>Veronica Niasvizhskaja</p>
            <p className={muted}>Consultant, Allspicer</p>
            <p className={muted}>veronica@example.com</p>
          </section>
        </div>
      </Card>
      <Card className={css.invoice}>
        <h2>Items</h2>
        <table className={css.items}>
          <thead>
            <tr>
              <th scope="col">#</th>
              <th scope="col">Item</th>
              <th scope="col" className={css.figure}>
                Quantity
              </th>
              <th scope="col" className={css.figure}>
                Price per unit
              </th>
              <th scope="col" className={css.total}>
                Total
              </th>
            </tr>
          </thead>
          <tbody>
            {items.map(({ id, item, desc, quantity, price }) => (
              <tr key={id}>
                <td className={css.itemNumber}>{id}</td>
                <th scope="row">
                  {item} <small className={css.description}>{desc}</small>
                </th>
                <td className={css.quantity}>{quantity}</td>
                <td className={css.figure}>{cents(price)}</td>
                <td className={css.total}>{cents(quantity * price)}</td>
              </tr>
            ))}
          </tbody>
        </table>
        <dl className={css.sums}>
          <dt>Subtotal</dt>
          <dd>{cents(subtotal)}</dd>
          <dt>{`Tax (${taxPercent}%)`}</dt>
          <dd>{cents(tax)}</dd>
          <dt>Total</dt>
          <dd>
            <b>{cents(subtotal + tax)}</b>
          </dd>
        </dl>
        <p>
          <b>Note:</b> Thank you for your business. Please pay within 14 days.
        </p>
        <Form className={css.actions}>
          {areScriptsRunning ? (
            <Button type="button" onClick={() => window.print()}>
              Print
            </Button>
          ) : (
            <p className={muted}>To print, use the print command of the browser.</p>
          )}
          <Button variant="primary" name="paid" value="1">
            Proceed with Payment
          </Button>
        </Form>
      </Card>
    </div>
  );
}
