import type { SerializeFrom } from "@remix-run/node";
import { muted, scripted, visuallyHidden } from "#styles/global.css";
import { passwordOnlyValidator } from "../../features/people/profile-forms";
import { codeValidator } from "../../features/second-factor/second-factor-forms";
import { paths } from "../../paths";
import { MessageBlock } from "../../ui/feedback/message-block";
import { ButtonLink } from "../../ui/form/button";
import { Form, FormSubmit, PasswordAgain, TextField } from "../../ui/validated-form/form";
import { IdempotencyKey } from "../../ui/form/idempotency-key";
import { FormCard } from "../../ui/layout/detail";
import { actionEntries, qrImage } from "../../ui/layout/layout.css";
import { DialogLink } from "../../ui/overlay/dialog-route";
import type { loader } from "./route";

type Data = SerializeFrom<typeof loader>;

/** The secret as a QR code and as text, and the field for the first code. */
export function SetUp({
  setUp,
  isOn,
  isRequired,
}: Pick<Data, "isOn" | "isRequired"> & { setUp: NonNullable<Data["setUp"]> }) {
  return (
    <FormCard title="Authenticator app">
      {isRequired && !isOn && (
        <MessageBlock kind="info">
          Your site requires two-step verification. Set up an app or a passkey to go on.
        </MessageBlock>
      )}
      <p>
        After your password, you enter a code from an authenticator app on your phone. Scan the QR
        code with the app, or type the key.
      </p>
      <img
        src={paths.secondFactorQr}
        alt="QR code with the key below"
        width={180}
        height={180}
        className={qrImage}
      />
      <p>
        Key: <code>{setUp.secret}</code>
      </p>
      <Form id="second-factor" validator={codeValidator}>
        <IdempotencyKey />
        <TextField
          name="code"
          label="Code"
          hint="The six digits that the app shows now."
          inputMode="numeric"
          autoComplete="one-time-code"
          width="short"
        />
        <PasswordAgain />
        <FormSubmit
          name="intent"
          value="confirm"
          pendingLabel="Turning on..."
          label={isOn ? "Add authenticator app" : "Turn on two-step verification"}
        />
      </Form>
    </FormCard>
  );
}

export function TurnedOn({
  recoveryCodes,
  setUp,
  isRequired,
  passkeys,
}: Pick<Data, "recoveryCodes" | "setUp" | "isRequired" | "passkeys">) {
  const secondStep = setUp
    ? "use a passkey. A passkey also signs you in alone, without the password"
    : `enter a code from your authenticator app${passkeys.length > 0 ? ", or use a passkey" : ""}`;
  return (
    <FormCard title="Two-step verification is on">
      <p>
        After your password you {secondStep}. You have {recoveryCodes} left.
      </p>
      <Form id="recovery-codes" validator={passwordOnlyValidator}>
        <IdempotencyKey suffix="recovery-codes" />
        <PasswordAgain />
        <FormSubmit
          name="intent"
          value="renew"
          variant="default"
          pendingLabel="Creating..."
          label="Create new recovery codes"
        >
          {!isRequired && (
            <DialogLink to={paths.secondFactorRemoval} preventScrollReset>
              Turn off two-step verification
            </DialogLink>
          )}
        </FormSubmit>
      </Form>
      {isRequired && (
        <p className={muted}>Your site requires it, so it can&apos;t be turned off.</p>
      )}
    </FormCard>
  );
}

/** The user's passkeys. Adding one needs a script; removing one needs none. */
export function Passkeys({ passkeys }: Pick<Data, "passkeys">) {
  return (
    <FormCard title="Passkeys">
      {passkeys.length === 0 ? (
        <p>
          A passkey signs you in with your fingerprint, your face or the PIN of a device, without a
          password or a code.
        </p>
      ) : (
        <ul className={actionEntries}>
          {passkeys.map(({ id, name, created, lastUsed }) => (
            <li key={id}>
              <p>
                <strong>{name}</strong>
              </p>
              <p className={muted}>
                Added {created}, last used {lastUsed}
              </p>
              <DialogLink to={paths.passkeyRemoval(id)} size="small" preventScrollReset>
                Remove <span className={visuallyHidden}>{name}</span>
              </DialogLink>
            </li>
          ))}
        </ul>
      )}
      <div>
        <ButtonLink to={paths.newPasskey} className={scripted}>
          Add a passkey
        </ButtonLink>
      </div>
    </FormCard>
  );
}
