// Without script: the same; a form that is not accepted comes back filled but for the password.
import { randomUUID } from "node:crypto";
import { json } from "@remix-run/node";
import { useActionData, useLoaderData, useNavigation } from "@remix-run/react";
import { siteTimeZone } from "../../db/site.server";
import { OutgoingNotice } from "../../features/outgoing/outgoing-notice";
import { readPausedOutgoing } from "../../features/outgoing/outgoing.server";
import { webhookValidator } from "../../features/webhooks/webhook";
import { WebhookBadge } from "../../features/webhooks/webhook-badge";
import { NewWebhookSecret, WebhookFields } from "../../features/webhooks/webhook-fields";
import { toWebhookView, type WebhookView } from "../../features/webhooks/webhook-view";
import { createWebhook, listWebhooks } from "../../features/webhooks/webhooks.server";
import { pageMeta } from "../../forms/page-meta";
import { rerenderForm } from "../../forms/validator";
import { screenLoader } from "../../http/answers.server";
import { formAction, newForm, confirmed, retryAfterHeaders } from "../../http/form-action.server";
import { requireAdmin } from "../../http/guards.server";
import { paths } from "../../paths";
import { ButtonLink } from "../../ui/form/button";
import { Form, FormSubmit, PasswordAgain } from "../../ui/form/form";
import { IdempotencyKey } from "../../ui/form/idempotency-key";
import { CardSection } from "../../ui/layout/detail";
import { muted } from "#styles/global.css";
import { formCard, parts } from "../../ui/layout/layout.css";
import { Page } from "../../ui/layout/page";
import { Table, type Column } from "../../ui/table/table";

export const meta = pageMeta("Webhooks");

export const headers = retryAfterHeaders;

export const loader = screenLoader(requireAdmin, async (args, session) => ({
  webhooks: (await listWebhooks()).map((webhook) => toWebhookView(webhook, siteTimeZone())),
  needsPassword: !session.isPasswordRecent,
  pausedOutgoing: await readPausedOutgoing(session.user.role),
  ...newForm(args),
}));

/** Makes a webhook. Its secret is in this one answer and never in an address or a message. */
export const action = formAction({
  guard: requireAdmin,
  validator: webhookValidator,
  rerender: ({ field, posted }) => ({
    repopulateFields: { url: field("url"), events: posted.getAll("events").map(String) },
  }),
  run: confirmed(async (values, post) => {
    const { id, secret } = await createWebhook(values, post.options);
    const leftMessage =
      "A webhook was created, but its secret was not shown. Open it and rotate the secret.";
    return json({ id, secret, idempotencyKey: randomUUID(), leftMessage });
  }),
});

export const clientAction = rerenderForm("Error creating webhook");

const columns: Column<WebhookView>[] = [
  {
    heading: "Address",
    isRowHeader: true,
    cell: ({ id, url }) => <a href={paths.webhook(id)}>{url}</a>,
  },
  {
    heading: "Status",
    isBadge: true,
    cell: ({ isEnabled }) => <WebhookBadge isEnabled={isEnabled} />,
  },
  { heading: "Events", cell: ({ events }) => events },
  { heading: "Waiting", isNumber: true, cell: ({ pending }) => pending },
  { heading: "Last delivery", cell: ({ lastSuccess }) => lastSuccess },
];

export default function Webhooks() {
  const { webhooks, idempotencyKey, needsPassword, pausedOutgoing } =
    useLoaderData<typeof loader>();
  const answer = useActionData<{ secret?: string }>();
  const isPending = useNavigation().formAction === paths.webhooks;
  return (
    <Page title="Webhooks" actions={<ButtonLink to={paths.outgoingEvents}>Deliveries</ButtonLink>}>
      <OutgoingNotice waiting={pausedOutgoing} />
      <div className={parts}>
        {answer?.secret && (
          <NewWebhookSecret key={answer.secret} secret={answer.secret}>
            The webhook was created. Copy its secret now: it is shown only once.
          </NewWebhookSecret>
        )}
        {webhooks.length === 0 ? (
          <div className={formCard}>
            <CardSection title="No webhooks yet">
              <p className={muted}>
                A webhook tells another system at once what happens here, such as a redemption.
                Systems that can&apos;t be called read the same events at /api/events.
              </p>
            </CardSection>
          </div>
        ) : (
          <Table caption="Webhooks" columns={columns} rows={webhooks} />
        )}
        <div className={formCard}>
          <CardSection title="New webhook">
            {/* After a webhook was made it is empty again. */}
            <Form
              key={answer?.secret ?? ""}
              id="new-webhook"
              validator={webhookValidator}
              defaultValues={{ url: "", events: ["promotion.redeemed"] }}
            >
              <IdempotencyKey value={idempotencyKey} />
              <WebhookFields />
              <PasswordAgain isAsked={needsPassword} />
              <FormSubmit isPending={isPending} pendingLabel="Creating..." label="Create webhook" />
            </Form>
          </CardSection>
        </div>
      </div>
    </Page>
  );
}
