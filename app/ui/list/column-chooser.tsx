// Without script: a <details> with a form that posts the columns, and is closed on the next page.
import { Form, useActionData, useLocation } from "@remix-run/react";
import { useEffect, useRef, type RefObject } from "react";
import { Button } from "../form/button";
import { button } from "../form/button.css";
import { Choice, useFollowingFields } from "../form/field";
import { legend } from "../form/form.css";
import { closeMenu, DetailsMenu } from "../overlay/details-menu";
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
  const onSubmit = useClosingOnceSent(form);
  return (
    <DetailsMenu summaryId="columns" summaryClass={button.quiet} summary="Columns">
      <Form
        ref={form}
        method="post"
        action={action}
        preventScrollReset
        className={css.columns}
        onSubmit={onSubmit}
      >
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

/** Closes the menu of a form when its post has led on, and gives the focus back to its button. @returns `onSubmit` */
function useClosingOnceSent(form: RefObject<HTMLFormElement>) {
  const isSent = useRef(false);
  const { key } = useLocation();
  const failure = useActionData<{ failure?: string }>()?.failure;
  useEffect(() => {
    const menu = form.current?.closest("details");
    if (!isSent.current || !menu) return;
    isSent.current = false;
    if (failure || !menu.open) return;
    closeMenu(menu);
  }, [key, failure, form]);
  return () => {
    isSent.current = true;
  };
}
