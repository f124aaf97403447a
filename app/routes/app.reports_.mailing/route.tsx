// Without script: the same; a form that is not accepted comes back filled.
import type { SerializeFrom } from "@remix-run/node";
import { Outlet, useLoaderData, useNavigation } from "@remix-run/react";
import { siteTimeZone } from "../../db/site.server";
import {
  frequencies,
  frequencyNotes,
  frequencyLabels,
  scheduleValidator,
  toScheduleView,
} from "../../features/report-schedules/report-schedule";
import { createSchedule, listSchedules } from "../../features/report-schedules/schedules.server";
import { pageMeta } from "../../forms/page-meta";
import { rerenderForm } from "../../forms/validator";
import { screenLoader } from "../../http/answers.server";
import { confirmed, formAction, newForm, retryAfterHeaders } from "../../http/form-action.server";
import { requireAdmin } from "../../http/guards.server";
import { paths } from "../../paths";
import { ButtonLink } from "../../ui/form/button";
import { Form, FormSubmit, PasswordAgain, RadioGroup, TextArea } from "../../ui/form/form";
import { IdempotencyKey } from "../../ui/form/idempotency-key";
import { CardSection } from "../../ui/layout/detail";
import { muted } from "#styles/global.css";
import { formCard, parts } from "../../ui/layout/layout.css";
import { Page } from "../../ui/layout/page";
import { ScheduleTable } from "./schedule-table";

export type MailingData = SerializeFrom<typeof loader>;

export const meta = pageMeta();

export const headers = retryAfterHeaders;

export const loader = screenLoader(requireAdmin, async (args, session) => ({
  schedules: (await listSchedules()).map((schedule) => toScheduleView(schedule, siteTimeZone())),
  timeZone: siteTimeZone(),
  needsPassword: !session.isPasswordRecent,
  ...newForm(args),
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
  const { schedules, timeZone, needsPassword, idempotencyKey } = useLoaderData<typeof loader>();
  const isPending = useNavigation().formAction === paths.reportSchedules;
  return (
    <Page
      title="Reports by mail"
      actions={<ButtonLink to={paths.outgoingMail}>Outgoing mail</ButtonLink>}
    >
      <Outlet />
      <div className={parts}>
        {schedules.length === 0 ? (
          <div className={formCard}>
            <CardSection title="No reports by mail yet">
              <p className={muted}>
                A schedule mails the main figures of the last day, week or month to the addresses
                that you enter.
              </p>
            </CardSection>
          </div>
        ) : (
          <ScheduleTable schedules={schedules} />
        )}
        <div className={formCard}>
          <CardSection title="New schedule">
            <Form
              // After a schedule was added, the form is a new one.
              key={schedules.at(-1)?.id}
              id="new-schedule"
              validator={scheduleValidator}
              defaultValues={{ frequency: "daily" }}
            >
              <IdempotencyKey value={idempotencyKey} />
              <RadioGroup
                name="frequency"
                legend={`Frequency (sent at 07:00, ${timeZone})`}
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
              <PasswordAgain isAsked={needsPassword} />
              <FormSubmit isPending={isPending} pendingLabel="Adding..." label="Add schedule" />
            </Form>
          </CardSection>
        </div>
      </div>
    </Page>
  );
}
