// Without script: the same; a form that is not accepted comes back filled.
import type { SerializeFrom } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { siteTimeZone } from "../../db/site.server";
import { integrationValidator, toIntegrationView } from "../../features/integrations/integration";
import {
  createIntegration,
  listIntegrations,
} from "../../features/integrations/integrations.server";
import { KeyWarnings } from "../../features/integrations/key-warnings";
import { listKeyWarnings } from "../../features/integrations/key-warnings.server";
import { pageMeta } from "../../forms/page-meta";
import { rerenderForm } from "../../forms/validator";
import { formAction, formLoader } from "../../http/form-action.server";
import { requireAdmin } from "../../http/guards.server";
import { paths } from "../../paths";
import { ButtonLink } from "../../ui/form/button";
import { parts } from "../../ui/layout/layout.css";
import { Page } from "../../ui/layout/page";
import { TableOrNote } from "../../ui/table/table-or-note";
import { integrationList } from "./integration-list";
import { NewIntegration } from "./new-integration";
import { ConnectSteps } from "./steps";
import { readSteps } from "./steps.server";

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
