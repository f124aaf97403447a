// Without script: the same; a form that is not accepted comes back filled.
import { defaultHour, scheduleValidator } from "../../features/report-schedules/report-schedule";
import { ScheduleFields } from "../../features/report-schedules/schedule-fields";
import { Form, FormSubmit, PasswordAgain } from "../../ui/validated-form/form";
import { IdempotencyKey } from "../../ui/form/idempotency-key";
import { FormCard } from "../../ui/layout/detail";

type NewScheduleProps = {
  page: { timeZone: string };
};

export function NewSchedule({ page }: NewScheduleProps) {
  return (
    <FormCard title="New schedule">
      <Form
        id="new-schedule"
        validator={scheduleValidator}
        defaultValues={{ frequency: "daily", hour: String(defaultHour) }}
      >
        <IdempotencyKey />
        <ScheduleFields timeZone={page.timeZone} />
        <PasswordAgain />
        <FormSubmit pendingLabel="Adding..." label="Add schedule" />
      </Form>
    </FormCard>
  );
}
