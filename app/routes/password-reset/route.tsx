import { json, type ActionFunctionArgs, type LoaderFunctionArgs } from "@remix-run/node";
import { Link, useActionData, useLoaderData } from "@remix-run/react";
import { requestPasswordReset } from "../../features/users/account-links.server";
import { endedLinkMessage } from "../../features/users/account-links";
import { emailError } from "../../features/users/managed-user";
import { NewPasswordForm } from "../../features/users/new-password-form";
import { pageMeta } from "../../forms/page-meta";
import { originOf, savePassword, type AccountAnswer } from "../../http/account-forms.server";
import { requireSignedOut } from "../../http/guards.server";
import { mailedLink } from "../../http/mailed-link.server";
import { paths } from "../../paths";
import { MessageBlock } from "../../ui/feedback/message-block";
import { Button, ButtonLink } from "../../ui/form/button";
import { InputField } from "../../ui/form/field";
import * as form from "../../ui/form/form.css";
import { publicHandle, PublicPage, Refusal } from "../../ui/layout/public-page";

export const handle = publicHandle;

export const meta = pageMeta("Password reset");

export async function loader(args: LoaderFunctionArgs) {
  await requireSignedOut(args);
  const link = await mailedLink(args, "password_reset");
  return { email: link?.user?.email ?? null, hasEnded: link !== null && link.user === null };
}

type Answer = AccountAnswer & { isSent?: boolean };

export async function action(args: ActionFunctionArgs) {
  await requireSignedOut(args);
  const posted = await args.request.clone().formData();
  if (posted.get("intent") === "save") return savePassword(args, "password_reset", "password");
  const email = String(posted.get("email") ?? "");
  const error = emailError(email);
  if (error) return json<Answer>({ errors: { email: error }, values: { email } }, { status: 422 });
  await requestPasswordReset(email, originOf(args));
  return json<Answer>({ isSent: true, values: { email } });
}

export default function PasswordReset() {
  const { email, hasEnded } = useLoaderData<typeof loader>();
  const answer: Answer = useActionData<typeof action>() ?? {};
  if (email && !answer.refusal)
    return (
      <PublicPage title="Set a new password" text={`For ${email}.`}>
        <NewPasswordForm email={email} errors={answer.errors} label="Save Password" />
        <Link to={paths.login}>Back to login</Link>
      </PublicPage>
    );
  return (
    <PublicPage title="Forgot Password?" text="We mail you a link that sets a new one.">
      <Refusal>
        {answer.refusal ?? (hasEnded && !answer.isSent ? endedLinkMessage : undefined)}
      </Refusal>
      {answer.isSent && (
        <div role="status">
          <MessageBlock kind="info">
            {`If ${answer.values?.email?.trim()} has an account, a mail with a link is on its way. The link works for 10 minutes.`}
          </MessageBlock>
        </div>
      )}
      <form method="post" action={paths.passwordReset} noValidate className={form.form}>
        <InputField
          name="email"
          label="Email"
          type="email"
          autoComplete="username"
          required
          defaultValue={answer.values?.email}
          error={answer.errors?.email}
        />
        <div className={form.formActions}>
          <Button variant="primary" name="intent" value="send">
            Send
          </Button>
          <ButtonLink to={paths.login} variant="quiet">
            Back to login
          </ButtonLink>
        </div>
      </form>
    </PublicPage>
  );
}
