// Without script: the same.
import type { SerializeFrom } from "@remix-run/node";
import { muted } from "#styles/global.css";
import { passwordOnlyValidator } from "../../features/users/profile-forms";
import { codeValidator } from "../../features/users/second-factor-forms";
import { paths } from "../../paths";
import { MessageBlock } from "../../ui/feedback/message-block";
import { Form, FormButton, FormSubmit, PasswordAgain, TextField } from "../../ui/form/form";
import { CardSection } from "../../ui/layout/detail";
import { columns, formCard, qrImage } from "../../ui/layout/layout.css";
import type { loader } from "./route";

type Data = SerializeFrom<typeof loader>;
type Props = Pick<Data, "isPasswordAsked" | "isRequired"> & { isPending: boolean };

/** The secret as a QR code and as text, and the field for the first code. */
export function SetUp({
  setUp,
  isPasswordAsked,
  isRequired,
  isPending,
}: Props & { setUp: NonNullable<Data["setUp"]> }) {
  return (
    <div className={formCard}>
      <CardSection title="Set up">
        {isRequired && (
          <MessageBlock kind="info">
            Your site requires two-step verification. Set it up to go on.
          </MessageBlock>
        )}
        <p>
          After your password you enter a code of an authenticator app on your phone. Scan the QR
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
          <TextField
            name="code"
            label="Code"
            hint="The six digits that the app shows now."
            inputMode="numeric"
            autoComplete="one-time-code"
            width="short"
          />
          <PasswordAgain isAsked={isPasswordAsked} />
          <FormSubmit
            name="intent"
            value="confirm"
            isPending={isPending}
            pendingLabel="Turning on..."
            label="Turn on"
          />
        </Form>
      </CardSection>
    </div>
  );
}

export function TurnedOn({
  recoveryCodes,
  isPasswordAsked,
  isRequired,
  isPending,
}: Props & Pick<Data, "recoveryCodes">) {
  return (
    <div className={formCard}>
      <CardSection title="Two-step verification is on">
        <p>
          When you sign in, you enter a code of your authenticator app. You have {recoveryCodes}{" "}
          left.
        </p>
        <Form id="recovery-codes" validator={passwordOnlyValidator}>
          <PasswordAgain isAsked={isPasswordAsked} />
          <FormSubmit
            name="intent"
            value="renew"
            variant="default"
            isPending={isPending}
            pendingLabel="Making new codes..."
            label="Make new recovery codes"
          >
            {!isRequired && (
              <FormButton
                name="intent"
                value="remove"
                variant="danger"
                isPending={isPending}
                pendingLabel="Turning off..."
              >
                Turn off
              </FormButton>
            )}
          </FormSubmit>
        </Form>
        {isRequired && <p className={muted}>Your site requires it, so it can’t be turned off.</p>}
      </CardSection>
    </div>
  );
}

/** Shown once, in the answer to the form that made them. */
export function RecoveryCodes({ codes }: { codes: readonly string[] }) {
  return (
    <div className={formCard}>
      <CardSection title="Your recovery codes">
        <MessageBlock kind="warning">
          Save these codes now. They are not shown again. Each signs you in once when you don’t have
          your phone.
        </MessageBlock>
        <ul className={columns}>
          {codes.map((code) => (
            <li key={code}>
              <code>{code}</code>
            </li>
          ))}
        </ul>
      </CardSection>
    </div>
  );
}
