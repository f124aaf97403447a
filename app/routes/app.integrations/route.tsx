// Without script: the same; a form that is not accepted comes back filled.
import type { SerializeFrom } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { siteTimeZone } from "../../db/site.server";
import { environment } from "../../env.server";
import {
  integrationValidator,
  toIntegrationView,
  type Integration,
  type IntegrationView,
} from "../../features/integrations/integration";
import {
  createIntegration,
  listIntegrations,
} from "../../features/integrations/integrations.server";
import { KeyWarnings } from "../../features/integrations/key-warnings";
import { listKeyWarnings } from "../../features/integrations/key-warnings.server";
import { findRedeemable } from "../../features/promotions/promotions.server";
import { findFirstRedemption } from "../../features/transactions/list-transactions.server";
import { pageMeta } from "../../forms/page-meta";
import { rerenderForm } from "../../forms/validator";
import { formatDateTime } from "../../format/date";
import { countOf, formatNumber } from "../../format/number";
import { formAction, formLoader } from "../../http/form-action.server";
import { requireAdmin } from "../../http/guards.server";
import { paths } from "../../paths";
import { ButtonLink } from "../../ui/form/button";
import { IdempotencyKey } from "../../ui/form/idempotency-key";
import { FormCard } from "../../ui/layout/detail";
import { parts } from "../../ui/layout/layout.css";
import { Page } from "../../ui/layout/page";
import { TableOrNote, type ShortList } from "../../ui/table/table-or-note";
import { Form, FormSubmit, TextField } from "../../ui/validated-form/form";
import { ConnectSteps } from "./steps";
import { redeemCurl } from "../_api-docs/redeem-curl";

export type IntegrationsData = SerializeFrom<typeof loader>;

export const meta = pageMeta();

export const loader = formLoader(requireAdmin, async () => {
  const timeZone = siteTimeZone();
  const [integrations, warnings] = await Promise.all([
    listIntegrations(),
    listKeyWarnings(timeZone),
  ]);
  const steps = await readSteps(integrations);
  return {
    warnings,
    steps,
    integrations: integrations.map((one) => toIntegrationView(one, timeZone)),
  };
});

/** Reads how far the site is from no key to the first redemption. */
async function readSteps(integrations: readonly Integration[]) {
  const [example, first] = await Promise.all([findRedeemable(), findFirstRedemption()]);
  const active = integrations.reduce((sum, { activeKeys }) => sum + activeKeys, 0);
  return {
    keys: active > 0 ? `${countOf(active, "active key")}.` : null,
    keyPage: integrations[0] ? `${paths.integration(integrations[0].id)}#new-key` : null,
    // Viewers read the ids of redemptions, but no codes.
    curl:
      example &&
      redeemCurl(environment().appOrigin, { ...example, redemptionId: `first-${example.id}` }),
    first: first && {
      text: `${formatDateTime(first.occurredAt, siteTimeZone())} at ${first.serialNumber}.`,
      to: paths.transactionsOfIntegration(first.integrationId),
    },
  };
}

export const action = formAction({
  guard: requireAdmin,
  validator: integrationValidator,
  async run(integration, { options }) {
    const { id } = await createIntegration(integration, options);
    return { to: paths.integration(id), text: "Integration successfully created" };
  },
});

export const clientAction = rerenderForm("Error creating integration");

export default function Integrations() {
  const page = useLoaderData<typeof loader>();
  return (
    <Page
      title="Integrations"
      actions={<ButtonLink to={paths.apiDocs}>API documentation</ButtonLink>}
    >
      <div className={parts}>
        <KeyWarnings warnings={page.warnings} />
        <ConnectSteps steps={page.steps} />
        <TableOrNote {...integrationList} rows={page.integrations} />
        <NewIntegration />
      </div>
    </Page>
  );
}

const integrationList: ShortList<IntegrationView> = {
  caption: "Integrations",
  fits: true,
  columns: [
    {
      heading: "Name",
      isRowHeader: true,
      cell: ({ id, name }) => <a href={paths.integration(id)}>{name}</a>,
    },
    { heading: "Active keys", isNumber: true, cell: ({ activeKeys }) => formatNumber(activeKeys) },
    { heading: "Last used", cell: ({ lastUsed }) => lastUsed },
    { heading: "Created", cell: ({ created }) => created },
  ],
  empty: {
    title: "No integrations yet",
    reason: "An integration is a system that redeems codes. Each has its own keys.",
  },
};

function NewIntegration() {
  return (
    <FormCard title="New integration">
      <Form id="new-integration" validator={integrationValidator}>
        <IdempotencyKey />
        <TextField name="name" label="Name" hint="Required. Such as your vending platform." />
        <FormSubmit pendingLabel="Creating..." label="Create integration" />
      </Form>
    </FormCard>
  );
}
