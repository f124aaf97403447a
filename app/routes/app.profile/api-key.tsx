// Without script: a form whose answer is the page with the key, and a link to a question.
import { useActionData, useSearchParams } from "@remix-run/react";
import { besideProfileForm, revealValidator } from "../../features/people/profile-forms";
import { paths } from "../../paths";
import { ButtonLink } from "../../ui/form/button";
import { Form, FormSubmit, PasswordAgain } from "../../ui/validated-form/form";
import { SecretField } from "../../features/sign-in/secret-field";
import { CardSection } from "../../ui/layout/detail";
import { actions } from "../../ui/layout/layout.css";
import { FactList } from "../../ui/layout/page";
import { muted } from "#styles/global.css";
import { DialogLink } from "../../ui/overlay/dialog-route";
import type { ProfilePageData } from "./route";

type Revealed = { revealed?: { apiKey: string | null; userId: string } };

/** The API key and the user id, masked until they are revealed. They are never hidden in the page. */
export function ApiKey({ page: { apiKey, userId, canReveal } }: { page: ProfilePageData }) {
  const revealed = useActionData<Revealed>()?.revealed;
  const [params] = useSearchParams();
  return (
    <CardSection title="API key and user ID">
      <p className={muted}>
        With your own key, programs act as you. Machines and other systems have keys of an
        integration, which admins create. <a href={paths.apiDocs}>API documentation</a>
      </p>
      {revealed?.apiKey && (
        <SecretField
          label="API key"
          hint="Send it with each API call in the header 'Authorization: Bearer'. Store it like a password."
          secret={revealed.apiKey}
        />
      )}
      <FactList
        facts={[
          !revealed?.apiKey && ["API key", apiKey ? <code>{apiKey.masked}</code> : "None yet"],
          apiKey && ["Scopes", apiKey.scopes],
          apiKey && ["Created", apiKey.created],
          apiKey && ["Valid until", apiKey.expires],
          apiKey && ["Last used", apiKey.lastUsed],
          ["User ID", <code key="id">{revealed?.userId ?? userId}</code>],
        ]}
      />
      {revealed || !canReveal ? (
        <div className={actions}>
          {revealed && (
            <ButtonLink to={besideProfileForm(paths.profile, params)} preventScrollReset>
              Hide
            </ButtonLink>
          )}
          <RegenerateLink hasKey={apiKey !== null} />
        </div>
      ) : (
        <Form id="reveal" validator={revealValidator} preventScrollReset>
          <PasswordAgain />
          <FormSubmit
            name="intent"
            value="reveal"
            variant="default"
            pendingLabel="Revealing..."
            label={apiKey ? "Reveal API key" : "Reveal user ID"}
          >
            <RegenerateLink hasKey={apiKey !== null} />
          </FormSubmit>
        </Form>
      )}
    </CardSection>
  );
}

function RegenerateLink({ hasKey }: { hasKey: boolean }) {
  const [params] = useSearchParams();
  return (
    <DialogLink id="regenerate-key" to={besideProfileForm(paths.apiKey, params)} preventScrollReset>
      {hasKey ? "Regenerate API key" : "Create API key"}
    </DialogLink>
  );
}
