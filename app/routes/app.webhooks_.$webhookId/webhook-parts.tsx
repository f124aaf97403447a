// Without script: the same; a form that is not accepted comes back filled but for the password.
import { passwordOnlyValidator } from "../../features/people/profile-forms";
import {
  editWebhookValidator,
  periodValidator,
  redeliveryChoices,
  webhookIntents,
} from "../../features/webhooks/webhook";
import { DeliveryBadge } from "../../features/webhooks/webhook-badge";
import { SendNow } from "../../features/webhooks/send-now";
import { WebhookFields } from "../../features/webhooks/webhook-fields";
import { deliveryList, type DeliveryView } from "../../features/webhooks/webhook-view";
import { paths } from "../../paths";
import { ButtonLink } from "../../ui/form/button";
import {
  Form,
  FormSubmit,
  PasswordAgain,
  RadioGroup,
  TextField,
} from "../../ui/validated-form/form";
import { IdempotencyKey } from "../../ui/form/idempotency-key";
import { useLastMessage } from "../../ui/form/last-message";
import { PostButton } from "../../ui/form/post-button";
import { CardSection } from "../../ui/layout/detail";
import { cardSection, formCard, parts } from "../../ui/layout/layout.css";
import { Card, FactList, LinkTabs } from "../../ui/layout/page";
import { EmptyState } from "../../ui/table/list-notes";
import { useListUrl } from "../../ui/table/list-url";
import { useIsConflict, VersionField } from "../../ui/validated-form/version-field";
import { ListTable, RowCount } from "../../ui/list/list-table";
import { ListStatus } from "../../ui/table/pagination";
import type { Column } from "../../ui/table/table";
import { withNote } from "../../ui/table/table.css";
import { visuallyHidden } from "#styles/global.css";
import type { WebhookPageData } from "./route";

type PageProps = { page: WebhookPageData };

export function WebhookActions({ page: { webhook } }: PageProps) {
  const { enable, disable, test } = webhookIntents;
  const { id, isEnabled, isWaiting } = webhook;
  return (
    <>
      {isWaiting && <SendNow id={id} />}
      {isEnabled && (
        <PostButton intent={test} pendingLabel="Sending...">
          Send test event
        </PostButton>
      )}
      <PostButton intent={isEnabled ? disable : enable} pendingLabel="Saving...">
        {isEnabled ? "Disable" : "Enable"}
      </PostButton>
      <ButtonLink id="remove-webhook" to={paths.webhookRemoval(id)}>
        Remove
      </ButtonLink>
    </>
  );
}

export function DeliveryLog({ page }: PageProps) {
  const { webhook, total, state } = page;
  const { search } = useListUrl();
  const columns: Column<DeliveryView>[] = [
    {
      heading: "Event",
      isRowHeader: true,
      cell: ({ id, event, subject }) => (
        <a href={paths.webhookDelivery(webhook.id, id) + search}>
          {event}
          <span className={visuallyHidden}>, {subject}</span>
        </a>
      ),
    },
    { heading: "Status", isBadge: true, cell: ({ state }) => <DeliveryBadge state={state} /> },
    { heading: "Time", cell: ({ occurred }) => occurred },
    { heading: "Subject", isWide: true, cell: ({ subject }) => subject },
    { heading: "Attempts", isNumber: true, cell: ({ attempts }) => attempts },
    { heading: "Result", className: withNote, cell: ({ result }) => result },
  ];
  return (
    <div>
      <LinkTabs label="Status" tabs={page.tabs} />
      <ListStatus data={page} noun="event" />
      {total === 0 ? (
        <Card>
          <EmptyState
            icon="check"
            title={state === null ? "No deliveries yet" : `No ${state} deliveries`}
            reason="Events are tried for 3 days."
          />
        </Card>
      ) : (
        <ListTable
          caption="Deliveries"
          list={deliveryList}
          data={page}
          columns={columns}
          tools={<RowCount total={total} noun="event" />}
        />
      )}
    </div>
  );
}

export function WebhookSettings({ page }: PageProps) {
  const { webhook } = page;
  const lastMessage = useLastMessage();
  const isConflict = useIsConflict();
  const { save, rotate, endPrevious, redeliverPeriod } = webhookIntents;
  return (
    <div className={`${formCard} ${parts}`}>
      <CardSection title="Settings">
        {isConflict && (
          <FactList
            facts={[
              ["Current address", webhook.url],
              ["Current events", webhook.events],
            ]}
          />
        )}
        <Form
          id="webhook"
          validator={editWebhookValidator}
          defaultValues={{ url: webhook.url, events: webhook.eventTypes }}
          preventScrollReset
        >
          <IdempotencyKey key={lastMessage} suffix="webhook" />
          <VersionField version={webhook.version} />
          <WebhookFields />
          <PasswordAgain />
          <FormSubmit name="intent" value={save} pendingLabel="Saving..." label="Save webhook" />
        </Form>
      </CardSection>
      <CardSection title="Send events again">
        <Form
          id="period"
          validator={periodValidator}
          defaultValues={{ which: "failed" }}
          preventScrollReset
        >
          <IdempotencyKey key={lastMessage} suffix="period" />
          <TextField name="first_day" label="First day" hint="DD/MM/YYYY" width="short" />
          <TextField name="last_day" label="Last day" hint="DD/MM/YYYY" width="short" />
          <RadioGroup name="which" legend="Events" options={redeliveryChoices} />
          <FormSubmit
            name="intent"
            value={redeliverPeriod}
            variant="default"
            pendingLabel="Queueing..."
            label="Send events again"
          />
        </Form>
      </CardSection>
      <CardSection title="Signing secret">
        {webhook.previousSecretUntil && (
          <div className={cardSection}>
            <p>{`Calls are signed with the old secret, too, until ${webhook.previousSecretUntil}.`}</p>
            <PostButton intent={endPrevious} pendingLabel="Saving...">
              End old secret
            </PostButton>
          </div>
        )}
        <Form id="rotate-secret" validator={passwordOnlyValidator}>
          <IdempotencyKey />
          <p>For 24 hours after a rotation, calls are signed with the old and the new secret.</p>
          <PasswordAgain />
          <FormSubmit
            name="intent"
            value={rotate}
            variant="default"
            pendingLabel="Rotating..."
            label="Rotate secret"
          />
        </Form>
      </CardSection>
    </div>
  );
}
