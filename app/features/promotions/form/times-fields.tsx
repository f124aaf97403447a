// Without script: the same; the rows are folded up until there are hours.
import { useState } from "react";
import { useField } from "remix-validated-form";
import { visuallyHidden } from "#styles/global.css";
import { Choice, FieldError, FieldHint } from "../../../ui/form/field";
import * as formStyles from "../../../ui/form/form.css";
import { TextField } from "../../../ui/validated-form/form";
import { dayNames, maxRows } from "../schedule";
import { FoldedFields } from "./folded-fields";
import * as css from "./times-fields.css";
import { timesTexts } from "./times-form";

const minRows = 3;

function useList(name: string): string[] {
  return [useField(name).defaultValue ?? []].flat() as string[];
}

/** The start and the hours of a campaign; both may stay empty. */
export function TimesFields() {
  const { error, clearError } = useField("hours_from");
  const [days, from, to] = [useList("hours_days"), useList("hours_from"), useList("hours_to")];
  const ticked = days.map((tick) => Number.parseInt(tick, 10));
  const used = 1 + Math.max(from.findLastIndex(Boolean), to.findLastIndex(Boolean), ...ticked);
  const [reached, setReached] = useState(0);
  // One row stays free, up to the most that there may be.
  const rows = Math.max(minRows, Math.min(maxRows, 1 + Math.max(used, reached)));
  // The summary of errors leads to the row that the message names: 'Row 3: ...'.
  const wrong = error && { "aria-invalid": true, "aria-describedby": "hours_from-error" };
  const wrongRow = error ? (Number.parseInt(error.slice(4), 10) || 1) - 1 : 0;
  return (
    <FoldedFields title="Start and hours" names={Object.keys(timesTexts)}>
      <TextField
        name="starts_at"
        label="Start"
        hint="DD/MM/YYYY or DD/MM/YYYY HH:MM. Leave empty to start at once."
        width="medium"
      />
      <FieldHint
        name="hours"
        hint="Leave all rows empty for any time. An end before its start is on the next day."
      />
      {Array.from({ length: rows }, (_, row) => (
        <fieldset
          key={row}
          className={css.row}
          aria-describedby="hours-hint"
          onInput={() => {
            clearError();
            setReached(Math.max(reached, row + 1));
          }}
        >
          <legend className={visuallyHidden}>Hours, row {row + 1}</legend>
          <div className={css.days}>
            {dayNames.map((name, day) => (
              <Choice
                key={name}
                type="checkbox"
                name="hours_days"
                value={`${row}-${day + 1}`}
                defaultChecked={days.includes(`${row}-${day + 1}`)}
                {...(row === wrongRow && wrong)}
              >
                {name}
              </Choice>
            ))}
          </div>
          {(
            [
              ["from", from],
              ["to", to],
            ] as const
          ).map(([edge, times]) => (
            <label key={edge} className={css.time}>
              {edge}
              <input
                id={row === wrongRow ? `hours_${edge}` : undefined}
                name={`hours_${edge}`}
                defaultValue={times[row]}
                placeholder="HH:MM"
                autoComplete="off"
                className={`${formStyles.input} ${formStyles.short}`}
                {...(row === wrongRow && wrong)}
              />
            </label>
          ))}
        </fieldset>
      ))}
      <FieldError name="hours_from" error={error} />
      <TextField name="closed_on" label="Not on" hint="Days as DD/MM/YYYY, with commas between." />
    </FoldedFields>
  );
}
