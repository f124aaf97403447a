// Without script: the same. The page is never hydrated.
import { useActionData, useLoaderData } from "@remix-run/react";
import { endedUndoMessage } from "../../features/sign-in/account-links";
import { paths } from "../../paths";
import { Button, ButtonLink } from "../../ui/form/button";
import * as form from "../../ui/form/form.css";
import { PublicPage, Rejection } from "../../ui/layout/public-page";
import type { AccountAnswer } from "../_account-links/mailed-link.server";
import type { action, loader } from "./route";

export default function UndoEmail() {
  const { undo } = useLoaderData<typeof loader>();
  const { rejection }: AccountAnswer = useActionData<typeof action>() ?? {};
  if (!undo)
    return (
      <PublicPage title="Restore your address" text="This link doesn't work any more.">
        <Rejection>{rejection ?? endedUndoMessage}</Rejection>
        <div className={form.formActions}>
          <ButtonLink to={paths.login} variant="primary">
            Sign in
          </ButtonLink>
        </div>
      </PublicPage>
    );
  return (
    <PublicPage
      title="Restore your address"
      text={`Your account signs in with ${undo.currentEmail} now.`}
    >
      <Rejection>{rejection}</Rejection>
      <p>
        {`If that was not you, restore ${undo.email}. The password, all sessions and tokens end, and whatever was added to the account since then: keys, passkeys, an authenticator app. We mail you a link to set a new password.`}
      </p>
      <form method="post" className={form.form}>
        <input type="hidden" name="account" value={undo.email} />
        <div className={form.formActions}>
          <Button variant="primary">{`Restore ${undo.email}`}</Button>
        </div>
      </form>
    </PublicPage>
  );
}
