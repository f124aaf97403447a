import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { Link, useActionData, useLoaderData } from "@remix-run/react";
import { NewPasswordForm } from "../../features/users/new-password-form";
import { pageMeta } from "../../forms/page-meta";
import { savePassword, type AccountAnswer } from "../../http/account-forms.server";
import { requireSignedOut } from "../../http/guards.server";
import { mailedLink } from "../../http/mailed-link.server";
import { paths } from "../../paths";
import { publicHandle, PublicPage, Refusal } from "../../ui/layout/public-page";

export const handle = publicHandle;

export const meta = pageMeta("Invitation");

export async function loader(args: LoaderFunctionArgs) {
  await requireSignedOut(args);
  const link = await mailedLink(args, "invitation");
  return { email: link?.user?.email ?? null };
}

export async function action(args: ActionFunctionArgs) {
  return savePassword(args, "invitation", "welcome");
}

export default function Invitation() {
  const { email } = useLoaderData<typeof loader>();
  const answer: AccountAnswer = useActionData<typeof action>() ?? {};
  if (!email || answer.refusal)
    return (
      <PublicPage title="Invitation" text="Your invitation can’t be used.">
        <Refusal>
          This link was used already, or it has ended. Ask an admin to send the invitation again.
        </Refusal>
        <Link to={paths.login}>Back to login</Link>
      </PublicPage>
    );
  return (
    <PublicPage title="Welcome!" text={`Choose a password for ${email}.`}>
      <NewPasswordForm email={email} errors={answer.errors} label="Save Password" />
    </PublicPage>
  );
}
