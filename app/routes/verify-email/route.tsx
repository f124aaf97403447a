import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { Link, useActionData, useLoaderData } from "@remix-run/react";
import { endedLinkMessage } from "../../features/users/account-links";
import { verifyEmail } from "../../features/users/account-links.server";
import { pageMeta } from "../../forms/page-meta";
import { originOf, refuse, type AccountAnswer } from "../../http/account-forms.server";
import { allowAnyone } from "../../http/guards.server";
import { leaveMailedLink, mailedLink } from "../../http/mailed-link.server";
import { paths } from "../../paths";
import { Button } from "../../ui/form/button";
import * as form from "../../ui/form/form.css";
import { publicHandle, PublicPage, Refusal } from "../../ui/layout/public-page";

export const handle = publicHandle;

export const meta = pageMeta("Verify email");

export async function loader(args: LoaderFunctionArgs) {
  await allowAnyone(args);
  const link = await mailedLink(args, "email_verification");
  return { email: link?.user?.email ?? null };
}

export async function action(args: ActionFunctionArgs) {
  await allowAnyone(args);
  const link = await mailedLink(args, "email_verification");
  try {
    await verifyEmail(link?.secret ?? "", originOf(args));
  } catch (cause) {
    return refuse(cause);
  }
  return leaveMailedLink("email_verification", paths.loginWith("email"));
}

export default function VerifyEmail() {
  const { email } = useLoaderData<typeof loader>();
  const answer: AccountAnswer = useActionData<typeof action>() ?? {};
  const isOpen = email !== null && !answer.refusal;
  return (
    <PublicPage
      title="Verify email"
      text={isOpen ? `Confirm that ${email} is yours.` : "This address can’t be verified."}
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
