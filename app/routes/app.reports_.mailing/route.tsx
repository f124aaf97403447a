// Without script: the same; a form that is not accepted comes back filled.
import { Outlet, useLoaderData, useNavigation } from "@remix-run/react";
import { siteTimeZone } from "../../db/site.server";
import {
  frequencies,
  frequencyNotes,
  frequencyLabels,
  scheduleIntents,
  scheduleValidator,
  toScheduleView,
  type ScheduleView,
} from "../../features/mailing/mailing";
import { createSchedule, listSchedules } from "../../features/mailing/schedules.server";
import { pageMeta } from "../../forms/page-meta";
import { idempotencyField, keepForm } from "../../forms/validator";
import { screenLoader } from "../../http/answers.server";
import { formAction, newForm } from "../../http/form-action.server";
import { requireAdmin } from "../../http/guards.server";
import { paths } from "../../paths";
import { ActionForm } from "../../ui/form/action-form";
import { Button, ButtonLink } from "../../ui/form/button";
import { Form, FormSubmit, RadioGroup, TextArea } from "../../ui/form/form";
import { IdempotencyKey } from "../../ui/form/idempotency-key";
import { CardSection } from "../../ui/layout/detail";
import { muted } from "#styles/global.css";
import { actions, formCard, parts } from "../../ui/layout/layout.css";
import { Page } from "../../ui/layout/page";
import { Table, type Column } from "../../ui/table/table";
import { visuallyHidden } from "#styles/global.css";

export const handle = { crumbs: { mailing: "Reports by mail" } };

export const meta = pageMeta("Reports by mail");

export const loader = screenLoader(requireAdmin, async (args) => ({
  schedules: (await listSchedules()).map((schedule) => toScheduleView(schedule, siteTimeZone())),
  timeZone: siteTimeZone(),
  ...newForm(args),
}));

export const action = formAction({
  guard: requireAdmin,
  validator: scheduleValidator,
  async run(values, { options }) {
    await createSchedule(values, options);
    return { to: paths.reportMailing, text: "Schedule successfully added" };
  },
});

export const clientAction = keepForm("Error adding schedule");

const columns: Column<ScheduleView>[] = [
  { heading: "Recipients", isRowHeader: true, cell: ({ recipients }) => recipients },
  { heading: "Report", cell: ({ frequency }) => frequency },
  { heading: "Next mail", cell: ({ next }) => next },
  { heading: "Last sent", cell: ({ last }) => last },
  { heading: "Set up by", isWide: true, cell: ({ createdBy }) => createdBy },
  {
    heading: "Actions",
    hasActions: true,
    isBare: true,
    cell: (schedule) => <Actions {...schedule} />,
  },
];

function Actions({ id, frequency, recipients, isPaused }: ScheduleView) {
  const { idempotencyKey } = useLoaderData<typeof loader>();
  const of = <span className={visuallyHidden}>{` ${frequency}, ${recipients}`}</span>;
  const { pause, resume, test } = scheduleIntents;
  return (
    <ActionForm action={paths.reportSchedule(id)} className={actions}>
      {() => (
        <>
          <input type="hidden" name={idempotencyField} value={idempotencyKey} />
          <Button name="intent" value={test} size="small">
            Send a test now{of}
          </Button>
          <Button name="intent" value={isPaused ? resume : pause} size="small">
            {isPaused ? "Resume" : "Pause"}
            {of}
          </Button>
          <ButtonLink to={paths.scheduleRemoval(id)} size="small">
            Remove{of}
          </ButtonLink>
        </>
      )}
    </ActionForm>
  );
}

export default function Mailing() {
  const { schedules, timeZone, idempotencyKey } = useLoaderData<typeof loader>();
  const isPending = useNavigation().formAction === paths.reportMailing;
  return (
    <Page title="Reports by mail" actions={<ButtonLink to={paths.mail}>Outgoing mail</ButtonLink>}>
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
          <Table caption="Schedules" columns={columns} rows={schedules} />
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
              <FormSubmit isPending={isPending} pendingLabel="Adding..." label="Add schedule" />
            </Form>
          </CardSection>
        </div>
      </div>
    </Page>
  );
}
