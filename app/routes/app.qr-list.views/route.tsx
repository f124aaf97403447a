import {
  json,
  redirect,
  type ActionFunctionArgs,
  type LoaderFunctionArgs,
  type MetaFunction,
} from "@remix-run/node";
import { Form, useActionData, useLoaderData, useLocation } from "@remix-run/react";
import { DomainError, statusOfReason } from "../../errors";
import {
  deleteView,
  listSavedViews,
  renameView,
  saveView,
  setDefaultView,
} from "../../features/promotions/list/saved-views.server";
import { pageSearch } from "../../forms/list";
import { requireUser } from "../../http/guards.server";
import { paths } from "../../paths";
import { Button } from "../../ui/form/button";
import * as form from "../../ui/form/form.css";
import { DialogCancel, DialogRoute } from "../../ui/overlay/dialog-route";
import { NameField, ViewForm } from "./view-form";
import * as css from "./views.css";

export const meta: MetaFunction = () => [{ title: "Saved views - QR List - Promo Console" }];

export async function loader(args: LoaderFunctionArgs) {
  const { user } = await requireUser(args);
  return json({ views: await listSavedViews(user.id) });
}

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
  const refused = (intent: string, id = "") =>
    answer && answer.id === id && (answer.intent === intent || answer.intent === "restore")
      ? answer
      : undefined;
  return (
    <DialogRoute
      title="Saved views"
      size="wide"
      closeTo={`${paths.qrList}${search || "?page=1"}`}
      returnFocusTo="saved-views"
    >
      {views.length === 0 ? (
        <p>A view keeps the filters, the order and the columns of the list under a name.</p>
      ) : (
        <ul className={css.views}>
          {views.map((view) => (
            <ViewForm key={view.id} view={view} refused={refused("rename", view.id)} />
          ))}
        </ul>
      )}
      <Form method="post" preventScrollReset className={css.rename}>
        <NameField
          id="name"
          label="Name of the present list"
          value={refused("save")?.name ?? ""}
          error={refused("save")?.error}
        />
        <div className={form.formActions}>
          <Button name="intent" value="save" variant="primary">
            Save the present list
          </Button>
          <DialogCancel to={`${paths.qrList}${search || "?page=1"}`}>Close</DialogCancel>
        </div>
      </Form>
    </DialogRoute>
  );
}
