// Without script: the same; a form that is not accepted comes back filled.
import { useLoaderData } from "@remix-run/react";
import { siteTimeZone } from "../../db/site.server";
import { listEndingKeys } from "../../features/integrations/ending-keys.server";
import {
  describeRefusedKey,
  integrationValidator,
  toEndingView,
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
import { formAction, formLoader } from "../../http/form-action.server";
import { requireAdmin } from "../../http/guards.server";
import { paths } from "../../paths";
import { parts } from "../../ui/layout/layout.css";
import { Page } from "../../ui/layout/page";
import { TableOrNote } from "../../ui/table/table-or-note";
import { integrationColumns } from "./columns";
import { KeyWarnings } from "./key-warnings";
import { NewIntegration } from "./new-integration";

export const meta = pageMeta();

export const loader = formLoader(requireAdmin, async () => {
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
    <Page title="Integrations">
      <div className={parts}>
        <KeyWarnings page={page} />
        <TableOrNote
          caption="Integrations"
          fits
          columns={integrationColumns}
          rows={page.integrations}
          empty={{
            title: "No integrations yet",
            reason: "An integration is a system that redeems codes. Each has its own keys.",
          }}
        />
        <NewIntegration />
      </div>
    </Page>
  );
}
