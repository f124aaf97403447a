// Without script: a section of the page with a form that comes back filled.
import type { HeadersFunction } from "@remix-run/node";
import { useLoaderData, useLocation } from "@remix-run/react";
import { keyName, limitValidator } from "../../features/integrations/integration";
import { changeKeyLimit, getKey } from "../../features/integrations/integrations.server";
import { pageMeta } from "../../forms/page-meta";
import { rerenderForm } from "../../forms/validator";
import { screenLoader } from "../../http/answers.server";
import { formAction, confirmed, newForm, retryAfterHeaders } from "../../http/form-action.server";
import { requireAdmin } from "../../http/guards.server";
import { paths } from "../../paths";
import { Form, FormButton, PasswordAgain, TextField } from "../../ui/form/form";
import { DialogActions, DialogCancel, DialogRoute } from "../../ui/overlay/dialog-route";

export const handle = { crumbs: { limit: "Change limit" } };

export const meta = pageMeta("Change limit - Integrations");

export const headers: HeadersFunction = (args) => retryAfterHeaders(args);

export const loader = screenLoader(requireAdmin, async (args, session) => {
  const { integrationId = "", keyId = "" } = args.params;
  const { integration, key } = await getKey(integrationId, keyId);
  return {
    integrationId: integration.id,
    name: keyName(key),
    limit: key.maxFailedLookups,
    needsPassword: !session.isPasswordRecent,
    ...newForm(args),
  };
});

export const action = formAction({
  guard: requireAdmin,
  validator: limitValidator,
  run: confirmed(async ({ limit }, post) => {
    const { integrationId = "", keyId = "" } = post.params;
    await changeKeyLimit(integrationId, keyId, limit, post.options);
    return { to: paths.integration(integrationId), text: "Limit successfully changed" };
  }),
});

export const clientAction = rerenderForm("Error changing limit");

export default function KeyLimit() {
  const { integrationId, name, limit, needsPassword } = useLoaderData<typeof loader>();
  const closeTo = `${paths.integration(integrationId)}${useLocation().search}`;
  return (
    <DialogRoute title={`Change limit of ${name}`} closeTo={closeTo}>
      <Form
        id="key-limit"
        validator={limitValidator}
        defaultValues={{ limit: String(limit) }}
        replace
        preventScrollReset
      >
        <TextField
          name="limit"
          label="Wrong codes allowed a minute"
          hint="From 300 to 10,000. After so many redemptions of codes or machines that don't exist, the key is throttled for the rest of the minute. A higher limit lets somebody with this key guess faster."
          inputMode="numeric"
          autoComplete="off"
          width="short"
        />
        <PasswordAgain isAsked={needsPassword} />
        <DialogActions>
          <FormButton pendingLabel="Saving...">Save limit</FormButton>
          <DialogCancel to={closeTo} />
        </DialogActions>
      </Form>
    </DialogRoute>
  );
}
