// Without script: a file input.
import type { ComponentProps } from "react";
import { InputField } from "../../ui/form/field";
import { acceptedPictures } from "./picture-rules";

export function PictureField({
  isAnswer = false,
  ...field
}: Pick<ComponentProps<typeof InputField>, "name" | "label" | "hint" | "error"> & {
  /** The form has nothing else, so that a message leads to it. */
  isAnswer?: boolean;
}) {
  return (
    <InputField
      {...field}
      type="file"
      autoComplete={undefined}
      accept={acceptedPictures}
      // eslint-disable-next-line jsx-a11y/no-autofocus -- the answer to what was just sent
      autoFocus={isAnswer && Boolean(field.error)}
    />
  );
}
