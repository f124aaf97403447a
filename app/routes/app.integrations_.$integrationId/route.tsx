import { randomUUID } from "node:crypto";
import { json, type HeadersFunction, type LoaderFunctionArgs } from "@remix-run/node";
import { Outlet, useActionData, useLoaderData } from "@remix-run/react";
import { DomainError } from "../../errors";
import { keyValidator } from "../../features/integrations/integration";
import { createKey } from "../../features/integrations/integrations.server";
import { formMeta } from "../../forms/form-meta";
import { keepForm } from "../../forms/validator";
import { screenRoute } from "../../http/answers.server";
import {
  passwordField,
  rejectUnconfirmed,
  retryAfterHeaders,
  formAction,
} from "../../http/form-action.server";
import { requireAdmin } from "../../http/guards.server";
import { paths } from "../../paths";
import { ButtonLink } from "../../ui/form/button";
import { Page } from "../../ui/layout/page";
import { KeyForm } from "./key-form";
import { KeyTable } from "./key-table";
import { NewSecret } from "./new-secret";
import { readIntegrationPage, type IntegrationPageData } from "./page.server";

export const meta = formMeta<IntegrationPageData>(
  (page) => `${page?.name ?? "Integration"} - Integrations`,
);

export const headers: HeadersFunction = (args) => retryAfterHeaders(args);

export const loader = screenRoute(async (args: LoaderFunctionArgs) => {
  const session = await requireAdmin(args);
  return json(await readIntegrationPage(args, session));
});

/** Makes a key. Its secret is in this one answer and never in an address or a message. */
export const action = formAction({
  guard: requireAdmin,
  validator: keyValidator,
  secrets: [passwordField],
  async run(key, post) {
    const rejection = await rejectUnconfirmed(post);
    if (rejection) return rejection;
    try {
      const { secret } = await createKey(post.params.integrationId ?? "", key, post.options);
      // The form stays on the screen: its next post makes another key.
      return json({ secret, idempotencyKey: randomUUID() });
    } catch (cause) {
      if (!(cause instanceof DomainError) || !cause.fields.machineSerial) throw cause;
      throw new DomainError(cause.reason, cause.message, { machine: cause.fields.machineSerial });
    }
  },
});

export const clientAction = keepForm("Error creating key");

export default function IntegrationPage() {
  const page = useLoaderData<typeof loader>();
  const answer = useActionData<{ secret?: string }>();
  return (
    <Page
      title={page.name}
      actions={
        <ButtonLink to={paths.transactionsOfIntegration(page.id)} icon="receipt">
          Transactions
        </ButtonLink>
      }
    >
      <Outlet />
      {answer?.secret && <NewSecret key={answer.secret} secret={answer.secret} />}
      <KeyTable page={page} />
      <KeyForm page={page} />
    </Page>
  );
}
