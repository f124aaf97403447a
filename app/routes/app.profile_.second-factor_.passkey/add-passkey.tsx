// Without script: the page says that passkeys need one.
import { useActionData, useLoaderData } from "@remix-run/react";
import type { PasskeyCreation } from "../../features/users/passkey";
import { RecoveryCodes } from "../../features/users/recovery-codes";
import { wholeFormError } from "../../forms/validator";
import { paths } from "../../paths";
import { MessageBlock } from "../../ui/feedback/message-block";
import { Button, ButtonLink } from "../../ui/form/button";
import { InputField } from "../../ui/form/field";
import * as form from "../../ui/form/form.css";
import { PasskeyForm } from "../../ui/form/passkey-form";
import { CardSection } from "../../ui/layout/detail";
import { formCard, parts } from "../../ui/layout/layout.css";
import { Page } from "../../ui/layout/page";
import type { loader } from "./route";

type Answer = {
  fieldErrors?: Record<string, string>;
  repopulateFields?: Record<string, string>;
  request?: PasskeyCreation;
  name?: string;
  recoveryCodes?: string[];
};

export default function AddPasskey() {
  const { isPasswordAsked, isLite, name } = useLoaderData<typeof loader>();
  const answer: Answer = useActionData() ?? {};
  const errors = answer.fieldErrors ?? {};
  const back = (
    <ButtonLink to={paths.secondFactor} reloadDocument>
      {answer.recoveryCodes ? "Done" : "Cancel"}
    </ButtonLink>
  );
  if (answer.recoveryCodes)
    return (
      <Page title="Passkey added" actions={back}>
        <RecoveryCodes codes={answer.recoveryCodes} />
      </Page>
    );
  if (answer.request)
    return (
      <Page title="Add a passkey">
        <div className={formCard}>
          <CardSection title={answer.name ?? name}>
            <PasskeyForm
              request={answer.request}
              fields={{ intent: "add", name: answer.name }}
              isLite={isLite}
            >
              {back}
            </PasskeyForm>
          </CardSection>
        </div>
      </Page>
    );
  return (
    <Page title="Add a passkey">
      <div className={`${formCard} ${parts}`}>
        <CardSection title="New passkey">
          {errors[wholeFormError] && (
            <div role="alert">
              <MessageBlock kind="error">{errors[wholeFormError]}</MessageBlock>
            </div>
          )}
          <p>
            A passkey signs you in with your fingerprint, your face or the PIN of a device. It needs
            no password and no code.
          </p>
          <form method="post" noValidate className={form.form}>
            <InputField
              name="name"
              label="Name"
              hint="How you will know it again, such as the device it is on."
              defaultValue={answer.repopulateFields?.name ?? name}
              error={errors.name}
              required
              autoComplete="off"
            />
            {(isPasswordAsked || errors.password) && (
              <InputField
                name="password"
                type="password"
                label="Your password"
                hint="Required, because you last entered it more than 10 minutes ago."
                error={errors.password}
                autoComplete="current-password"
                required
              />
            )}
            <div className={form.formActions}>
              <Button variant="primary" name="intent" value="start">
                Continue
              </Button>
              {back}
            </div>
          </form>
        </CardSection>
      </div>
    </Page>
  );
}
