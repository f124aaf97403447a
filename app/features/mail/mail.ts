/** Mails of the outbox as screens show them. */
import { choiceFilter, defineList, type FilterValues } from "../../forms/list";
import { formatDateTime } from "../../format/date";
import { paths } from "../../paths";
import { templateLabels, type TemplateName } from "./templates";

export const mailStateLabels = { pending: "Pending", sent: "Sent", failed: "Failed" };
export type MailState = keyof typeof mailStateLabels;

export type OutboxMail = {
  id: string;
  template: TemplateName;
  recipient: string;
  state: MailState;
  attempts: number;
  createdAt: Date;
  /** When it was sent or given up. */
  finishedAt: Date | null;
  nextAttemptAt: Date;
  lastError: string | null;
  /** Whether a failed mail can be sent again: its link may have expired. */
  canRetry: boolean;
};

export const mailList = defineList({
  path: paths.mail,
  pageSizes: [25, 50, 100],
  sorts: { created: "descending" },
  defaultSort: { by: "created", isDescending: true },
  filters: { state: { ...choiceFilter("state", "Status", mailStateLabels), isView: true } },
});
/** The states are views of the list. */
export const mailTabs = [
  { to: paths.mail, label: "All", state: null },
  ...Object.entries(mailStateLabels).map(([state, label]) => ({
    to: `${paths.mail}?state=${state}`,
    label,
    state,
  })),
];

export type MailFilters = FilterValues<typeof mailList.filters>;

export type MailView = ReturnType<typeof toMailView>;

/** @param timeZone the site's IANA zone */
export function toMailView(mail: OutboxMail, timeZone: string) {
  const { id, template, recipient, state, attempts, canRetry } = mail;
  return {
    id,
    recipient,
    kind: templateLabels[template],
    state,
    canRetry: state === "failed" && canRetry,
    created: formatDateTime(mail.createdAt, timeZone),
    result: describeResult(mail, timeZone),
    attempts,
  };
}

function describeResult(mail: OutboxMail, timeZone: string): string {
  const { state, finishedAt, nextAttemptAt, lastError } = mail;
  if (state === "sent") return `Sent ${formatDateTime(finishedAt!, timeZone)}`;
  if (state === "failed") return lastError ?? "";
  if (lastError === null) return "Not sent yet";
  return `${lastError} Next attempt ${formatDateTime(nextAttemptAt, timeZone)}.`;
}
