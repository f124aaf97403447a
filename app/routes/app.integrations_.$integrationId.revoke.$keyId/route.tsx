import {
  json,
  type ActionFunctionArgs,
  type LoaderFunctionArgs,
  type MetaFunction,
} from "@remix-run/node";
import {
  Form,
  useActionData,
  useLoaderData,
  useLocation,
  useNavigation,
  type ClientActionFunctionArgs,
} from "@remix-run/react";
import { DomainError } from "../../errors";
import { keyName } from "../../features/integrations/integration-words";
import { getIntegration, revokeKey } from "../../features/integrations/integrations.server";
import { unansweredSentence } from "../../forms/unanswered";
import { screenRoute } from "../../http/answers.server";
import { requireAdmin } from "../../http/guards.server";
import { redirectWithMessage } from "../../http/messages.server";
import { paths } from "../../paths";
import { SubmitButton } from "../../ui/form/submit-button";
import { DialogActions, DialogCancel, DialogRoute } from "../../ui/overlay/dialog-route";
import { FailureNote } from "../../ui/overlay/failure-note";

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
  const { requestId } = args.context;
  await revokeKey(integrationId, keyId, { actor: session.user, requestId });
  return redirectWithMessage(session, paths.integration(integrationId), {
    kind: "success",
    text: "Key successfully revoked",
  });
});

/** With scripts the dialog outlives a request that gets no answer. */
export async function clientAction({ serverAction }: ClientActionFunctionArgs) {
  try {
    await serverAction<typeof action>();
    return { error: null };
  } catch (cause) {
    return { error: unansweredSentence(cause, "Error revoking key") };
  }
}

export default function RevokeKeyDialog() {
  const { integrationId, keyId, key, consequence } = useLoaderData<typeof loader>();
  const answer = useActionData<typeof clientAction>();
  const closeTo = `${paths.integration(integrationId)}${useLocation().search}`;
  const isRevoking =
    useNavigation().formAction?.startsWith(paths.keyRevocation(integrationId, keyId)) ?? false;
  return (
    <DialogRoute
      title={`Revoke the key ${key}?`}
      role="alertdialog"
      closeTo={closeTo}
      returnFocusTo={`revoke-${keyId}`}
    >
      <FailureNote isPending={isRevoking}>{answer?.error}</FailureNote>
      <p>{consequence}</p>
      <Form method="post" preventScrollReset>
        <DialogActions>
          <SubmitButton variant="danger" isPending={isRevoking} pendingLabel="Revoking...">
            Revoke key
          </SubmitButton>
          <DialogCancel to={closeTo} />
        </DialogActions>
      </Form>
    </DialogRoute>
  );
}
