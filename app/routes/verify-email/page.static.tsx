// Without script: the same. The page is never hydrated.
import { Link, useActionData, useLoaderData } from "@remix-run/react";
import { endedLinkMessage } from "../../features/users/account-links";
import { type AccountAnswer } from "../../http/account-forms.server";
import { paths } from "../../paths";
import { Button } from "../../ui/form/button";
import * as form from "../../ui/form/form.css";
import { PublicPage, Refusal } from "../../ui/layout/public-page";
import type { action, loader } from "./route";

export default function VerifyEmail() {
  const { email } = useLoaderData<typeof loader>();
  const answer: AccountAnswer = useActionData<typeof action>() ?? {};
  const isOpen = email !== null && !answer.refusal;
  return (
    <PublicPage
      title="Verify email"
      text={isOpen ? `Confirm that ${email} is yours.` : "This address can't be verified."}
    >
      <Refusal>{isOpen ? undefined : (answer.refusal ?? endedLinkMessage)}</Refusal>
      {isOpen ? (
        <form method="post" className={form.form}>
          <div className={form.formActions}>
            <Button variant="primary">Verify email</Button>
          </div>
        </form>
      ) : (
        <Link to={paths.login}>Back to login</Link>
      )}
    </PublicPage>
  );
}
