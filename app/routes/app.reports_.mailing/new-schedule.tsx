// Without script: the same; a form that is not accepted comes back filled.
import {
  frequencies,
  frequencyNotes,
  frequencyLabels,
  scheduleValidator,
} from "../../features/report-schedules/report-schedule";
import {
  Form,
  FormSubmit,
  PasswordAgain,
  RadioGroup,
  TextArea,
} from "../../ui/validated-form/form";
import { IdempotencyKey } from "../../ui/form/idempotency-key";
import { FormCard } from "../../ui/layout/detail";

type NewScheduleProps = {
  page: { timeZone: string };
};

export function NewSchedule({ page }: NewScheduleProps) {
  return (
    <FormCard title="New schedule">
      <Form id="new-schedule" validator={scheduleValidator} defaultValues={{ frequency: "daily" }}>
        <IdempotencyKey />
        <RadioGroup
          name="frequency"
          legend={`Frequency (sent at 07:00, ${page.timeZone})`}
          options={frequencies.map((value) => ({
            value,
            label: `${frequencyLabels[value]}: ${frequencyNotes[value]}`,
          }))}
        />
        <TextArea
          name="recipients"
          label="Email addresses"
          hint="At most 20, one on each line. Recipients see business figures without signing in."
          rows={3}
        />
        <PasswordAgain />
        <FormSubmit pendingLabel="Adding..." label="Add schedule" />
      </Form>
    </FormCard>
  );
}
