// Without script: a form for each view; its buttons say what they do.
import { json, redirect, type ActionFunctionArgs } from "@remix-run/node";
import { Form, useActionData, useLoaderData, useLocation } from "@remix-run/react";
import { DomainError, statusOfReason } from "../../errors";
import {
  deleteView,
  listSavedViews,
  renameView,
  saveView,
  setDefaultView,
} from "../../features/promotions/list/saved-views.server";
import { formMeta } from "../../forms/form-meta";
import { pageSearch } from "../../forms/list";
import { screenLoader } from "../../http/answers.server";
import { requireUser } from "../../http/guards.server";
import { paths } from "../../paths";
import { Button, ButtonLink } from "../../ui/form/button";
import { InputField } from "../../ui/form/field";
import { formActions } from "../../ui/form/form.css";
import { entries } from "../../ui/layout/layout.css";
import { DialogCancel, DialogRoute } from "../../ui/overlay/dialog-route";
import * as css from "./views.css";

export const meta = formMeta("Saved views - QR List");

export const loader = screenLoader(requireUser, async (args, { user }) => ({
  views: await listSavedViews(user.id),
}));

export async function action(args: ActionFunctionArgs) {
  const { user } = await requireUser(args, { canRestore: true });
  const posted = await args.request.formData();
  const search = pageSearch(new URL(args.request.url).searchParams);
  const text = (name: string) => String(posted.get(name) ?? "");
  const intent = text("intent");
  const id = posted.get("id");
  const answer = (error: string, status: number) =>
    json({ error, intent, id: text("id"), name: text("name") }, { status });
  try {
    if (intent === "save") await saveView(user.id, text("name"), new URLSearchParams(search));
    else if (intent === "rename") await renameView(user.id, id, text("name"));
    else if (intent === "delete") await deleteView(user.id, id);
    else if (intent === "default") await setDefaultView(user.id, id);
    else if (intent === "no-default") await setDefaultView(user.id, null);
    else return answer("", 200);
  } catch (cause) {
    if (!(cause instanceof DomainError)) throw cause;
    return answer(cause.message, statusOfReason[cause.reason]);
  }
  return redirect(paths.savedViews + search, 303);
}

export default function SavedViews() {
  const { views } = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  const { search } = useLocation();
  const rejected = (intent: string, id = "") =>
    answer && answer.id === id && (answer.intent === intent || answer.intent === "restore")
      ? answer
      : undefined;
  const closeTo = `${paths.qrList}${search || "?page=1"}`;
  return (
    <DialogRoute title="Saved views" size="wide" closeTo={closeTo} returnFocusTo="saved-views">
      {views.length === 0 ? (
        <p>A view keeps the filters, the order and the columns of the list under a name.</p>
      ) : (
        <ul className={entries}>
          {views.map((view) => (
            <ViewForm key={view.id} view={view} rejected={rejected("rename", view.id)} />
          ))}
        </ul>
      )}
      <Form method="post" preventScrollReset className={css.rename}>
        <InputField
          name="name"
          label="Name of the present list"
          defaultValue={rejected("save")?.name ?? ""}
          error={rejected("save")?.error}
        />
        <div className={formActions}>
          <Button name="intent" value="save" variant="primary">
            Save the present list
          </Button>
          <DialogCancel to={closeTo}>Close</DialogCancel>
        </div>
      </Form>
    </DialogRoute>
  );
}

function ViewForm({
  view,
  rejected,
}: {
  view: { id: string; name: string; parameters: string; isDefault: boolean };
  rejected: { name: string; error: string } | undefined;
}) {
  return (
    <li className={css.view}>
      <ButtonLink to={`${paths.qrList}?${view.parameters || "page=1"}`} size="small">
        Open {view.name}
      </ButtonLink>
      <Form method="post" preventScrollReset className={css.rename}>
        <input type="hidden" name="id" value={view.id} />
        <InputField
          id={`name-${view.id}`}
          name="name"
          label={`Name of ${view.name}`}
          defaultValue={rejected?.name ?? view.name}
          error={rejected?.error}
        />
        <div className={formActions}>
          <Button name="intent" value="rename" size="small">
            Rename {view.name}
          </Button>
          <Button name="intent" value={view.isDefault ? "no-default" : "default"} size="small">
            {view.isDefault ? `Stop opening ${view.name} first` : `Open ${view.name} first`}
          </Button>
          <Button name="intent" value="delete" size="small">
            Delete {view.name}
          </Button>
        </div>
      </Form>
    </li>
  );
}
