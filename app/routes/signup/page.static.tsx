// Without script: the same. The page is never hydrated.
import { Link, useActionData } from "@remix-run/react";
import type { ReactNode } from "react";
import { NewPasswordFields, Refusal, SignUpTabs } from "../_account-links/account-fields";
import { paths } from "../../paths";
import { MessageBlock } from "../../ui/feedback/message-block";
import { Button } from "../../ui/form/button";
import { InputField, optional } from "../../ui/form/field";
import * as form from "../../ui/form/form.css";
import { PublicPage } from "../../ui/layout/public-page";
import type { AccountAnswer } from "../_account-links/mailed-link.server";
import type { action } from "./route";

export default function SignUp() {
  const answer: AccountAnswer = useActionData<typeof action>() ?? {};
  const { sent, errors = {}, values } = answer;
  if (sent)
    return (
      <PublicPage title="Check your mail" text="One step is left.">
        <div role="status">
          <MessageBlock kind="info">{sent}</MessageBlock>
        </div>
        <Link to={paths.login}>Back to login</Link>
      </PublicPage>
    );
  const field = (name: string, label: ReactNode, more: object = {}) => (
    <InputField
      name={name}
      label={label}
      defaultValue={values?.[name]}
      error={errors[name]}
      {...more}
    />
  );
  return (
    <PublicPage title="Welcome!" text="Create your account.">
      <SignUpTabs />
      <Refusal answer={answer} />
      <form method="post" noValidate className={form.form}>
        {field("firstName", optional("First name"), { autoComplete: "given-name" })}
        {field("lastName", optional("Last name"), { autoComplete: "family-name" })}
        {field("email", "Email", { type: "email", autoComplete: "username", required: true })}
        <NewPasswordFields errors={errors} />
        <div className={form.formActions}>
          <Button variant="primary">Create account</Button>
        </div>
      </form>
    </PublicPage>
  );
}
