// Without script: the same; a form that is not accepted comes back filled.
import { Outlet, useLoaderData } from "@remix-run/react";
import { siteTimeZone } from "../../db/site.server";
import { FailedMailNotes } from "../_jobs/failed-mail-notes";
import { failedMailsOf } from "../../features/mail/failed-mails.server";
import {
  defaultHour,
  scheduleValidator,
  toScheduleView,
} from "../../features/report-schedules/report-schedule";
import { ScheduleFields } from "../../features/report-schedules/schedule-fields";
import { createSchedule, listSchedules } from "../../features/report-schedules/schedules.server";
import { pageMeta } from "../../forms/page-meta";
import { rerenderForm } from "../../forms/validator";
import { confirmed, formAction, formLoader } from "../../http/form-action.server";
import { requireAdmin } from "../../http/guards.server";
import { paths } from "../../paths";
import { ButtonLink } from "../../ui/form/button";
import { IdempotencyKey } from "../../ui/form/idempotency-key";
import { useLastAdded } from "../../ui/form/last-added";
import { FormCard } from "../../ui/layout/detail";
import { parts } from "../../ui/layout/layout.css";
import { Page } from "../../ui/layout/page";
import { TableOrNote } from "../../ui/table/table-or-note";
import { Form, FormSubmit, PasswordAgain } from "../../ui/validated-form/form";
import { scheduleList } from "./schedule-list";

export const meta = pageMeta();

export const loader = formLoader(requireAdmin, async () => ({
  schedules: (await listSchedules()).map((schedule) => toScheduleView(schedule, siteTimeZone())),
  timeZone: siteTimeZone(),
  failedMails: await failedMailsOf("report ", siteTimeZone()),
}));

export const action = formAction({
  guard: requireAdmin,
  validator: scheduleValidator,
  run: confirmed(async (values, { options }) => {
    await createSchedule(values, options);
    return { to: paths.reportSchedules, text: "Schedule successfully added" };
  }),
});

export const clientAction = rerenderForm("Error adding schedule");

export default function Mailing() {
  const page = useLoaderData<typeof loader>();
  const { schedules } = page;
  return (
    <Page
      title="Reports by mail"
      actions={<ButtonLink to={paths.outgoingMail}>Outgoing mail</ButtonLink>}
    >
      <Outlet />
      <div className={parts}>
        <FailedMailNotes mails={page.failedMails} />
        <TableOrNote {...scheduleList} rows={schedules} />
        <NewSchedule key={useLastAdded(schedules)} timeZone={page.timeZone} />
      </div>
    </Page>
  );
}

function NewSchedule({ timeZone }: { timeZone: string }) {
  return (
    <FormCard title="New schedule">
      <Form
        id="new-schedule"
        validator={scheduleValidator}
        defaultValues={{ frequency: "daily", hour: String(defaultHour) }}
      >
        <IdempotencyKey />
        <ScheduleFields timeZone={timeZone} />
        <PasswordAgain />
        <FormSubmit pendingLabel="Adding..." label="Add schedule" />
      </Form>
    </FormCard>
  );
}
