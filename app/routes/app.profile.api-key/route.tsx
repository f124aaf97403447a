import { useLoaderData, useSearchParams } from "@remix-run/react";
import { findApiKey, regenerateApiKey } from "../../features/sign-in/api-key.server";
import { KeyOptions } from "../../features/sign-in/key-options";
import { ownScopes } from "../../features/sign-in/key-scopes";
import { apiKeyValidator, besideProfileForm } from "../../features/people/profile-forms";
import { pageMeta } from "../../forms/page-meta";
import { rerenderForm } from "../../forms/validator";
import { confirmed, formAction, formLoader } from "../../http/form-action.server";
import { requireEditor } from "../../http/guards.server";
import { paths } from "../../paths";
import { DialogForm } from "../_dialog-form/dialog-form";
import { PasswordAgain } from "../../ui/validated-form/form";
import { IdempotencyKey } from "../../ui/form/idempotency-key";

export const meta = pageMeta();

export const loader = formLoader(requireEditor, async (_args, { user }) => {
  const key = await findApiKey(user.id);
  return {
    lastFour: key?.lastFour ?? null,
    scopes: ownScopes(user.role === "admin"),
    defaults: { days: "90", scopes: key?.scopes ?? ["read"] },
  };
});

export const action = formAction({
  guard: requireEditor,
  validator: apiKeyValidator,
  run: confirmed(async ({ scopes, days }, post) => {
    const own = ownScopes(post.session.user.role === "admin");
    const chosen = scopes.filter((scope) => own.includes(scope));
    await regenerateApiKey({ scopes: chosen, days }, post.options);
    const to = besideProfileForm(paths.profile, new URL(post.request.url).searchParams);
    return { to, text: "API key created. Reveal it to copy it." };
  }),
});

export const clientAction = rerenderForm("Error creating API key");

export default function RegenerateApiKey() {
  const { lastFour, scopes, defaults } = useLoaderData<typeof loader>();
  const [params] = useSearchParams();
  const verb = lastFour === null ? "Create API key" : "Regenerate API key";
  return (
    <DialogForm
      dialog={{
        title: verb,
        closeTo: besideProfileForm(paths.profile, params),
        returnFocusTo: "regenerate-key",
      }}
      button={{
        children: verb,
        pendingLabel: "Creating...",
        variant: lastFour === null ? "primary" : "danger",
      }}
      id="api-key"
      validator={apiKeyValidator}
      defaultValues={defaults}
    >
      <IdempotencyKey />
      <p>
        {lastFour === null
          ? "With an API key, programs act as you, in what you allow here."
          : `Your key ending in ${lastFour} stops working at once, in every program that uses it.`}
      </p>
      <KeyOptions scopes={scopes} />
      <PasswordAgain />
    </DialogForm>
  );
}
