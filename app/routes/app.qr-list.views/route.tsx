import { json, type ActionFunctionArgs } from "@remix-run/node";
import { DomainError, statusOfReason } from "../../errors";
import {
  deleteView,
  listDeletedViews,
  restoreView,
} from "../../features/promotions/list/deleted-views.server";
import {
  listSavedViews,
  renameView,
  saveView,
  setDefaultView,
  shareView,
} from "../../features/promotions/list/saved-views.server";
import { pageMeta } from "../../forms/page-meta";
import { stayOnPage } from "../../forms/network-errors";
import { screenLoader, screenRoute } from "../../http/answers.server";
import { notDoneMessage } from "../../http/form-action.server";
import { requireEditor } from "../../http/guards.server";
import { type NewMessage, redirectWithMessage } from "../../http/messages.server";
import type { Session } from "../../http/sessions.server";
import { dialogSearch, undoIntent } from "../../lists/list-params";
import { paths } from "../../paths";
import { takenField, undoParam } from "./saved-views";

export const meta = pageMeta();

export const loader = screenLoader(requireEditor, async (args, { user }) => {
  const [views, deleted] = await Promise.all([listSavedViews(user), listDeletedViews(user)]);
  return { views, deleted, wasRefused: args.context.wasRefused };
});

type Outcome = Pick<NewMessage, "text" | "undoPath">;

/** Does what a button asks for, and returns the message about it; null for none, after the session had ended. */
async function runIntent(
  actor: Session["actor"],
  posted: FormData,
  url: URL,
): Promise<Outcome | null> {
  const intent = posted.get("intent");
  const name = String(posted.get("name") ?? "");
  const id = posted.get("id");
  const search = dialogSearch(url.searchParams);
  switch (intent) {
    case "save":
    case "replace": {
      // Another name was entered after the question: nobody was asked about a view of that name.
      const replaces = intent === "replace" && name === posted.get(takenField);
      await saveView(actor, name, new URLSearchParams(search), { replaces });
      return { text: `View successfully ${replaces ? "replaced" : "saved"}` };
    }
    case "rename":
      await renameView(actor, id, name, Number(posted.get("version")));
      return { text: "View successfully renamed" };
    case "share":
    case "unshare":
      await shareView(actor, id, intent === "share");
      return {
        text:
          intent === "share" ? "Everybody sees this view now" : "Only its owner sees this view now",
      };
    case "delete": {
      const view = await deleteView(actor, id);
      const undo = new URLSearchParams(search);
      undo.set(undoParam, view.id);
      return { text: `View "${view.name}" deleted`, undoPath: `${paths.savedViews}?${undo}` };
    }
    case undoIntent: {
      const view = await restoreView(actor, id ?? url.searchParams.get(undoParam));
      return { text: `View "${view.name}" restored` };
    }
    case "default":
      await setDefaultView(actor, id);
      return { text: "The QR List now opens with this view" };
    case "no-default":
      await setDefaultView(actor, null);
      return { text: "The QR List no longer opens with this view" };
    default:
      return null;
  }
}

/** Intents whose form has the field for a name. */
const namingIntents = ["save", "replace", "rename"];

export const action = screenRoute(async (args: ActionFunctionArgs) => {
  const session = await requireEditor(args, { canRestore: true });
  const posted = await args.request.formData();
  const url = new URL(args.request.url);
  const answer = (error: string, status: number, isAboutName = true) => {
    if (status !== 200) args.context.wasRefused = true;
    const name = posted.get("name")?.toString();
    return json({ error, status, name, isAboutName }, { status });
  };
  try {
    const outcome = await runIntent(session.actor, posted, url);
    if (outcome === null) return answer(notDoneMessage, 200, false);
    const to = paths.qrList + (dialogSearch(url.searchParams) || "?page=1");
    return await redirectWithMessage(session, to, { kind: "success", ...outcome });
  } catch (cause) {
    if (!(cause instanceof DomainError)) throw cause;
    const isAboutName = namingIntents.includes(String(posted.get("intent")));
    return answer(cause.fields.name ?? cause.message, statusOfReason[cause.reason], isAboutName);
  }
});

export const clientAction = stayOnPage("Error changing saved views");

export { SavedViews as default } from "./saved-views";
