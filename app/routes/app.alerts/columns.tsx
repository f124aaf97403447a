// Without script: the same; each button is a form of its own.
import { useLocation } from "@remix-run/react";
import { alertIntents, type AlertState, type AlertView } from "../../features/alerts/alert";
import { undoIntent } from "../../lists/list-params";
import { paths } from "../../paths";
import { ActionForm, type IntentButton, IntentButtons } from "../../ui/form/action-form";
import { ButtonLink, SubmitButton } from "../../ui/form/button";
import { useListUrl } from "../../ui/table/list-url";
import type { Column } from "../../ui/table/table";
import { detail, twoLines } from "../../ui/table/table.css";
import { visuallyHidden } from "#styles/global.css";
import * as css from "./alerts.css";

const columns: Column<AlertView>[] = [
  { heading: "Kind", isRowHeader: true, cell: ({ kind }) => kind },
  {
    heading: "Reason",
    isBare: true,
    className: `${twoLines} ${css.reason}`,
    cell: ({ message, hidden }) => (
      <>
        {message} {hidden && <small className={detail}>{hidden}</small>}
      </>
    ),
  },
  { heading: "Since", cell: ({ raised }) => raised },
];

/** @param state the view that is shown; null is that of the alerts which need somebody */
export function alertColumns(state: AlertState | null): Column<AlertView>[] {
  if (state === "cleared")
    return [...columns, { heading: "Until", cell: ({ cleared }) => cleared }];
  return [
    ...columns,
    {
      heading: "Actions",
      hasActions: true,
      isBare: true,
      cell: (alert) => <Actions alert={alert} isHidden={state === "hidden"} />,
    },
  ];
}

function Actions({ alert, isHidden }: { alert: AlertView; isHidden: boolean }) {
  const { pathname } = useLocation();
  const { search } = useListUrl();
  const returnTo = <input type="hidden" name="returnTo" value={pathname + search} />;
  const subject = <span className={visuallyHidden}>: {alert.message}</span>;
  const buttons: IntentButton[] = isHidden
    ? [[undoIntent, "Restore", "Restoring..."]]
    : [
        [alertIntents.dismiss, "Dismiss", "Dismissing..."],
        [alertIntents.mute, "Mute for a week", "Muting..."],
      ];
  return (
    <div className={css.actions}>
      <FixButton button={alert.button} subject={subject}>
        {returnTo}
      </FixButton>
      <ActionForm action={paths.alert(alert.id)}>
        {(_isPending, pressed) => (
          <>
            {returnTo}
            <IntentButtons buttons={buttons} pressed={pressed} variant="quiet">
              {subject}
            </IntentButtons>
          </>
        )}
      </ActionForm>
    </div>
  );
}

function FixButton({
  button,
  subject,
  children,
}: Pick<AlertView, "button"> & { subject: JSX.Element; children: JSX.Element }) {
  const label = (
    <>
      {button.label}
      {subject}
    </>
  );
  if (!button.isPost)
    return (
      <ButtonLink to={button.to} size="small">
        {label}
      </ButtonLink>
    );
  return (
    <ActionForm action={button.to}>
      {(isPending) => (
        <>
          {children}
          <SubmitButton
            variant="default"
            size="small"
            isPending={isPending}
            pendingLabel="Working..."
          >
            {label}
          </SubmitButton>
        </>
      )}
    </ActionForm>
  );
}
