import { json, type ActionFunctionArgs } from "@remix-run/node";
import { DomainError, statusOfReason } from "../../errors";
import type { Actor } from "../../features/activity/audit-log.server";
import {
  deleteView,
  listSavedViews,
  renameView,
  saveView,
  setDefaultView,
} from "../../features/promotions/list/saved-views.server";
import { pageMeta } from "../../forms/page-meta";
import { stayOnPage } from "../../forms/network-errors";
import { screenLoader, screenRoute } from "../../http/answers.server";
import { requireUser } from "../../http/guards.server";
import { markRefused, redirectWithMessage, wasRefused } from "../../http/messages.server";
import { paths } from "../../paths";
import { listSearchOf } from "./saved-views";

export const meta = pageMeta();

export const loader = screenLoader(requireUser, async (args, { user }) => ({
  views: await listSavedViews(user.id),
  wasRefused: wasRefused(args.context),
}));

/** Does what a button asks for, and returns the message about it; null for any other button. */
async function runIntent(actor: Actor, posted: FormData, search: string): Promise<string | null> {
  const intent = posted.get("intent");
  const name = String(posted.get("name") ?? "");
  const id = posted.get("id");
  const list = new URLSearchParams(search);
  switch (intent) {
    case "save":
    case "replace":
      await saveView(actor, name, list, { replaces: intent === "replace" });
      return `View successfully ${intent}d`;
    case "rename":
      await renameView(actor, id, name);
      return "View successfully renamed";
    case "delete":
      await deleteView(actor, id);
      return "View successfully deleted";
    case "default":
      await setDefaultView(actor, id);
      return "The QR List now opens with this view";
    case "no-default":
      await setDefaultView(actor, null);
      return "The QR List now opens with all codes";
    default:
      return null;
  }
}

export const action = screenRoute(async (args: ActionFunctionArgs) => {
  const session = await requireUser(args, { canRestore: true });
  const posted = await args.request.formData();
  const search = listSearchOf(args.request.url);
  const answer = (error: string, status: number) => {
    if (status !== 200) markRefused(args.context);
    return json({ error, status, name: String(posted.get("name") ?? "") }, { status });
  };
  try {
    const text = await runIntent(session.actor, posted, search);
    if (text === null) return answer("", 200);
    const to = paths.qrList + (search || "?page=1");
    return await redirectWithMessage(session, to, { kind: "success", text });
  } catch (cause) {
    if (!(cause instanceof DomainError)) throw cause;
    return answer(cause.fields.name ?? cause.message, statusOfReason[cause.reason]);
  }
});

export const clientAction = stayOnPage("Error changing saved views");

export { SavedViews as default } from "./saved-views";
