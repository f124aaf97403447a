// Without script: the same. Password managers know all fields.
import { paths } from "../../paths";
import { MessageBlock } from "../../ui/feedback/message-block";
import { Button } from "../../ui/form/button";
import { ErrorSummary, InputField } from "../../ui/form/field";
import * as form from "../../ui/form/form.css";
import { LinkTabs } from "../../ui/layout/page";
import { Rejection } from "../../ui/layout/public-page";
import type { AccountAnswer } from "./mailed-link.server";

/** Says why a form was refused, field by field or as a whole; the browser moves the focus to it. */
export function Refusal({ answer: { rejection, errors = {} } }: { answer: AccountAnswer }) {
  const list = Object.entries(errors).map(([field, message]) => ({ href: `#${field}`, message }));
  return list.length > 0 ? <ErrorSummary errors={list} /> : <Rejection>{rejection}</Rejection>;
}

export function EmailField(input: { defaultValue?: string; error?: string }) {
  return (
    <InputField
      {...input}
      name="email"
      label="Email"
      type="email"
      autoComplete="username"
      required
    />
  );
}

/** The form that sets the password of an account whose address is known. */
export function NewPasswordForm({
  email,
  signedInAs,
  errors = {},
}: {
  email: string;
  signedInAs: string | null;
  errors?: Record<string, string>;
}) {
  return (
    <form method="post" noValidate className={form.form}>
      {signedInAs && (
        <MessageBlock kind="info">
          {`You are signed in as ${signedInAs}. Saving the password signs you out.`}
        </MessageBlock>
      )}
      <input type="hidden" name="intent" value="save" />
      {/* For password managers, which store the password under it, and to tell the links of two tabs apart. */}
      <input type="email" name="account" autoComplete="username" value={email} readOnly hidden />
      <NewPasswordFields errors={errors} />
      <div className={form.formActions}>
        <Button variant="primary">Save Password</Button>
      </div>
    </form>
  );
}

export function NewPasswordFields({ errors }: { errors: Record<string, string> }) {
  return (
    <>
      <InputField
        name="newPassword"
        label="New Password"
        hint="At least 12 characters. Several words are easy to remember and hard to guess."
        type="password"
        autoComplete="new-password"
        error={errors.newPassword}
        required
      />
      <InputField
        name="confirmPassword"
        label="Confirm Password"
        type="password"
        autoComplete="new-password"
        error={errors.confirmPassword}
        required
      />
    </>
  );
}

export function SignUpTabs() {
  return (
    <LinkTabs
      label="Sign in or sign up"
      tabs={[
        { to: paths.login, label: "Login" },
        { to: paths.signUp, label: "New User" },
      ]}
    />
  );
}
