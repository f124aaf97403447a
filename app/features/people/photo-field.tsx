// Without script: a file input.
import type { ComponentProps } from "react";
import { Field } from "../../ui/form/field";
import * as form from "../../ui/form/form.css";
import { acceptedPhotos, photoField } from "./photo-rules";

/** Chooses the file of a photo. */
export function PhotoField({
  label,
  error,
  isAnswer = false,
}: {
  label: ComponentProps<typeof Field>["label"];
  error: string | undefined;
  /** The form has nothing else, so that a message leads to it. */
  isAnswer?: boolean;
}) {
  return (
    <Field
      name={photoField}
      label={label}
      hint=".PNG, .JPG, .JPEG or .WEBP, up to 2 MB. Its middle is shown, 256 pixels wide."
      error={error}
    >
      <input
        id={photoField}
        name={photoField}
        type="file"
        accept={acceptedPhotos}
        aria-invalid={error ? true : undefined}
        aria-describedby={`${error ? `${photoField}-error ` : ""}${photoField}-hint`}
        className={form.input}
        // eslint-disable-next-line jsx-a11y/no-autofocus -- the answer to what was just sent
        autoFocus={isAnswer && Boolean(error)}
      />
    </Field>
  );
}
