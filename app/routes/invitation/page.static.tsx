// Without script: the same. The page is never hydrated.
import { Link, useActionData, useLoaderData } from "@remix-run/react";
import { endedInvitationMessage } from "../../features/sign-in/account-links";
import { NewPasswordForm, Refusal } from "../_account-links/account-fields";
import { paths } from "../../paths";
import { PublicPage, Rejection } from "../../ui/layout/public-page";
import type { AccountAnswer } from "../_account-links/mailed-link.server";
import type { action, loader } from "./route";

export default function Invitation() {
  const { email, signedInAs } = useLoaderData<typeof loader>();
  const answer: AccountAnswer = useActionData<typeof action>() ?? {};
  if (!email)
    return (
      <PublicPage title="Invitation" text="Your invitation can't be used.">
        <Rejection>{answer.rejection ?? endedInvitationMessage}</Rejection>
        <Link to={paths.login}>Back to login</Link>
      </PublicPage>
    );
  return (
    <PublicPage title="Welcome!" text={`Choose a password for ${email}.`}>
      <Refusal answer={answer} />
      <NewPasswordForm email={email} signedInAs={signedInAs} errors={answer.errors} />
    </PublicPage>
  );
}
