import { json } from "@remix-run/node";
import { Form, useActionData, useLoaderData, useNavigation } from "@remix-run/react";
import * as css from "../../demo/showcase/ui.css";
import * as pageCss from "../../demo/showcase/pages.css";
import { requireDemo } from "../../demo/guard.server";
import { dialogCrumbs, dialogs, isDialogName, modalPath } from "../../demo/showcase/dialogs";
import { keepPage } from "../../forms/network-errors";
import { pageMeta } from "../../forms/page-meta";
import { restoreIntent } from "../../forms/validator";
import { screenLoader, screenRoute } from "../../http/answers.server";
import { redirectWithMessage } from "../../http/messages.server";
import { InputField } from "../../ui/form/field";
import { SubmitButton } from "../../ui/form/button";
import { DialogActions, DialogCancel, DialogRoute } from "../../ui/overlay/dialog-route";

type Data = ReturnType<typeof dialogOf>;

export const handle = { crumbs: dialogCrumbs };
export const meta = pageMeta<Data>((data) => `${data?.title ?? "Dialog"} - Modal`);

export const loader = screenLoader(requireDemo, async ({ params }) => dialogOf(params.dialog));

export const action = screenRoute(async (args: Parameters<typeof loader>[0]) => {
  const session = await requireDemo(args, { canRestore: true });
  const posted = await args.request.formData();
  if (posted.get("intent") === restoreIntent) return json({ email: String(posted.get("email")) });
  const { verb, title } = dialogOf(args.params.dialog);
  const text = `You pressed “${verb ?? "Close"}” in “${title}”.`;
  return redirectWithMessage(session, modalPath, { kind: "info", text });
});

export const clientAction = keepPage("");

function dialogOf(name: string | undefined) {
  if (!isDialogName(name)) throw new Response(null, { status: 404 });
  return { name, ...dialogs[name] };
}

export default function Dialog() {
  const { name, title, verb, cancel } = useLoaderData<typeof loader>();
  const isPending = useNavigation().formMethod === "POST";
  return (
    <DialogRoute
      title={title}
      size={name === "xl" ? "wide" : "medium"}
      closeTo={modalPath}
      returnFocusTo={`open-${name}`}
    >
      <Form method="post" replace preventScrollReset className={css.stackWide}>
        <Content name={name} />
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

const paragraph =
  "Cras mattis consectetur purus sit amet fermentum. Cras justo odio, dapibus ac facilisis in, egestas eget quam.";

function Content({ name }: { name: string }) {
  const email = useActionData<{ email?: string }>()?.email;
  if (name === "form")
    return (
      <InputField
        name="email"
        type="email"
        label="Email Address"
        hint="We send updates occasionally."
        defaultValue={email}
      />
    );
  if (name === "grid")
    return (
      <div className={pageCss.equal}>
        {["1", "2", "3", "4", "5", "6"].map((number) => (
          <span key={number} className={pageCss.cell}>
            {number}
          </span>
        ))}
      </div>
    );
  if (name === "scroll")
    return (
      // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls by keyboard
      <div tabIndex={0} role="region" aria-label="Terms" className={pageCss.scrolling}>
        {Array.from({ length: 20 }, (_, at) => (
          <p key={at}>{paragraph}</p>
        ))}
      </div>
    );
  if (name === "sm") return <p>One short sentence fits here.</p>;
  if (name === "xl") return <p>{paragraph}</p>;
  return <p>Apps may then find out where you are, even when no app is running.</p>;
}
