import { randomUUID } from "node:crypto";
import {
  json,
  type ActionFunctionArgs,
  type LoaderFunctionArgs,
  type MetaFunction,
} from "@remix-run/node";
import { useLoaderData, type ClientActionFunctionArgs } from "@remix-run/react";
import { siteTimeZone } from "../../db/site.server";
import { DomainError, statusOfReason } from "../../errors";
import { integrationValidator } from "../../features/integrations/integration-forms";
import { toIntegrationView } from "../../features/integrations/integration-view";
import {
  createIntegration,
  listIntegrations,
} from "../../features/integrations/integrations.server";
import { actionOrSignIn, networkErrorMessage } from "../../forms/network-errors";
import { refillForm, wholeFormError, type FieldErrors } from "../../forms/validator";
import { screenRoute } from "../../http/answers.server";
import { requireAdmin } from "../../http/guards.server";
import { redirectWithMessage } from "../../http/messages.server";
import { markRefused, wasRefused } from "../../http/refused.server";
import { paths } from "../../paths";
import { Page } from "../../ui/layout/page";
import { EmptyState } from "../../ui/table/empty-state";
import { IntegrationForm } from "./integration-form";
import { IntegrationTable } from "./integration-table";

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `${data?.wasRefused ? "Error: " : ""}Integrations - Promo Console` },
];

export const loader = screenRoute(async (args: LoaderFunctionArgs) => {
  await requireAdmin(args);
  const timeZone = siteTimeZone();
  const integrations = await listIntegrations();
  return json({
    integrations: integrations.map((integration) => toIntegrationView(integration, timeZone)),
    once: randomUUID(),
    wasRefused: wasRefused(args.context),
  });
});

export const action = screenRoute(async (args: ActionFunctionArgs) => {
  const session = await requireAdmin(args, { canRestore: true });
  const posted = await args.request.formData();
  const refill = (errors: FieldErrors, status: number) => {
    if (status !== 200) markRefused(args.context);
    return refillForm(errors, Object.fromEntries(posted), { status });
  };
  if (posted.get("intent") === "restore") return refill({}, 200);
  const { data, error } = await integrationValidator.validate(posted);
  if (error) return refill(error.fieldErrors, 422);
  try {
    const { id } = await createIntegration(data, {
      actor: session.actor,
      idempotencyKey: String(posted.get("_once") ?? "") || null,
    });
    return await redirectWithMessage(session, paths.integration(id), {
      kind: "success",
      text: "Integration successfully created",
    });
  } catch (cause) {
    if (!(cause instanceof DomainError)) throw cause;
    const { fields, message, reason } = cause;
    const errors = Object.keys(fields).length > 0 ? fields : { [wholeFormError]: message };
    return refill(errors, statusOfReason[reason]);
  }
});

/** With scripts the page outlives a request that gets no answer, and so does what was typed. */
export async function clientAction({ request, serverAction }: ClientActionFunctionArgs) {
  try {
    return await actionOrSignIn(request, () => serverAction<typeof action>());
  } catch (cause) {
    const sentence = networkErrorMessage(cause, "Error creating integration");
    return { fieldErrors: { [wholeFormError]: sentence } };
  }
}

export default function Integrations() {
  const { integrations, once } = useLoaderData<typeof loader>();
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
      <IntegrationForm once={once} />
    </Page>
  );
}
