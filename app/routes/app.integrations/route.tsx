import { json, type LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { siteTimeZone } from "../../db/site.server";
import { integrationValidator, toIntegrationView } from "../../features/integrations/integration";
import {
  createIntegration,
  listIntegrations,
} from "../../features/integrations/integrations.server";
import { formMeta } from "../../forms/form-meta";
import { keepForm } from "../../forms/validator";
import { screenRoute } from "../../http/answers.server";
import { formAction, newForm } from "../../http/form-action.server";
import { requireAdmin } from "../../http/guards.server";
import { paths } from "../../paths";
import { Page } from "../../ui/layout/page";
import { EmptyState } from "../../ui/table/empty-state";
import { IntegrationForm } from "./integration-form";
import { IntegrationTable } from "./integration-table";

export const meta = formMeta("Integrations");

export const loader = screenRoute(async (args: LoaderFunctionArgs) => {
  await requireAdmin(args);
  const timeZone = siteTimeZone();
  const integrations = await listIntegrations();
  return json({
    integrations: integrations.map((integration) => toIntegrationView(integration, timeZone)),
    ...newForm(args),
  });
});

export const action = formAction({
  guard: requireAdmin,
  validator: integrationValidator,
  async run(integration, { options }) {
    const { id } = await createIntegration(integration, options);
    return { to: paths.integration(id), text: "Integration successfully created" };
  },
});

export const clientAction = keepForm("Error creating integration");

export default function Integrations() {
  const { integrations, idempotencyKey } = useLoaderData<typeof loader>();
  return (
    <Page title="Integrations">
      {integrations.length === 0 ? (
        <EmptyState
          icon="key"
          title="No integrations yet"
          reason="A vending platform or a till that redeems codes is named here, and gets its keys."
        />
      ) : (
        <IntegrationTable integrations={integrations} />
      )}
      <IntegrationForm idempotencyKey={idempotencyKey} />
    </Page>
  );
}
