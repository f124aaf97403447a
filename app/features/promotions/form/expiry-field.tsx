// Without script: one line of text; the server reads DD/MM/YYYY, DD/MM/YY and the like.
import { useState, type ChangeEvent } from "react";
import { useField } from "remix-validated-form";
import { note } from "#styles/global.css";
import { parseDateInput } from "../../../forms/date-input";
import { CalendarButton } from "../../../ui/validated-form/calendar-button";
import { TextField } from "../../../ui/validated-form/form";
import { autoSlashes, completeDateInput, describeEnd } from "../expiry-date";

export function ExpiryField({
  name,
  today,
  isRequired = false,
}: {
  name: string;
  /** YYYY-MM-DD in the site's zone. */
  today: string;
  isRequired?: boolean;
}) {
  const { defaultValue } = useField(name);
  const [input, setInput] = useState(String(defaultValue ?? ""));
  const day = parseDateInput(input);
  return (
    <TextField
      name={name}
      label="Expiration date"
      hint={isRequired ? "Required. DD/MM/YYYY." : "DD/MM/YYYY. Leave empty for no expiration."}
      after={
        <>
          <CalendarButton inputId={name} today={today} />
          <output htmlFor={name} className={note}>
            {day && describeEnd(day)}
          </output>
        </>
      }
      width="medium"
      inputMode="numeric"
      onChange={({ currentTarget }: ChangeEvent<HTMLInputElement>) => {
        const { text, caret } = autoSlashes(
          input,
          currentTarget.value,
          currentTarget.selectionStart ?? currentTarget.value.length,
        );
        if (text !== currentTarget.value) {
          currentTarget.value = text;
          currentTarget.setSelectionRange(caret, caret);
        }
        setInput(text);
      }}
      onBlur={({ currentTarget }) => {
        setInput((currentTarget.value = completeDateInput(currentTarget.value)));
      }}
    />
  );
}
