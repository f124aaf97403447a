import { muted } from "#styles/global.css";
import { Button } from "../../ui/form/button";
import * as form from "../../ui/form/form.css";
import { card } from "../../ui/layout/layout.css";
import * as css from "./login.css";

/** After a session ended in the middle of a form: one press, and the form is back. Needs no script. */
export function ContinuePage({
  returnTo,
  fields,
}: {
  returnTo: string;
  fields: [string, string][];
}) {
  return (
    <main className={css.page}>
      <div className={`${card} ${css.card}`}>
        <div>
          <h1>Continue</h1>
          <p className={muted}>You are signed in again. Nothing you typed was lost.</p>
        </div>
        <form method="post" action={returnTo}>
          {fields.map(([name, value], index) => (
            <input key={index} type="hidden" name={name} value={value} />
          ))}
          <input type="hidden" name="intent" value="restore" />
          <div className={form.formActions}>
            <Button variant="primary">Continue</Button>
          </div>
        </form>
      </div>
    </main>
  );
}
