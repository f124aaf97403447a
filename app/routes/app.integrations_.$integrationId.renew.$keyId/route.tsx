// Without script: a section of the page with a form, and then with the secret.
import { useActionData, useLoaderData, useLocation } from "@remix-run/react";
import { getKey } from "../../features/integrations/integrations.server";
import { NewSecret } from "../../features/integrations/new-secret";
import { renewKey } from "../../features/integrations/new-keys.server";
import { passwordOnlyValidator } from "../../features/people/profile-forms";
import { pageMeta } from "../../forms/page-meta";
import { rerenderForm } from "../../forms/validator";
import { confirmed, formAction, formLoader, showOnce } from "../../http/form-action.server";
import { requireAdmin } from "../../http/guards.server";
import { paths } from "../../paths";
import { DialogForm } from "../_dialog-form/dialog-form";
import { PasswordAgain } from "../../ui/validated-form/form";
import { IdempotencyKey } from "../../ui/form/idempotency-key";
import { DialogActions, DialogCancel, DialogRoute } from "../../ui/overlay/dialog-route";

export const handle = { crumbs: { renew: "Renew key" } };

export const meta = pageMeta("Renew key");

export const loader = formLoader(requireAdmin, ({ params }) => getKey(params));

export const action = formAction({
  guard: requireAdmin,
  validator: passwordOnlyValidator,
  run: confirmed(async (_fields, post) => {
    const { integrationId = "", keyId = "" } = post.params;
    const { secret } = await renewKey(integrationId, keyId, post.options);
    return showOnce(
      { secret },
      "The key was renewed, but the new secret was not shown. Renew it again, and revoke the key whose secret was not shown.",
    );
  }),
});

export const clientAction = rerenderForm("Error renewing key");

export default function RenewKey() {
  const { integrationId, name, isActive } = useLoaderData<typeof loader>();
  const answer = useActionData<{ secret?: string }>();
  const closeTo = `${paths.integration(integrationId)}${useLocation().search}`;
  const dialog = { title: `Renew ${name}`, closeTo };
  if (answer?.secret)
    return (
      <DialogRoute {...dialog}>
        <NewSecret secret={answer.secret} made="renewed" />
        <DialogActions>
          <DialogCancel to={closeTo}>Close</DialogCancel>
        </DialogActions>
      </DialogRoute>
    );
  return (
    <DialogForm
      dialog={dialog}
      button={{ children: "Renew key", pendingLabel: "Renewing..." }}
      id="renew-key"
      validator={passwordOnlyValidator}
    >
      <IdempotencyKey />
      <p>
        The new key has the same scopes, machine, limit and days.{" "}
        {isActive
          ? `${name} works beside it for a day at most, and then ends.`
          : `${name} has ended and stays so.`}
      </p>
      <PasswordAgain />
    </DialogForm>
  );
}
