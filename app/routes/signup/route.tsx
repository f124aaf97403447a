import { json, type ActionFunctionArgs, type LoaderFunctionArgs } from "@remix-run/node";
import { Link, useActionData } from "@remix-run/react";
import { environment } from "../../env.server";
import { signUp } from "../../features/users/account-links.server";
import { emailError, maxLengths, textError } from "../../features/users/managed-user";
import { NewPasswordFields } from "../../features/users/new-password-form";
import { SignUpTabs } from "../../features/users/sign-up-tabs";
import { pageMeta } from "../../forms/page-meta";
import { originOf, refuse, type AccountAnswer } from "../../http/account-forms.server";
import { requireSignedOut } from "../../http/guards.server";
import { paths } from "../../paths";
import { MessageBlock } from "../../ui/feedback/message-block";
import { Button } from "../../ui/form/button";
import { InputField } from "../../ui/form/field";
import * as form from "../../ui/form/form.css";
import { publicHandle, PublicPage, Refusal } from "../../ui/layout/public-page";

export const handle = publicHandle;

export const meta = pageMeta("Sign up");

/** The screen exists only with ALLOW_SIGNUP. */
function requireSignUp(): void {
  if (!environment().allowSignup) throw new Response("Not found", { status: 404 });
}

export async function loader(args: LoaderFunctionArgs) {
  await requireSignedOut(args);
  requireSignUp();
  return null;
}

type Answer = AccountAnswer & { isSent?: boolean };

export async function action(args: ActionFunctionArgs) {
  await requireSignedOut(args);
  requireSignUp();
  const posted = await args.request.formData();
  const text = (name: string) => String(posted.get(name) ?? "");
  const values = {
    firstName: text("firstName").trim(),
    lastName: text("lastName").trim(),
    email: text("email").trim(),
  };
  const errors = Object.entries({
    firstName: textError(values.firstName, maxLengths.firstName),
    lastName: textError(values.lastName, maxLengths.lastName),
    email: emailError(values.email),
  }).filter((entry): entry is [string, string] => entry[1] !== null);
  if (errors.length > 0)
    return json<Answer>({ errors: Object.fromEntries(errors), values }, { status: 422 });
  const password = { newPassword: text("newPassword"), confirmPassword: text("confirmPassword") };
  try {
    await signUp(values, password, originOf(args));
  } catch (cause) {
    return refuse(cause, values);
  }
  return json<Answer>({ isSent: true, values });
}

export default function SignUp() {
  const { isSent, refusal, errors = {}, values }: Answer = useActionData<typeof action>() ?? {};
  if (isSent)
    return (
      <PublicPage title="Check your mail" text="One step is left.">
        <div role="status">
          <MessageBlock kind="info">
            {`A mail is on its way to ${values?.email}. Open its link within 24 hours to verify your address. Then sign in.`}
          </MessageBlock>
        </div>
        <Link to={paths.login}>Back to login</Link>
      </PublicPage>
    );
  const field = (name: string, label: string, more: object = {}) => (
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
      <Refusal>{refusal}</Refusal>
      <form method="post" noValidate className={form.form}>
        {field("firstName", "First name (optional)", { autoComplete: "given-name" })}
        {field("lastName", "Last name (optional)", { autoComplete: "family-name" })}
        {field("email", "Email", { type: "email", autoComplete: "username", required: true })}
        <NewPasswordFields errors={errors} />
        <div className={form.formActions}>
          <Button variant="primary">Create account</Button>
        </div>
      </form>
    </PublicPage>
  );
}
