// Without script: a form for each view; its buttons say what they do.
import { Form } from "@remix-run/react";
import { paths } from "../../paths";
import { Button, ButtonLink } from "../../ui/form/button";
import { describedBy, Field } from "../../ui/form/field";
import * as form from "../../ui/form/form.css";
import * as css from "./views.css";

/** Rejected values, to be shown again. */
export type Refused = { name: string; error: string } | undefined;

export function ViewForm({
  view,
  refused,
}: {
  view: { id: string; name: string; parameters: string; isDefault: boolean };
  refused: Refused;
}) {
  return (
    <li>
      <ButtonLink to={`${paths.qrList}?${view.parameters || "page=1"}`} size="small">
        Open {view.name}
      </ButtonLink>
      <Form method="post" preventScrollReset className={css.rename}>
        <input type="hidden" name="id" value={view.id} />
        <NameField
          id={`name-${view.id}`}
          label={`Name of ${view.name}`}
          value={refused?.name ?? view.name}
          error={refused?.error}
        />
        <div className={form.formActions}>
          <Button name="intent" value="rename" size="small">
            Rename {view.name}
          </Button>
          <Button name="intent" value={view.isDefault ? "no-default" : "default"} size="small">
            {view.isDefault ? `Stop opening ${view.name} first` : `Open ${view.name} first`}
          </Button>
          <Button name="intent" value="delete" size="small">
            Delete {view.name}
          </Button>
        </div>
      </Form>
    </li>
  );
}

export function NameField({
  id,
  label,
  value,
  error,
}: {
  id: string;
  label: string;
  value: string;
  error: string | undefined;
}) {
  return (
    <Field name={id} label={label} error={error}>
      <input
        type="text"
        id={id}
        name="name"
        defaultValue={value}
        autoComplete="off"
        aria-invalid={error ? true : undefined}
        aria-describedby={describedBy(id, { error })}
        className={`${form.input} ${error ? form.inputError : ""}`}
      />
    </Field>
  );
}
