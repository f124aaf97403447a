// Without script: the same. After a session has ended, scripts show it with the fields of the form that was sent.
import { Link, useActionData, useLoaderData } from "@remix-run/react";
import { MessageBlock } from "../../ui/feedback/message-block";
import { Button } from "../../ui/form/button";
import { Choice, InputField } from "../../ui/form/field";
import * as form from "../../ui/form/form.css";
import { PasskeyForm, PasskeyScript } from "../../ui/form/passkey-form";
import { scripted } from "#styles/global.css";
import { PublicPage, Rejection } from "../../ui/layout/public-page";
import { otherWay, textLink, wide } from "../../ui/layout/public-page.css";
import type { PasskeyRequest } from "../../features/second-factor/passkey";
import { EmailField, SignUpTabs } from "../_account-links/account-fields";
import { paths } from "../../paths";
import type { Answer } from "./answers.server";
import type { action, loader } from "./route";

/** The hidden field with the fields of a form that was posted after the session had ended. */
export const restoredFieldName = "restored";

export type LoginAttempt = {
  rejection?: string;
  email?: string;
  /** The fields of a form that was posted after the session had ended, packed into one; '' if they are too long. */
  restored?: string;
  /** Whether this browser will be asked for no code. */
  trust?: boolean;
  /** Whether pages may have scripts, which passkeys need. */
  hasPasskeys?: boolean;
};

/** Messages of pages that lead here, by the value of `notice`. */
export const notices = {
  password: "Password has been updated",
  email: "Your email was verified",
  undone: "Your address was restored. We have mailed you a link to set a new password.",
  file: "Nothing was downloaded. Sign in, and then download the file again.",
  welcome: "Your account is ready. Sign in with your new password.",
};

function LoginPage({
  greeting,
  notice,
  canSignUp,
  rejection,
  email = "",
  restored,
  hasPasskeys = false,
}: LoginAttempt & { greeting: string; notice: string | null; canSignUp: boolean }) {
  return (
    <PublicPage title={greeting} text="Sign in to continue.">
      {canSignUp && <SignUpTabs />}
      {restored !== undefined && (
        <MessageBlock kind="info">
          {restored === ""
            ? "Your session has ended, and the form is too long to be kept while you sign in. Go back, sign in in another tab, and send it again."
            : "Your session has ended. Sign in again, and the form comes back, without passwords and files."}
        </MessageBlock>
      )}
      {notice && !rejection && (
        <div role="status">
          <MessageBlock kind="info">{notice}</MessageBlock>
        </div>
      )}
      <Rejection>{rejection}</Rejection>
      <form method="post" noValidate className={form.form}>
        <RestoredField restored={restored} />
        <EmailField defaultValue={email} />
        <InputField
          name="password"
          label="Password"
          type="password"
          autoComplete="current-password"
          required
        />
        <div className={form.formActions}>
          <Button variant="primary" className={wide}>
            Login
          </Button>
          <Link to={paths.passwordReset} className={textLink} discover="none">
            Forgot Password?
          </Link>
          {hasPasskeys && <PasskeyButton />}
        </div>
      </form>
    </PublicPage>
  );
}

function CodePage({ rejection, restored, trust, hasPasskeys = false }: LoginAttempt) {
  return (
    <PublicPage title="Two-step verification" text="Your password is right. One step is left.">
      <Rejection>{rejection}</Rejection>
      <form method="post" noValidate className={form.form}>
        <RestoredField restored={restored} />
        <InputField
          name="code"
          label="Code"
          hint="The six digits of your authenticator app, or a recovery code."
          autoComplete="one-time-code"
          inputMode="text"
          required
        />
        <input type="hidden" name="second_step" value="true" />
        <Choice type="checkbox" name="trust" value="true" defaultChecked={trust}>
          Ask for no code in this browser for 30 days
        </Choice>
        <div className={form.formActions}>
          <Button variant="primary" name="intent" value="code" className={wide}>
            Verify
          </Button>
          <BackToLogin />
          {hasPasskeys && <PasskeyButton />}
        </div>
      </form>
    </PublicPage>
  );
}

function RestoredField({ restored }: Pick<LoginAttempt, "restored">) {
  if (restored === undefined) return null;
  return <input type="hidden" name={restoredFieldName} value={restored} />;
}

/** Posts to the same address, so that the sign-in page still has the way back and the restored form. */
function BackToLogin({ form }: { form?: string }) {
  return (
    <Button form={form} name="intent" value="back">
      Back to login
    </Button>
  );
}

/** Hidden where scripts are off. */
function PasskeyButton() {
  return (
    <Button name="intent" value="ask-passkey" className={`${scripted} ${otherWay}`}>
      Use a passkey
    </Button>
  );
}

/** Asks the browser for a passkey: instead of the password, or as the second step after it. */
function PasskeyPage({
  request,
  isLite,
  restored,
  trust,
  isSecondStep,
}: LoginAttempt & { request: PasskeyRequest; isLite: boolean; isSecondStep: boolean }) {
  const fields = {
    intent: "passkey",
    [restoredFieldName]: restored,
    second_step: isSecondStep ? "true" : undefined,
    trust: trust ? "true" : undefined,
  };
  return (
    <PublicPage title="Sign in with a passkey" text="Confirm on this device, or with your phone.">
      <PasskeyForm {...{ request, fields, isLite }}>
        <BackToLogin form="back" />
      </PasskeyForm>
      <form id="back" method="post">
        <RestoredField restored={restored} />
      </form>
      {!isLite && <PasskeyScript />}
    </PublicPage>
  );
}

/** A form to go back to, and its fields as they were filled. */
export type RestoredForm = { returnTo: string; fields: [string, string][] };

/** After a session ended in the middle of a form: one press, and the form is back. Needs no script. */
function ContinuePage({ returnTo, fields }: RestoredForm) {
  return (
    <PublicPage
      title="Continue"
      text="You are signed in again. The form comes back, without passwords and files."
    >
      <form method="post" action={returnTo}>
        {fields.map(([name, value], index) => (
          <input key={index} type="hidden" name={name} value={value} />
        ))}
        <input type="hidden" name="intent" value="restore" />
        <div className={form.formActions}>
          <Button variant="primary">Continue</Button>
        </div>
      </form>
    </PublicPage>
  );
}

/** Returns the greeting for an hour of the site's clock. */
export function greetingAt(hour: number): string {
  if (hour >= 4 && hour <= 12) return "Good Morning";
  if (hour >= 13 && hour <= 16) return "Good Day";
  if (hour >= 17) return "Good Evening";
  return "Good Night";
}

export default function Login() {
  const page = useLoaderData<typeof loader>();
  const answer: Answer = useActionData<typeof action>() ?? {};
  const { continueWith, passkeyRequest: request, isSecondStep = false, ...attempt } = answer;
  const { isLite } = page;
  const hasPasskeys = !isLite;
  if (continueWith) return <ContinuePage {...continueWith} />;
  if (request) return <PasskeyPage {...{ request, isLite, isSecondStep }} {...attempt} />;
  if (isSecondStep) return <CodePage {...{ hasPasskeys }} {...attempt} />;
  return <LoginPage {...page} {...{ hasPasskeys }} {...attempt} />;
}
