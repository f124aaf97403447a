// Without script: a section of the page with a form that comes back filled.
import type { ComponentProps } from "react";
import { DialogActions, DialogCancel, DialogRoute } from "../../ui/overlay/dialog-route";
import { Form, FormButton } from "../../ui/validated-form/form";

type FormProps<T extends Record<string, unknown>> = ComponentProps<typeof Form<T>>;

/** A form in a dialog, whose answers leave no entry in the history. */
export function DialogForm<T extends Record<string, unknown>>({
  dialog,
  button,
  children,
  ...form
}: Omit<FormProps<T>, "replace" | "preventScrollReset"> & {
  dialog: Omit<ComponentProps<typeof DialogRoute>, "children">;
  button: ComponentProps<typeof FormButton>;
}) {
  return (
    <DialogRoute {...dialog}>
      <Form {...form} replace preventScrollReset>
        {children}
        <DialogActions>
          <FormButton {...button} />
          <DialogCancel to={dialog.closeTo} />
        </DialogActions>
      </Form>
    </DialogRoute>
  );
}
