// Without script: the same.
import { useSite } from "../../ui/layout/site-name";
import { RadioGroup, TextArea, TextField } from "../../ui/validated-form/form";
import { frequencyLabels, frequencyNote, type Frequency } from "./report-schedule";

export function ScheduleFields({ timeZone }: { timeZone: string }) {
  const { weekStart } = useSite();
  return (
    <>
      <RadioGroup
        name="frequency"
        legend="Frequency"
        options={Object.fromEntries(
          Object.entries(frequencyLabels).map(([value, label]) => [
            value,
            `${label}: ${frequencyNote(value as Frequency, weekStart)}`,
          ]),
        )}
      />
      <TextField
        name="hour"
        label="Hour of the day"
        hint={`From 0 to 23, ${timeZone}.`}
        inputMode="numeric"
        autoComplete="off"
        width="short"
      />
      <TextArea
        name="recipients"
        label="Email addresses"
        hint="At most 20, one on each line. Recipients see business figures without signing in."
        rows={3}
      />
    </>
  );
}
