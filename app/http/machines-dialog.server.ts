/** What the dialogs 'Manage Machines' of promotions and mass generations have in common (core §8). */
import { json, type ActionFunctionArgs } from "@remix-run/node";
import { DomainError, statusOfReason } from "../errors";
import {
  fieldNames,
  listSearchOf,
  tickedIn,
  type DialogAnswer,
  type DialogReply,
  type Ticked,
} from "../features/promotions/manage-machines/dialog-actions";
import { redirectWithMessage } from "./messages.server";
import { markRefused } from "./refused.server";
import type { Session } from "./sessions.server";

/**
 * Does what a button of the dialog asks for and opens it again; scripts, which stay where they are,
 * get the answer alone. What was refused comes back with what was ticked.
 * @param path of the dialog, without a query string
 * @param perform null where a button asks for nothing, as `restore` does
 */
export async function answerMachinesDialog(
  { request, context }: ActionFunctionArgs,
  session: Session,
  path: string,
  perform: (intent: string, ticked: Ticked) => Promise<DialogAnswer | null>,
): Promise<Response> {
  const posted = await request.formData();
  const ticked = tickedIn(posted);
  const search = String(posted.get(fieldNames.search) ?? "");

  let answer: DialogAnswer | null;
  let status = 200;
  try {
    answer = await perform(String(posted.get("intent") ?? ""), ticked);
  } catch (cause) {
    if (!(cause instanceof DomainError)) throw cause;
    answer = { kind: "error", text: cause.message };
    status = statusOfReason[cause.reason];
  }
  if (answer && answer.kind !== "error" && !posted.has(fieldNames.inPlace)) {
    const back = new URLSearchParams(listSearchOf(new URL(request.url).search));
    if (search) back.set(fieldNames.search, search);
    return redirectWithMessage(session, `${path}${back.size > 0 ? `?${back}` : ""}`, answer);
  }
  if (status !== 200) markRefused(context);
  return json<DialogReply>({ answer, ticked, search }, { status });
}
