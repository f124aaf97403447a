// Without script: the same; a form that is not accepted comes back filled but for the password.
import { useLoaderData } from "@remix-run/react";
import { siteTimeZone } from "../../db/site.server";
import { environment } from "../../env.server";
import { OutgoingNotice } from "../../features/outgoing/outgoing-notice";
import { readPausedOutgoing } from "../../features/outgoing/outgoing.server";
import { webhookValidator } from "../../features/webhooks/webhook";
import { NewWebhookSecret, WebhookFields } from "../../features/webhooks/webhook-fields";
import { toWebhookView } from "../../features/webhooks/webhook-view";
import { createWebhook, listWebhooks } from "../../features/webhooks/webhooks.server";
import { pageMeta } from "../../forms/page-meta";
import { rerenderForm } from "../../forms/validator";
import { confirmed, formAction, formLoader, showOnce } from "../../http/form-action.server";
import { requireAdmin } from "../../http/guards.server";
import { readPreferences } from "../../http/preferences.server";
import { paths } from "../../paths";
import { ButtonLink } from "../../ui/form/button";
import { IdempotencyKey } from "../../ui/form/idempotency-key";
import { useLastSecret, useNewSecret } from "../../ui/form/new-secret";
import { FormCard } from "../../ui/layout/detail";
import { RefreshSwitch } from "../../ui/list/refresh-switch";
import { parts } from "../../ui/layout/layout.css";
import { Page } from "../../ui/layout/page";
import { TableOrNote } from "../../ui/table/table-or-note";
import { Form, FormSubmit, PasswordAgain } from "../../ui/validated-form/form";
import { webhookList } from "./webhook-list";
import { docsPaths } from "../_api-docs/docs-paths";

export const meta = pageMeta();

export const loader = formLoader(requireAdmin, async ({ request }, session) => ({
  isRefreshPaused: readPreferences(request).isRefreshPaused,
  webhooks: (await listWebhooks()).map((webhook) => toWebhookView(webhook, siteTimeZone())),
  allowsPrivate: environment().webhookPrivate,
  pausedOutgoing: await readPausedOutgoing(session.user.role),
}));

export const action = formAction({
  guard: requireAdmin,
  validator: webhookValidator,
  run: confirmed(async (values, post) => {
    const { id, secret } = await createWebhook(values, post.options);
    return showOnce(
      { id, secret },
      "A webhook was created, but its secret was not shown. Open it and rotate the secret.",
    );
  }),
});

export const clientAction = rerenderForm("Error creating webhook");

export default function Webhooks() {
  const page = useLoaderData<typeof loader>();
  const secret = useNewSecret("secret");
  return (
    <Page
      title="Webhooks"
      actions={
        <>
          <RefreshSwitch data={page} path={paths.webhooks} isPaused={page.isRefreshPaused} />
          <ButtonLink to={docsPaths.webhooks}>Documentation</ButtonLink>
          <ButtonLink to={paths.outgoingEvents}>Deliveries</ButtonLink>
        </>
      }
    >
      <OutgoingNotice waiting={page.pausedOutgoing} />
      <div className={parts}>
        {secret && (
          <NewWebhookSecret key={secret} secret={secret}>
            The webhook was created. Copy its secret now: it is shown only once.
          </NewWebhookSecret>
        )}
        <TableOrNote {...webhookList} rows={page.webhooks} />
        <NewWebhook />
      </div>
    </Page>
  );
}

function NewWebhook() {
  return (
    <FormCard title="New webhook">
      {/* After a webhook was made it is empty again. */}
      <Form
        key={useLastSecret()}
        id="new-webhook"
        validator={webhookValidator}
        defaultValues={{ url: "", events: ["promotion.redeemed"] }}
      >
        <IdempotencyKey />
        <WebhookFields />
        <PasswordAgain />
        <FormSubmit pendingLabel="Creating..." label="Create webhook" />
      </Form>
    </FormCard>
  );
}
