import { useLoaderData } from "@remix-run/react";
import { siteTimeZone } from "../../db/site.server";
import {
  editScheduleValidator,
  frequencyLabels,
  scheduleFields,
} from "../../features/report-schedules/report-schedule";
import { ScheduleFields } from "../../features/report-schedules/schedule-fields";
import { editSchedule, getSchedule } from "../../features/report-schedules/schedules.server";
import { pageMeta } from "../../forms/page-meta";
import { rerenderForm } from "../../forms/validator";
import { confirmed, formAction, formLoader } from "../../http/form-action.server";
import { requireAdmin } from "../../http/guards.server";
import { paths } from "../../paths";
import { DialogForm } from "../_dialog-form/dialog-form";
import { IdempotencyKey } from "../../ui/form/idempotency-key";
import { FactList } from "../../ui/layout/page";
import { PasswordAgain } from "../../ui/validated-form/form";
import { useIsConflict, VersionField } from "../../ui/validated-form/version-field";

export const handle = { crumbs: { edit: "Edit schedule" } };

export const meta = pageMeta("Edit schedule");

export const loader = formLoader(requireAdmin, async ({ params }) => {
  const schedule = await getSchedule(params.scheduleId ?? "");
  return {
    values: scheduleFields(schedule),
    version: schedule.version,
    timeZone: siteTimeZone(),
  };
});

export const action = formAction({
  guard: requireAdmin,
  validator: editScheduleValidator,
  run: confirmed(async (values, { params, options }) => {
    await editSchedule(params.scheduleId ?? "", values, options);
    return { to: paths.reportSchedules, text: "Schedule successfully changed" };
  }),
});

export const clientAction = rerenderForm("Error changing schedule");

export default function EditSchedule() {
  const { values, version, timeZone } = useLoaderData<typeof loader>();
  const isConflict = useIsConflict();
  return (
    <DialogForm
      dialog={{ title: "Edit schedule", closeTo: paths.reportSchedules }}
      button={{ children: "Save schedule", pendingLabel: "Saving..." }}
      id="edit-schedule"
      idPrefix="edit-"
      validator={editScheduleValidator}
      defaultValues={values}
    >
      {isConflict && (
        <FactList
          facts={[
            ["Current frequency", frequencyLabels[values.frequency]],
            ["Current hour", values.hour],
            ["Current addresses", values.recipients.replaceAll("\n", ", ")],
          ]}
        />
      )}
      <IdempotencyKey />
      <VersionField version={version} />
      <ScheduleFields timeZone={timeZone} />
      <PasswordAgain />
    </DialogForm>
  );
}
