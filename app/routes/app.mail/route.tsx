// Without script: the same; each button is a form of its own.
import { useLoaderData } from "@remix-run/react";
import { siteTimeZone } from "../../db/site.server";
import { MailBadge } from "../../features/mail/mail-badge";
import { mailList, mailTabs, toMailView, type MailView } from "../../features/mail/mail";
import { listMails } from "../../features/mail/outbox.server";
import { OutgoingNotice } from "../../features/outgoing/outgoing-notice";
import { readPausedOutgoing } from "../../features/outgoing/outgoing.server";
import { parseFilters } from "../../forms/list";
import { pageMeta } from "../../forms/page-meta";
import { idempotencyField } from "../../forms/validator";
import { screenLoader } from "../../http/answers.server";
import { newForm } from "../../http/form-action.server";
import { requireAdmin } from "../../http/guards.server";
import { listView, readList } from "../../http/list.server";
import { paths } from "../../paths";
import { ActionForm } from "../../ui/form/action-form";
import { ButtonLink, SubmitButton } from "../../ui/form/button";
import { Card, LinkTabs, Page } from "../../ui/layout/page";
import { EmptyState, ListNotes } from "../../ui/table/list-notes";
import { ListTable, RowCount } from "../../ui/table/list-table";
import type { Column } from "../../ui/table/table";
import { moment, withNote } from "../../ui/table/table.css";
import { visuallyHidden } from "#styles/global.css";

export const meta = pageMeta("Mail");

export const handle = { hasTable: ({ total }: { total: number }) => total > 0 };

export const loader = screenLoader(requireAdmin, async (args, { user }) => {
  const list = readList(args.request, mailList);
  const { filters, errors } = parseFilters(mailList.filters, list.params);
  const { mails, total, page } = await listMails({ ...list.query, ...filters });
  const timeZone = siteTimeZone();
  return {
    ...listView(mailList, list, { errors }),
    ...newForm(args),
    rows: mails.map((mail) => toMailView(mail, timeZone)),
    state: filters.state,
    pausedOutgoing: await readPausedOutgoing(user.role),
    total,
    page,
    isFallback: page !== list.query.page,
  };
});

const columns: Column<MailView>[] = [
  {
    heading: "Recipient",
    isRowHeader: true,
    className: moment,
    cell: ({ recipient }) => recipient,
  },
  { heading: "Mail", cell: ({ kind }) => kind },
  { heading: "Status", isBadge: true, cell: ({ state }) => <MailBadge state={state} /> },
  { heading: "Result", className: withNote, cell: ({ result }) => result },
  { heading: "Created", sort: "created", cell: ({ created }) => created },
  {
    heading: "Actions",
    hasActions: true,
    isBare: true,
    cell: ({ canRetry, ...mail }) => canRetry && <SendAgain mail={mail} />,
  },
];

function SendAgain({ mail: { id, recipient } }: { mail: Pick<MailView, "id" | "recipient"> }) {
  return (
    <ActionForm action={paths.mailRetry(id)}>
      {(isPending) => (
        <SubmitButton
          variant="default"
          size="small"
          isPending={isPending}
          pendingLabel="Sending..."
        >
          Send again<span className={visuallyHidden}> to {recipient}</span>
        </SubmitButton>
      )}
    </ActionForm>
  );
}

/** Says what a tab without rows would show. */
const emptyReasons = {
  all: "Invitations, password links, reports and test mails appear here.",
  pending: "Mails that wait to be sent appear here. They are tried for 5 days.",
  sent: "Mails that were sent in the last 30 days appear here.",
  failed: "Mails that could not be sent in the last 90 days appear here.",
};

function SendTest({ idempotencyKey }: { idempotencyKey: string }) {
  return (
    <ActionForm action={paths.testMail}>
      {(isPending) => (
        <>
          <input type="hidden" name={idempotencyField} value={idempotencyKey} />
          <SubmitButton variant="default" isPending={isPending} pendingLabel="Sending...">
            Send test mail
          </SubmitButton>
        </>
      )}
    </ActionForm>
  );
}

export default function Mail() {
  const list = useLoaderData<typeof loader>();
  const { total, state, idempotencyKey } = list;
  const tabs = mailTabs.map(({ to, label, state: of }) => ({ to, label, isCurrent: of === state }));
  return (
    <Page
      title="Mail"
      actions={
        <>
          <SendTest idempotencyKey={idempotencyKey} />
          <ButtonLink to={paths.reportMailing}>Reports by mail</ButtonLink>
        </>
      }
    >
      <OutgoingNotice waiting={list.pausedOutgoing} />
      <ListNotes list={list} />
      <LinkTabs label="Status" tabs={tabs} />
      {total === 0 ? (
        <Card>
          <EmptyState
            icon="receipt"
            title={state === null ? "No mails yet" : `No ${state} mails`}
            reason={emptyReasons[state ?? "all"]}
          />
        </Card>
      ) : (
        <ListTable
          caption="Mails"
          list={mailList}
          data={list}
          columns={columns.filter(
            ({ hasActions }) => !hasActions || list.rows.some(({ canRetry }) => canRetry),
          )}
          tools={
            <>
              <RowCount total={total} noun="mail" />
              <p>Sent mails are listed for 30 days, failed ones for 90</p>
            </>
          }
        />
      )}
    </Page>
  );
}
