// Without script: the same; a form that is not accepted comes back filled.
import { useLoaderData, useNavigation } from "@remix-run/react";
import { siteTimeZone } from "../../db/site.server";
import { listEndingKeys } from "../../features/integrations/ending-keys.server";
import {
  describeRefusedKey,
  integrationValidator,
  toEndingView,
  type IntegrationView,
  toIntegrationView,
  toThrottleView,
} from "../../features/integrations/integration";
import {
  createIntegration,
  listIntegrations,
  listThrottledKeys,
} from "../../features/integrations/integrations.server";
import { listRefusedKeys } from "../../features/integrations/refused-keys.server";
import { pageMeta } from "../../forms/page-meta";
import { rerenderForm } from "../../forms/validator";
import { formatNumber } from "../../format/number";
import { screenLoader } from "../../http/answers.server";
import { formAction, newForm } from "../../http/form-action.server";
import { requireAdmin } from "../../http/guards.server";
import { paths } from "../../paths";
import { MessageBlock } from "../../ui/feedback/message-block";
import { ButtonLink } from "../../ui/form/button";
import { Form, FormSubmit, TextField } from "../../ui/form/form";
import { IdempotencyKey } from "../../ui/form/idempotency-key";
import { CardSection } from "../../ui/layout/detail";
import { muted } from "#styles/global.css";
import { formCard, parts } from "../../ui/layout/layout.css";
import { Page } from "../../ui/layout/page";
import { Table, type Column } from "../../ui/table/table";

export const meta = pageMeta();

export const loader = screenLoader(requireAdmin, async (args) => {
  const timeZone = siteTimeZone();
  const [integrations, throttledKeys, endingKeys, refusedKeys] = await Promise.all([
    listIntegrations(),
    listThrottledKeys(),
    listEndingKeys(),
    listRefusedKeys(),
  ]);
  return {
    endings: endingKeys.map((keys) => toEndingView(keys, timeZone)),
    refusedKeys: refusedKeys.map(describeRefusedKey),
    throttles: throttledKeys.map((key) => toThrottleView(key, timeZone)),
    integrations: integrations.map((integration) => toIntegrationView(integration, timeZone)),
    ...newForm(args),
  };
});

export const action = formAction({
  guard: requireAdmin,
  validator: integrationValidator,
  async run(integration, { options }) {
    const { id } = await createIntegration(integration, options);
    return { to: paths.integration(id), text: "Integration successfully created" };
  },
});

export const clientAction = rerenderForm("Error creating integration");

const columns: Column<IntegrationView>[] = [
  {
    heading: "Name",
    isRowHeader: true,
    cell: ({ id, name }) => <a href={paths.integration(id)}>{name}</a>,
  },
  { heading: "Active keys", isNumber: true, cell: ({ activeKeys }) => formatNumber(activeKeys) },
  { heading: "Last used", cell: ({ lastUsed }) => lastUsed },
  { heading: "Created", cell: ({ created }) => created },
];

export default function Integrations() {
  const { integrations, throttles, endings, refusedKeys, idempotencyKey } =
    useLoaderData<typeof loader>();
  const isPending = useNavigation().formAction === paths.integrations;
  return (
    <Page title="Integrations" actions={<ButtonLink to={paths.jobs}>Background jobs</ButtonLink>}>
      <div className={parts}>
        {throttles.map(({ id, integrationId, message }) => (
          <MessageBlock key={id} kind="warning">
            {message} <a href={paths.integration(integrationId)}>Show keys</a>
          </MessageBlock>
        ))}
        {refusedKeys.map((message) => (
          <MessageBlock key={message} kind="warning">
            {message}
          </MessageBlock>
        ))}
        {endings.map(({ integrationId, message }) => (
          <MessageBlock key={integrationId} kind="warning">
            {message} <a href={paths.integration(integrationId)}>Show keys</a>
          </MessageBlock>
        ))}
        {integrations.length === 0 ? (
          <div className={formCard}>
            <CardSection title="No integrations yet">
              <p className={muted}>
                An integration is a system that redeems codes. Each has its own keys.
              </p>
            </CardSection>
          </div>
        ) : (
          <Table caption="Integrations" fits columns={columns} rows={integrations} />
        )}
        <div className={formCard}>
          <CardSection title="New integration">
            <Form id="new-integration" validator={integrationValidator}>
              <IdempotencyKey value={idempotencyKey} />
              <TextField name="name" label="Name" hint="Required. Such as your vending platform." />
              <FormSubmit
                isPending={isPending}
                pendingLabel="Creating..."
                label="Create integration"
              />
            </Form>
          </CardSection>
        </div>
      </div>
    </Page>
  );
}
