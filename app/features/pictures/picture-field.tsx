// Without script: a file input.
import type { ComponentProps } from "react";
import { describedBy, Field } from "../../ui/form/field";
import * as form from "../../ui/form/form.css";
import { acceptedPictures } from "./picture-rules";

/** Chooses the file of a picture. */
export function PictureField({
  isAnswer = false,
  ...field
}: Omit<ComponentProps<typeof Field>, "children"> & {
  /** The form has nothing else, so that a message leads to it. */
  isAnswer?: boolean;
}) {
  const { name, error } = field;
  return (
    <Field {...field}>
      <input
        id={name}
        name={name}
        type="file"
        accept={acceptedPictures}
        aria-invalid={error ? true : undefined}
        aria-describedby={describedBy(name, field)}
        className={form.input}
        // eslint-disable-next-line jsx-a11y/no-autofocus -- the answer to what was just sent
        autoFocus={isAnswer && Boolean(error)}
      />
    </Field>
  );
}
