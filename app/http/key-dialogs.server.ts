/** What the dialogs about one key of an integration have in common. */
import { DomainError } from "../errors";
import { type IntegrationKey, keyName } from "../features/integrations/integration";
import { getIntegration } from "../features/integrations/integrations.server";
import { screenLoader } from "./answers.server";
import { newForm } from "./form-action.server";
import { requireAdmin } from "./guards.server";
import type { RouteArgs } from "./sessions.server";

/** @throws DomainError not_found: the integration, or its key */
export async function keyOfAddress({ params }: Pick<RouteArgs, "params">) {
  const integration = await getIntegration(params.integrationId ?? "");
  const key = integration.keys.find(({ id }) => id === params.keyId);
  if (!key) throw new DomainError("not_found", "Key not found");
  return { integration, key };
}

/** Builds the loader of a form that asks for the password. @param read adds what only this form shows */
export function keyDialogLoader<Page extends object>(read: (key: IntegrationKey) => Page) {
  return screenLoader(requireAdmin, async (args, session) => {
    const { integration, key } = await keyOfAddress(args);
    return {
      integrationId: integration.id,
      name: keyName(key),
      needsPassword: !session.isPasswordRecent,
      ...read(key),
      ...newForm(args),
    };
  });
}
