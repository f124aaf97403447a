// Without script: the page says that passkeys need one.
import { useActionData, useLoaderData } from "@remix-run/react";
import { useState } from "react";
import type { PasskeyCreation } from "../../features/second-factor/passkey";
import { RecoveryCodes } from "../../features/second-factor/recovery-codes";
import { passkeyNameValidator } from "../../features/second-factor/second-factor-forms";
import { noAnswerMessage } from "../../forms/network-errors";
import { formIdField, wholeFormError } from "../../forms/validator";
import { paths } from "../../paths";
import { ButtonLink } from "../../ui/form/button";
import { Form, FormSubmit, PasswordAgain, TextField } from "../../ui/validated-form/form";
import { IdempotencyKey } from "../../ui/form/idempotency-key";
import { PasskeyForm } from "../../ui/form/passkey-form";
import { CardSection } from "../../ui/layout/detail";
import { formCard } from "../../ui/layout/layout.css";
import { Page } from "../../ui/layout/page";
import type { loader } from "./route";

type Answer = {
  fieldErrors?: Record<string, string>;
  request?: PasskeyCreation;
  name?: string;
  recoveryCodes?: string[];
};

/** Both steps have one id: a passkey that is refused leads back to the first. */
const formId = "passkey";

export function AddPasskey() {
  const { isLite, name } = useLoaderData<typeof loader>();
  const { answer, failure } = useAnswer();
  const back = (
    <ButtonLink to={paths.secondFactor}>{answer.recoveryCodes ? "Done" : "Cancel"}</ButtonLink>
  );
  if (answer.recoveryCodes)
    return (
      <Page title="Passkey added" actions={back}>
        <RecoveryCodes codes={answer.recoveryCodes} />
      </Page>
    );
  return (
    <Page title="Add a passkey">
      <div className={formCard}>
        {answer.request ? (
          <CardSection title={answer.name ?? name}>
            <PasskeyForm
              key={answer.request.challenge}
              request={answer.request}
              fields={{ intent: "add", name: answer.name, [formIdField]: formId }}
              isLite={isLite}
              failure={failure}
            >
              <IdempotencyKey />
              {back}
            </PasskeyForm>
          </CardSection>
        ) : (
          <CardSection title="Name of the passkey">
            <p>
              A passkey signs you in with your fingerprint, your face or the PIN of a device. It
              needs no password and no code.
            </p>
            <Form id={formId} validator={passkeyNameValidator} defaultValues={{ name }}>
              <IdempotencyKey />
              <TextField
                name="name"
                label="Name"
                hint="Required. For example, the device that it is on."
                autoComplete="off"
              />
              <PasswordAgain />
              <FormSubmit name="intent" value="start" pendingLabel="Continuing..." label="Continue">
                {back}
              </FormSubmit>
            </Form>
          </CardSection>
        )}
      </div>
    </Page>
  );
}

const noneYet: Answer = {};

/** Returns the last answer of the server: an attempt that gets none leaves the page as it is, and says so. */
function useAnswer(): { answer: Answer; failure: string | undefined } {
  const answer = useActionData<Answer>() ?? noneYet;
  const [last, setLast] = useState(answer);
  if (answer.fieldErrors?.[wholeFormError] === noAnswerMessage)
    return { answer: last, failure: noAnswerMessage };
  if (answer !== last) setLast(answer);
  return { answer, failure: undefined };
}
