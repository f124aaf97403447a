// Without script: the same. The page is never hydrated.
import { useActionData, useLoaderData } from "@remix-run/react";
import { endedVerificationMessage } from "../../features/sign-in/account-links";
import { paths } from "../../paths";
import { Button, ButtonLink } from "../../ui/form/button";
import * as form from "../../ui/form/form.css";
import { PublicPage, Rejection } from "../../ui/layout/public-page";
import type { AccountAnswer } from "../_account-links/mailed-link.server";
import type { action, loader } from "./route";

export default function VerifyEmail() {
  const { email } = useLoaderData<typeof loader>();
  const answer: AccountAnswer = useActionData<typeof action>() ?? {};
  const isOpen = email !== null && !answer.rejection;
  return (
    <PublicPage
      title="Verify email"
      text={isOpen ? `Confirm that ${email} is yours.` : "This link doesn't work any more."}
    >
      <Rejection>{isOpen ? undefined : (answer.rejection ?? endedVerificationMessage)}</Rejection>
      {isOpen ? (
        <form method="post" className={form.form}>
          <input type="hidden" name="account" value={email} />
          <div className={form.formActions}>
            <Button variant="primary">Verify email</Button>
          </div>
        </form>
      ) : (
        <div className={form.formActions}>
          <ButtonLink to={paths.login} variant="primary">
            Sign in
          </ButtonLink>
          <ButtonLink to={paths.passwordReset}>Set a new password</ButtonLink>
        </div>
      )}
    </PublicPage>
  );
}
