// Without script: the same; each button is a form of its own.
import type { SerializeFrom } from "@remix-run/node";
import { Outlet, useLoaderData } from "@remix-run/react";
import { siteTimeZone } from "../../db/site.server";
import { environment } from "../../env.server";
import { listDeliveries } from "../../features/webhooks/deliveries.server";
import { WebhookBadge } from "../../features/webhooks/webhook-badge";
import { NewWebhookSecret } from "../../features/webhooks/webhook-fields";
import { deliveryStateLabels } from "../../features/webhooks/webhook";
import { deliveryList, toDeliveryView, toWebhookView } from "../../features/webhooks/webhook-view";
import { getWebhook } from "../../features/webhooks/webhooks.server";
import { parseFilters } from "../../lists/parse-list";
import { stateTabs } from "../../lists/state-tabs";
import { paths } from "../../paths";
import { pageMeta } from "../../forms/page-meta";
import { rerenderForm } from "../../forms/validator";
import { formLoader, formsAction } from "../../http/form-action.server";
import { requireAdmin } from "../../http/guards.server";
import { listView, readList } from "../../http/list.server";
import { MessageBlock } from "../../ui/feedback/message-block";
import { useNewSecret } from "../../ui/form/new-secret";
import { parts } from "../../ui/layout/layout.css";
import { Page } from "../../ui/layout/page";
import { ListNotes } from "../../ui/table/list-notes";
import { webhookForms } from "./forms.server";
import { DeliveryLog, WebhookActions, WebhookSettings } from "./webhook-parts";

export type WebhookPageData = SerializeFrom<typeof loader>;

export const meta = pageMeta();

export const handle = { nameOf: ({ webhook }: WebhookPageData) => webhook.url };

export const loader = formLoader(requireAdmin, async (args) => {
  const webhook = await getWebhook(args.params.webhookId ?? "");
  const list = readList(args.request, deliveryList);
  const { filters, errors } = parseFilters(deliveryList.filters, list.params);
  const { deliveries, total, page } = await listDeliveries(webhook.id, {
    ...list.query,
    ...filters,
  });
  const timeZone = siteTimeZone();
  return {
    ...listView(deliveryList, list, { errors }),
    webhook: toWebhookView(webhook, timeZone),
    allowsPrivate: environment().webhookPrivate,
    rows: deliveries.map((delivery) => toDeliveryView(delivery, timeZone)),
    state: filters.state,
    tabs: stateTabs(paths.webhook(webhook.id), { states: deliveryStateLabels }, filters),
    total,
    page,
    isFallback: page !== list.query.page,
  };
});

export const action = formsAction({
  guard: requireAdmin,
  forms: webhookForms,
});

export const clientAction = rerenderForm("Error changing webhook");

export default function WebhookPage() {
  const page = useLoaderData<typeof loader>();
  const secret = useNewSecret("secret");
  const { url, state, note, disabledReason } = page.webhook;
  return (
    <Page
      title={url}
      beside={<WebhookBadge state={state} />}
      actions={<WebhookActions page={page} />}
    >
      <Outlet />
      <ListNotes list={page} />
      <div className={parts}>
        {secret && (
          <NewWebhookSecret key={secret} secret={secret}>
            The secret was rotated. Copy the new one now: it is shown only once. For 24 hours calls
            are signed with the old one, too.
          </NewWebhookSecret>
        )}
        {disabledReason && (
          <MessageBlock kind="warning">
            {`This webhook was disabled automatically. ${disabledReason} Fix this, then enable it: it continues where it stopped.`}
          </MessageBlock>
        )}
        {state === "failing" && <MessageBlock kind="warning">{note}</MessageBlock>}
        <DeliveryLog page={page} />
        <WebhookSettings page={page} />
      </div>
    </Page>
  );
}
