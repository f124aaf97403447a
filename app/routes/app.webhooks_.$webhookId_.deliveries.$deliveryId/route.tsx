// Without script: the same.
import { useLoaderData } from "@remix-run/react";
import { siteTimeZone } from "../../db/site.server";
import { getDelivery } from "../../features/webhooks/deliveries.server";
import { webhookIntents } from "../../features/webhooks/webhook";
import { DeliveryBadge } from "../../features/webhooks/webhook-badge";
import { toDeliveryDetailsView } from "../../features/webhooks/webhook-view";
import { pageMeta } from "../../forms/page-meta";
import { screenLoader } from "../../http/answers.server";
import { requireAdmin } from "../../http/guards.server";
import { paths } from "../../paths";
import { Button, ButtonLink } from "../../ui/form/button";
import { textArea } from "../../ui/form/form.css";
import { CardSection } from "../../ui/layout/detail";
import { parts } from "../../ui/layout/layout.css";
import { Card, FactList, Page } from "../../ui/layout/page";

export const meta = pageMeta("Delivery - Webhooks");

export const loader = screenLoader(requireAdmin, async ({ params }) =>
  toDeliveryDetailsView(
    await getDelivery(params.webhookId ?? "", params.deliveryId ?? ""),
    siteTimeZone(),
  ),
);

export default function DeliveryPage() {
  const delivery = useLoaderData<typeof loader>();
  const { id, webhookId, event, state, request, answer, error } = delivery;
  return (
    <Page
      title={event}
      beside={<DeliveryBadge state={state} />}
      actions={
        <>
          {state !== "pending" && (
            <form method="post" action={paths.webhook(webhookId)}>
              <input type="hidden" name="delivery" value={id} />
              <Button type="submit" name="intent" value={webhookIntents.redeliver}>
                Send again
              </Button>
            </form>
          )}
          <ButtonLink to={paths.webhook(webhookId)}>All deliveries</ButtonLink>
        </>
      }
    >
      <div className={parts}>
        <Card>
          <FactList
            facts={[
              ["Event", delivery.eventId],
              ["Subject", delivery.subject],
              ["Occurred", delivery.occurred],
              ["Attempts", delivery.attempts],
              delivery.attempted !== null && ["Last attempt", delivery.attempted],
              delivery.duration !== null && ["Duration", delivery.duration],
              error !== null && ["Error", error],
            ]}
          />
        </Card>
        <Message title="Request" text={request} none="Nothing was sent yet." />
        <Message title="Answer" text={answer} none="There is no answer." />
      </div>
    </Page>
  );
}

/** A call or its answer, as it was sent. */
function Message({ title, text, none }: { title: string; text: string | null; none: string }) {
  const rows = Math.min(24, (text ?? "").split("\n").length + 1);
  return (
    <CardSection title={title}>
      {text === null ? (
        <p>{none}</p>
      ) : (
        <textarea readOnly aria-label={title} rows={rows} className={textArea} value={text} />
      )}
    </CardSection>
  );
}
