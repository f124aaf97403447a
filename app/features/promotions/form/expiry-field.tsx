// Without script: one line of text; the server reads DD/MM/YYYY, DD/MM/YY and the like.
import { useRef, useState, type ChangeEvent } from "react";
import { useField } from "remix-validated-form";
import { note } from "#styles/global.css";
import { formatDateInput, parseDateInput } from "../../../forms/typed-date";
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
  const previous = useRef("");
  const [input, setInput] = useState(String(defaultValue ?? ""));
  const day = parseDateInput(input);
  return (
    <TextField
      name={name}
      label="Expiration date"
      hint={`${isRequired ? "Required. " : ""}DD/MM/YYYY, for example ${formatDateInput(`${today.slice(0, 4)}-12-31`)}.${isRequired ? "" : " Leave empty for no expiration."}`}
      after={
        <>
          <CalendarButton inputId={name} minDay={today} />
          <output htmlFor={name} className={note}>
            {day && describeEnd(day)}
          </output>
        </>
      }
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
        setInput(text);
      }}
      onBlur={({ currentTarget }) => {
        currentTarget.value = previous.current = completeDateInput(currentTarget.value);
      }}
    />
  );
}
