// Without script: one line of text; the server reads DD/MM/YYYY, DD/MM/YY and the like.
import { useRef, type ChangeEvent } from "react";
import { TextField } from "../../../ui/form/form";
import { autoSlashes, completeDateInput } from "../expiry-date";

export function ExpiryField({
  name,
  example,
  isRequired = false,
}: {
  name: string;
  example: string;
  isRequired?: boolean;
}) {
  const previous = useRef("");
  return (
    <TextField
      name={name}
      label="Expiration date"
      hint={`DD/MM/YYYY, for example ${example}. Valid until the end of that day.${isRequired ? "" : " Leave empty for no expiration."}`}
      width="medium"
      inputMode="numeric"
      onChange={({ currentTarget }: ChangeEvent<HTMLInputElement>) => {
        const { text, caret } = autoSlashes(
          previous.current,
          currentTarget.value,
          currentTarget.selectionStart ?? currentTarget.value.length,
        );
        if (text !== currentTarget.value) {
          currentTarget.value = text;
          currentTarget.setSelectionRange(caret, caret);
        }
        previous.current = text;
      }}
      onBlur={({ currentTarget }) => {
        currentTarget.value = previous.current = completeDateInput(currentTarget.value);
      }}
    />
  );
}
