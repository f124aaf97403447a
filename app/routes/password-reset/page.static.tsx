// Without script: the same. The page is never hydrated.
import { Link, useActionData, useLoaderData } from "@remix-run/react";
import { endedResetMessage } from "../../features/sign-in/account-links";
import { EmailField, NewPasswordForm, Refusal } from "../_account-links/account-fields";
import { paths } from "../../paths";
import { MessageBlock } from "../../ui/feedback/message-block";
import { Button } from "../../ui/form/button";
import * as form from "../../ui/form/form.css";
import { textLink } from "../../ui/layout/public-page.css";
import { PublicPage, Rejection } from "../../ui/layout/public-page";
import type { AccountAnswer } from "../_account-links/mailed-link.server";
import type { action, loader } from "./route";

export default function PasswordReset() {
  const { email, hasEnded, signedInAs } = useLoaderData<typeof loader>();
  const answer: AccountAnswer = useActionData<typeof action>() ?? {};
  if (email)
    return (
      <PublicPage title="Set a new password" text={`For ${email}.`}>
        <Refusal answer={answer} />
        <NewPasswordForm email={email} signedInAs={signedInAs} errors={answer.errors} />
        <Link to={paths.login}>Back to login</Link>
      </PublicPage>
    );
  return (
    <PublicPage title="Forgot Password?" text="We mail you a link to set a new one.">
      {hasEnded && !answer.sent && !answer.errors ? (
        <Rejection>{answer.rejection ?? endedResetMessage}</Rejection>
      ) : (
        <Refusal answer={answer} />
      )}
      {answer.sent && (
        <div role="status">
          <MessageBlock kind="info">{answer.sent}</MessageBlock>
        </div>
      )}
      <form method="post" action={paths.passwordReset} noValidate className={form.form}>
        <EmailField defaultValue={answer.values?.email} error={answer.errors?.email} />
        <div className={form.formActions}>
          <Button variant="primary" name="intent" value="send">
            Send
          </Button>
          <Link to={paths.login} className={textLink}>
            Back to login
          </Link>
        </div>
      </form>
    </PublicPage>
  );
}
