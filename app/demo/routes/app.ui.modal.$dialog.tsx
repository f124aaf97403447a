import { json } from "@remix-run/node";
import { Form, useActionData, useLoaderData, useNavigation } from "@remix-run/react";
import { catchNetworkErrors } from "../../forms/network-errors";
import { pageMeta } from "../../forms/page-meta";
import { restoreIntent } from "../../forms/validator";
import { screenLoader, screenRoute } from "../../http/answers.server";
import { redirectWithMessage } from "../../http/messages.server";
import { FailureNote } from "../../ui/feedback/message-block";
import { SubmitButton } from "../../ui/form/button";
import { parts } from "../../ui/layout/layout.css";
import { DialogActions, DialogCancel, DialogRoute } from "../../ui/overlay/dialog-route";
import { requireDemo } from "../demo.server";
import { dialogs, modalPath } from "../dialogs";

export const handle = {
  crumbs: Object.fromEntries(Object.entries(dialogs).map(([name, { title }]) => [name, title])),
};
export const meta = pageMeta<{ name: string }>(
  (data) => `${dialogs[data?.name ?? ""]?.title ?? "Dialog"} - Modal`,
);

/** @throws Response 404 for a name of none */
function dialogOf(name = "") {
  if (!Object.hasOwn(dialogs, name)) throw new Response(null, { status: 404 });
  return { name, ...dialogs[name]! };
}

export const loader = screenLoader(requireDemo, async ({ params }) => ({
  name: dialogOf(params.dialog).name,
}));

export const action = screenRoute(async (args: Parameters<typeof loader>[0]) => {
  const session = await requireDemo(args, { canRestore: true });
  const posted = await args.request.formData();
  if (posted.get("intent") === restoreIntent) return json({ email: String(posted.get("email")) });
  const { verb = "Close", title } = dialogOf(args.params.dialog);
  const text = `You pressed “${verb}” in “${title}”.`;
  return redirectWithMessage(session, modalPath, { kind: "info", text });
});

export const clientAction = catchNetworkErrors("The dialog could not be sent");

export default function Dialog() {
  const { name, title, verb, cancel, Content } = dialogOf(useLoaderData<typeof loader>().name);
  const isPending = useNavigation().formMethod === "POST";
  const { email, error } = useActionData<{ email?: string; error?: string }>() ?? {};
  return (
    <DialogRoute
      title={title}
      size={name === "xl" ? "wide" : "medium"}
      closeTo={modalPath}
      returnFocusTo={`open-${name}`}
    >
      <Form method="post" replace preventScrollReset className={parts}>
        <FailureNote isPending={isPending}>{error}</FailureNote>
        <Content email={email} />
        <DialogActions>
          {verb && (
            <SubmitButton isPending={isPending} pendingLabel={`${verb}...`}>
              {verb}
            </SubmitButton>
          )}
          <DialogCancel to={modalPath}>{cancel}</DialogCancel>
        </DialogActions>
      </Form>
    </DialogRoute>
  );
}
