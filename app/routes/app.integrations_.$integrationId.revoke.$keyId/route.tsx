import {
  json,
  type ActionFunctionArgs,
  type LoaderFunctionArgs,
  type MetaFunction,
} from "@remix-run/node";
import {
  useActionData,
  useLoaderData,
  useLocation,
  type ClientActionFunctionArgs,
} from "@remix-run/react";
import { DomainError } from "../../errors";
import { keyName } from "../../features/integrations/integration-view";
import { getIntegration, revokeKey } from "../../features/integrations/integrations.server";
import { failureOf } from "../../forms/network-errors";
import { screenRoute } from "../../http/answers.server";
import { requireAdmin } from "../../http/guards.server";
import { redirectWithMessage } from "../../http/messages.server";
import { paths } from "../../paths";
import { ConfirmDialog } from "../../ui/overlay/confirm-dialog";

export const meta: MetaFunction = () => [
  { title: "Confirm revoking - Integrations - Promo Console" },
];

export const loader = screenRoute(async (args: LoaderFunctionArgs) => {
  await requireAdmin(args);
  const { id, name, keys } = await getIntegration(args.params.integrationId ?? "");
  const key = keys.find(({ id: keyId }) => keyId === args.params.keyId);
  if (!key) throw new DomainError("not_found", "Key not found");
  const at = key.machine ? ` at ${key.machine.serialNumber}` : "";
  return json({
    integrationId: id,
    keyId: key.id,
    key: keyName(key),
    consequence: `From that moment ‘${name}’ can't redeem codes${at} with it any more. It can't be brought back; a new key can be made.`,
  });
});

export const action = screenRoute(async (args: ActionFunctionArgs) => {
  const session = await requireAdmin(args);
  const { integrationId = "", keyId = "" } = args.params;
  await revokeKey(integrationId, keyId, { actor: session.actor });
  return redirectWithMessage(session, paths.integration(integrationId), {
    kind: "success",
    text: "Key successfully revoked",
  });
});

/** With scripts the dialog outlives a request that gets no answer. */
export function clientAction({ serverAction }: ClientActionFunctionArgs) {
  return failureOf(serverAction, "Error revoking key");
}

export default function RevokeKeyDialog() {
  const { integrationId, keyId, key, consequence } = useLoaderData<typeof loader>();
  const answer = useActionData<typeof clientAction>();
  const closeTo = `${paths.integration(integrationId)}${useLocation().search}`;
  return (
    <ConfirmDialog
      title={`Revoke the key ${key}?`}
      address={paths.keyRevocation(integrationId, keyId)}
      closeTo={closeTo}
      returnFocusTo={`revoke-${keyId}`}
      verb="Revoke key"
      pendingVerb="Revoking..."
      isDangerous
      failure={answer?.error}
    >
      <p>{consequence}</p>
    </ConfirmDialog>
  );
}
