// Without script: a <details> with a form that posts the columns.
import { Form } from "@remix-run/react";
import { Button } from "../form/button";
import { button } from "../form/button.css";
import { Choice, useFollowingFields } from "../form/field";
import { legend } from "../form/form.css";
import { DetailsMenu } from "../overlay/details-menu";
import { folded as foldedStyle } from "../table/table.css";
import * as css from "./filter-bar.css";

type ColumnChooserProps = {
  action: string;
  /** Headings of the columns that can be hidden. */
  columns: Record<string, string>;
  hidden: readonly string[];
  /** Says where narrow windows show columns that have no room. */
  foldedNote: string;
};

/** Chooses the columns of a list; `action` gets those that are ticked as `columns`. */
export function ColumnChooser({ action, columns, hidden, foldedNote }: ColumnChooserProps) {
  // Another view, or another tab, has other columns.
  const shown = Object.keys(columns).filter((name) => !hidden.includes(name));
  const form = useFollowingFields({ columns: shown });
  return (
    <DetailsMenu summaryId="columns" summaryClass={button.quiet} summary="Columns">
      <Form ref={form} method="post" action={action} preventScrollReset className={css.columns}>
        <fieldset>
          <legend className={legend}>Visible columns</legend>
          <input type="hidden" name="columns" />
          {Object.entries(columns).map(([name, heading]) => (
            <Choice
              key={name}
              type="checkbox"
              name="columns"
              value={name}
              defaultChecked={shown.includes(name)}
            >
              {heading}
            </Choice>
          ))}
        </fieldset>
        <Button name="intent" value="columns">
          Apply columns
        </Button>
        <p className={foldedStyle}>{foldedNote}</p>
      </Form>
    </DetailsMenu>
  );
}
