import { useLoaderData } from "@remix-run/react";
import { siteTimeZone } from "../../db/site.server";
import { queuedMessage } from "../../features/outgoing/outgoing.server";
import { getDelivery } from "../../features/webhooks/deliveries.server";
import { redeliverEvent } from "../../features/webhooks/redeliver.server";
import { maxStoredAttempts, webhookIntents } from "../../features/webhooks/webhook";
import { DeliveryBadge } from "../../features/webhooks/webhook-badge";
import { toDeliveryDetailsView, type AttemptView } from "../../features/webhooks/webhook-view";
import { pageMeta } from "../../forms/page-meta";
import { rerenderForm } from "../../forms/validator";
import { formsAction, formLoader } from "../../http/form-action.server";
import { requireAdmin } from "../../http/guards.server";
import { pageSearch } from "../../lists/list-params";
import { paths } from "../../paths";
import { ButtonLink } from "../../ui/form/button";
import { code } from "#styles/global.css";
import { textArea } from "../../ui/form/form.css";
import { PostButton } from "../../ui/form/post-button";
import { Icon } from "../../ui/icon/icon";
import { CardSection } from "../../ui/layout/detail";
import { parts, summary } from "../../ui/layout/layout.css";
import { Card, FactList, Page } from "../../ui/layout/page";
import { useListUrl } from "../../ui/table/list-url";

export const meta = pageMeta("Delivery");

export const loader = formLoader(requireAdmin, async (args) => {
  const { webhookId = "", deliveryId = "" } = args.params;
  const delivery = await getDelivery(webhookId, deliveryId);
  return toDeliveryDetailsView(delivery, siteTimeZone());
});

export const action = formsAction({
  guard: requireAdmin,
  forms: {
    async [webhookIntents.redeliver]({ params, request, options }) {
      const { webhookId = "", deliveryId = "" } = params;
      await redeliverEvent(webhookId, deliveryId, options);
      const to = paths.webhook(webhookId) + pageSearch(new URL(request.url).searchParams);
      const text = "The event will be sent again";
      return queuedMessage({ to, text }, text);
    },
  },
});

export const clientAction = rerenderForm("Error sending event");

export default function DeliveryPage() {
  const delivery = useLoaderData<typeof loader>();
  const { webhookId, event, state } = delivery;
  const [last = null, ...earlier] = delivery.attemptLog;
  const { search } = useListUrl();
  return (
    <Page
      title={event}
      beside={<DeliveryBadge state={state} />}
      actions={
        <>
          {state !== "pending" && (
            <PostButton intent={webhookIntents.redeliver} pendingLabel="Sending...">
              Send again
            </PostButton>
          )}
          <ButtonLink to={paths.webhook(webhookId) + search}>Back to deliveries</ButtonLink>
        </>
      }
    >
      <div className={parts}>
        <Card>
          <FactList
            facts={[
              ["Event", delivery.eventId],
              ["Subject", delivery.subject],
              ["Time", delivery.occurred],
              ["Attempts", delivery.attempts],
              last && ["Last attempt", last.attempted],
              last && ["Duration", last.duration],
              last && ["Result", last.result],
            ]}
          />
        </Card>
        <CardSection title="Request">
          {last ? <Message name="Request" text={last.request} /> : <p>No request yet.</p>}
        </CardSection>
        <CardSection title="Answer">
          {last?.answer ? <Message name="Answer" text={last.answer} /> : <p>No answer yet.</p>}
        </CardSection>
        {earlier.length > 0 && (
          <CardSection title="Earlier attempts" note={`The last ${maxStoredAttempts} are kept`}>
            {earlier.map((attempt, index) => (
              <EarlierAttempt key={index} attempt={attempt} />
            ))}
          </CardSection>
        )}
      </div>
    </Page>
  );
}

function EarlierAttempt({ attempt }: { attempt: AttemptView }) {
  const { attempted, duration, result, request, answer } = attempt;
  return (
    <details>
      <summary className={summary}>
        <Icon name="chevron-down" size="small" /> {`${attempted}, ${duration}: ${result}`}
      </summary>
      <Message name={`Request of ${attempted}`} text={request} />
      {answer && <Message name={`Answer of ${attempted}`} text={answer} />}
    </details>
  );
}

/** A call or its answer, as it was sent. */
function Message({ name, text }: { name: string; text: string }) {
  const rows = Math.min(24, text.split("\n").length + 1);
  return (
    <textarea
      readOnly
      aria-label={name}
      rows={rows}
      className={`${textArea} ${code}`}
      value={text}
    />
  );
}
