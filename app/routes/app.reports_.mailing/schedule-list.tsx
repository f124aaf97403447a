// Without script: the same; each button posts the form of its row.
import {
  scheduleIntents,
  type ScheduleView,
} from "../../features/report-schedules/report-schedule";
import { paths } from "../../paths";
import { ActionForm, type IntentButton, IntentButtons } from "../../ui/form/action-form";
import { ButtonLink } from "../../ui/form/button";
import { actions } from "../../ui/layout/layout.css";
import type { ShortList } from "../../ui/table/table-or-note";
import { detail, folded } from "../../ui/table/table.css";
import { visuallyHidden } from "#styles/global.css";

export const scheduleList: ShortList<ScheduleView> = {
  caption: "Schedules",
  columns: [
    {
      heading: "Recipients",
      isRowHeader: true,
      cell: ({ recipients, createdBy }) => (
        <>
          {recipients} <small className={`${detail} ${folded}`}>{`Set up by ${createdBy}`}</small>
        </>
      ),
    },
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
  ],
  empty: {
    title: "No reports by mail yet",
    reason:
      "A schedule mails the main figures of the last day, week or month to the addresses that you enter.",
  },
};

function Actions({ id, frequency, recipients, isPaused }: ScheduleView) {
  const of = <span className={visuallyHidden}>{` ${frequency}, ${recipients}`}</span>;
  const buttons: IntentButton[] = [
    [scheduleIntents.test, "Send test report", "Sending..."],
    isPaused
      ? [scheduleIntents.resume, "Resume", "Resuming..."]
      : [scheduleIntents.pause, "Pause", "Pausing..."],
  ];
  return (
    <ActionForm action={paths.reportSchedule(id)} className={actions}>
      {(_isPending, pressed) => (
        <>
          <IntentButtons buttons={buttons} pressed={pressed} variant="default">
            {of}
          </IntentButtons>
          <ButtonLink to={paths.scheduleEdit(id)} size="small">
            Edit{of}
          </ButtonLink>
          <ButtonLink to={paths.scheduleRemoval(id)} size="small">
            Remove{of}
          </ButtonLink>
        </>
      )}
    </ActionForm>
  );
}
