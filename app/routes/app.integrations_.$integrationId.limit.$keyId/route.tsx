import { useLoaderData, useLocation } from "@remix-run/react";
import { limitValidator } from "../../features/integrations/integration";
import { changeKeyLimit, getKey } from "../../features/integrations/integrations.server";
import { pageMeta } from "../../forms/page-meta";
import { rerenderForm } from "../../forms/validator";
import { pageSearch } from "../../lists/list-params";
import { confirmed, formAction, formLoader } from "../../http/form-action.server";
import { requireAdmin } from "../../http/guards.server";
import { paths } from "../../paths";
import { DialogForm } from "../_dialog-form/dialog-form";
import { IdempotencyKey } from "../../ui/form/idempotency-key";
import { PasswordAgain, TextField } from "../../ui/validated-form/form";

export const handle = { crumbs: { limit: "Change limit" } };

export const meta = pageMeta("Change limit");

export const loader = formLoader(requireAdmin, ({ params }) => getKey(params));

export const action = formAction({
  guard: requireAdmin,
  validator: limitValidator,
  run: confirmed(async ({ limit }, post) => {
    const { integrationId = "", keyId = "" } = post.params;
    await changeKeyLimit(integrationId, keyId, limit, post.options);
    const to =
      paths.integration(integrationId) + pageSearch(new URL(post.request.url).searchParams);
    return { to, text: "Limit successfully changed" };
  }),
});

export const clientAction = rerenderForm("Error changing limit");

export default function KeyLimit() {
  const { integrationId, name, limit } = useLoaderData<typeof loader>();
  const closeTo = `${paths.integration(integrationId)}${useLocation().search}`;
  return (
    <DialogForm
      dialog={{ title: `Change limit of ${name}`, closeTo }}
      button={{ children: "Save limit", pendingLabel: "Saving..." }}
      id="key-limit"
      validator={limitValidator}
      defaultValues={{ limit: String(limit) }}
    >
      <IdempotencyKey />
      <TextField
        name="limit"
        label="Wrong codes allowed a minute"
        hint="From 300 to 10,000. After so many redemptions of codes that don't exist, the key is throttled for the rest of the minute. A higher limit lets somebody with this key guess faster."
        inputMode="numeric"
        autoComplete="off"
        width="short"
      />
      <PasswordAgain />
    </DialogForm>
  );
}
