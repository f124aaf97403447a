/** Alerts as screens, mails and the API show them. */
import { choiceFilter, defineList, type FilterValues } from "../../lists/list";
import { formatDateTime } from "../../format/date";
import { paths } from "../../paths";

/** The button that mends what an alert tells of: a link, or a form of its own. */
export type AlertButton = { label: string; to: string; isPost?: boolean };

export type Alert = {
  id: string;
  kind: string;
  /** The thing that it is about, such as 'machine:3'. */
  subject: string;
  message: string;
  button: AlertButton;
  raisedAt: Date;
};

export type ListedAlert = Alert & {
  clearedAt: Date | null;
  dismissedAt: Date | null;
  dismissedBy: string | null;
  mutedUntil: Date | null;
  mutedBy: string | null;
};

/** Views of the list, beside that of the alerts which need somebody. */
export const alertStates = { hidden: "Dismissed and muted", cleared: "Cleared" };
export type AlertState = keyof typeof alertStates;

/** A shorter list is read faster than it is filtered. */
const minFiltered = 6;

/** @param kinds labels of the kinds that the person sees */
export function alertList(kinds: Record<string, string>) {
  return defineList({
    path: paths.alerts,
    pageSizes: [25, 50, 100],
    sorts: { raised: "descending" },
    filters: {
      state: { ...choiceFilter("state", "Status", alertStates), isView: true },
      kind: choiceFilter("kind", "Kind", kinds),
    },
    filterGroups: { Kind: ["kind"] },
  });
}

type AlertList = ReturnType<typeof alertList>;
export type AlertFilters = FilterValues<AlertList["filters"]>;

/** Returns the list as a page shows it: without a button of its filter where it has a handful of rows. */
export function shownList(list: AlertList, { kind }: AlertFilters, total: number): AlertList {
  const shown = { ...list };
  if (kind === null && total < minFiltered) delete shown.filterGroups;
  return shown;
}

/** Says what a view without rows would show. */
export function describeNoAlerts(state: AlertState | null): { title: string; reason: string } {
  if (state === "hidden")
    return {
      title: "No dismissed or muted alerts",
      reason: "Alerts that somebody dismissed or muted appear here as long as they last.",
    };
  if (state === "cleared")
    return {
      title: "No cleared alerts yet",
      reason: "Alerts appear here once the problem is fixed, as long as events are kept.",
    };
  return {
    title: "No open alerts",
    reason:
      "Alerts appear here when a machine, a campaign or a connection needs attention. They go by themselves once the problem is fixed.",
  };
}

export type AlertView = ReturnType<typeof toAlertView>;

/**
 * @param kinds labels by the names of kinds
 * @param timeZone the site's IANA zone
 */
export function toAlertView(alert: ListedAlert, kinds: Record<string, string>, timeZone: string) {
  const { id, kind, message, button, raisedAt, clearedAt } = alert;
  return {
    id,
    message,
    button,
    kind: kinds[kind] ?? kind,
    raised: formatDateTime(raisedAt, timeZone),
    cleared: clearedAt && formatDateTime(clearedAt, timeZone),
    hidden: describeHiding(alert, timeZone),
  };
}

/** Says who keeps an alert from being shown; null if nobody does. */
function describeHiding(
  { dismissedAt, dismissedBy, mutedUntil, mutedBy }: ListedAlert,
  timeZone: string,
): string | null {
  if (mutedUntil) return `Muted by ${mutedBy} until ${formatDateTime(mutedUntil, timeZone)}`;
  return dismissedAt && `Dismissed by ${dismissedBy} on ${formatDateTime(dismissedAt, timeZone)}`;
}

export const alertIntents = { dismiss: "dismiss", mute: "mute" } as const;

export const mailChoices = {
  never: "Never",
  at_once: "At once",
  daily: "Daily at 07:00",
};
export type MailChoice = keyof typeof mailChoices;

export const isMailChoice = (text: string): text is MailChoice => Object.hasOwn(mailChoices, text);
