import { json, type ActionFunctionArgs } from "@remix-run/node";
import { DomainError, statusOfReason } from "../../errors";
import { KeyConflict } from "../../features/activity/idempotency.server";
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
import { catchNetworkErrors } from "../../forms/network-errors";
import { screenRoute } from "../../http/answers.server";
import { describeFirstAttempt } from "../../http/first-attempt.server";
import {
  type FormPost,
  formLoader,
  newKey,
  notDoneMessage,
  readPost,
} from "../../http/form-action.server";
import { requireEditor } from "../../http/guards.server";
import { type NewMessage, redirectWithMessage } from "../../http/messages.server";
import { dialogSearch, undoIntent } from "../../lists/list-params";
import { paths } from "../../paths";
import { editParam, takenField, undoParam } from "./saved-views";

export const meta = pageMeta();

export const loader = formLoader(requireEditor, async (_args, { user }) => {
  const [views, deleted] = await Promise.all([listSavedViews(user), listDeletedViews(user)]);
  return { views, deleted };
});

type Outcome = Pick<NewMessage, "text" | "undoPath">;

/** Does what a button asks for, and returns the message about it; null for none, after the session had ended. */
async function runIntent({ field, options }: FormPost, url: URL): Promise<Outcome | null> {
  const [intent, name, id] = [field("intent"), field("name"), field("id")];
  const search = dialogSearch(url.searchParams);
  switch (intent) {
    case "save":
    case "replace": {
      // Another name was entered after the question: nobody was asked about a view of that name.
      const replaces = intent === "replace" && name === field(takenField);
      await saveView(name, new URLSearchParams(search), { ...options, replaces });
      return { text: `View successfully ${replaces ? "replaced" : "saved"}` };
    }
    case "rename":
      await renameView(id, name, Number(field("version")), options);
      return { text: "View successfully renamed" };
    case "share":
    case "unshare":
      await shareView(id, intent === "share", options);
      return {
        text:
          intent === "share" ? "Everybody sees this view now" : "Only its owner sees this view now",
      };
    case "delete": {
      const view = await deleteView(id, options);
      const undo = new URLSearchParams(search);
      undo.set(undoParam, view.id);
      return { text: `View "${view.name}" deleted`, undoPath: `${paths.savedViews}?${undo}` };
    }
    case undoIntent: {
      const view = await restoreView(id || (url.searchParams.get(undoParam) ?? ""), options);
      return { text: `View "${view.name}" restored` };
    }
    case "default":
      await setDefaultView(id, options);
      return { text: "The QR List now opens with this view" };
    case "no-default":
      await setDefaultView(null, options);
      return { text: "The QR List no longer opens with this view" };
    default:
      return null;
  }
}

/** Intents whose form has the field for a name. */
const namingIntents = ["save", "replace", "rename"];

/** Intents after which 'Edit view' stays open. */
const stayingIntents = ["share", "unshare", "default", "no-default"];

/** Answers a form that stays in the dialog. */
type Rejection = {
  error: string;
  status: number;
  /** Whether the name has to change. */
  isAboutName?: boolean;
  /** Leads to what an earlier attempt saved. */
  firstAttempt?: { href: string; message: string };
};

async function rejectIntent(cause: unknown, { field, session }: FormPost): Promise<Rejection> {
  if (!(cause instanceof DomainError)) throw cause;
  return {
    error: cause.fields.name ?? cause.message,
    status: statusOfReason[cause.reason],
    isAboutName: !(cause instanceof KeyConflict) && namingIntents.includes(field("intent")),
    ...(await describeFirstAttempt(cause, session.user)),
  };
}

export const action = screenRoute(async (args: ActionFunctionArgs) => {
  const session = await requireEditor(args, { canRestore: true });
  const post = await readPost(args, session);
  const url = new URL(args.request.url);
  let rejection: Rejection;
  try {
    const outcome = await runIntent(post, url);
    if (outcome !== null) {
      const search = dialogSearch(url.searchParams);
      // The dialog stays: its field may have a new name that is not saved yet.
      const stays =
        stayingIntents.includes(post.field("intent")) && url.searchParams.has(editParam);
      const to = stays
        ? paths.savedView(post.field("id")) + search.replace("?", "&")
        : paths.qrList + (search || "?page=1");
      return await redirectWithMessage(session, to, { kind: "success", ...outcome });
    }
    rejection = { error: notDoneMessage, status: 200 };
  } catch (cause) {
    rejection = await rejectIntent(cause, post);
    args.context.wasRefused = true;
  }
  const { status } = rejection;
  const { idempotencyKey } = post.options;
  return json(
    {
      ...rejection,
      name: post.field("name"),
      ...(idempotencyKey && {
        idempotencyKey:
          status === statusOfReason.conflict ? newKey(idempotencyKey) : idempotencyKey,
      }),
    },
    { status },
  );
});

export const clientAction = catchNetworkErrors("Error changing saved views");

export { SavedViews as default } from "./saved-views";
