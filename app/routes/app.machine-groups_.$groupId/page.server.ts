import { json, type ActionFunctionArgs, type LoaderFunctionArgs } from "@remix-run/node";
import { siteTimeZone } from "../../db/site.server";
import { DomainError, statusOfReason } from "../../errors";
import { parseGroupList } from "../../features/machines/group-list";
import {
  addMachines,
  listGroupMembers,
  listNonMembers,
  pasteMachines,
  removeMachines,
  type Pasted,
} from "../../features/machines/group-members.server";
import {
  addedMessage,
  pasteErrorMessage,
  removedMessage,
} from "../../features/machines/group-view";
import { layOutPickers } from "../../features/assignments/target-lists";
import { machineTarget, type Picker } from "../../features/assignments/targets";
import { editMachineGroup, getMachineGroup } from "../../features/machines/machine-groups.server";
import {
  chooseValidator,
  editGroupValidator,
  groupIntents,
  pasteValidator,
} from "../../features/machines/machine-groups-forms";
import { readGroupAssignments, withUse } from "../../features/assignments/group-assignments.server";
import { groupHistory } from "../../features/activity/history.server";
import { refillForm, wholeFormError, type FieldErrors } from "../../forms/validator";
import { redirectWithMessage } from "../../http/messages.server";
import { markRefused, wasRefused } from "../../http/refused.server";
import type { Session } from "../../http/sessions.server";
import { paths } from "../../paths";

/** Answer to a post that does not redirect. */
export type PageAnswer = {
  fieldErrors?: FieldErrors;
  /** Form that the errors are about. */
  formId?: string | undefined;
  repopulateFields?: unknown;
  /** Text that stays in the box for serial numbers, and the result for each of them. */
  serials?: string | undefined;
  pasted?: Pasted | undefined;
  pickers?: Picker[] | undefined;
  /** Version that the edit form was based on; null where it has to be the present one. */
  version?: string | null | undefined;
  /** Reason why nothing was removed, and the ticked machines. */
  removal?: string | undefined;
  ticked?: string[];
};

/** @throws DomainError not_found */
export async function readPage({ request, params, context }: LoaderFunctionArgs) {
  const group = await getMachineGroup(params.groupId ?? "");
  const { searchParams } = new URL(request.url);
  const { query, errors } = parseGroupList(searchParams);
  const problems = Object.values(errors);
  const isChoosing = searchParams.get("add") === "list";
  const [[groupWithUse], members, pickers, assignments, history] = await Promise.all([
    withUse([group]),
    listGroupMembers(group.id, query),
    isChoosing ? readPickers(group.id, new URLSearchParams()) : null,
    readGroupAssignments(group.id),
    groupHistory(group.id, siteTimeZone()),
  ]);
  if (members.page !== query.page) problems.push("That page has no rows: this is the nearest one");
  return {
    group: groupWithUse!,
    members: { ...members, query: { ...query, page: members.page } },
    pickers,
    assignments,
    history,
    problems,
    wasRefused: wasRefused(context),
  };
}

async function readPickers(groupId: string, fields: FormData | URLSearchParams) {
  const machines = await listNonMembers(groupId);
  return layOutPickers({ machine: machines.map(machineTarget) }, fields);
}

type Done = { kind: "success" | "info"; text: string };

/**
 * Does what a button of the page asks for, and goes back to it; what can't be done, and what only
 * changes a form, comes back as it was typed.
 * @throws DomainError not_found
 */
export async function act(args: ActionFunctionArgs, session: Session): Promise<Response> {
  const posted = await args.request.formData();
  const intent = String(posted.get("intent") ?? "");
  const { id } = await getMachineGroup(args.params.groupId ?? "");
  const options = { actor: session.actor };

  const comeBack = async (errors: FieldErrors, status: number, more: PageAnswer = {}) => {
    if (status !== 200) markRefused(args.context);
    const answer = refillForm(errors, Object.fromEntries(posted), { status });
    const body: PageAnswer = {
      ...((await answer.json()) as PageAnswer),
      serials: posted.has("serials") ? String(posted.get("serials")) : undefined,
      pickers: posted.has("machine_search") ? await readPickers(id, posted) : undefined,
      version: posted.has("version") ? String(posted.get("version")) : undefined,
      ticked: posted.getAll("members").map(String),
      ...more,
    };
    return json(body, { status });
  };

  try {
    const done = await perform(intent, id, posted, options);
    if ("errors" in done) return await comeBack(done.errors, done.status, done.answer);
    return await redirectWithMessage(session, addressOf(args.request.url, id), done);
  } catch (cause) {
    if (!(cause instanceof DomainError) || cause.reason === "not_found") throw cause;
    const errors = Object.keys(cause.fields).length
      ? cause.fields
      : { [wholeFormError]: cause.message };
    // After a conflict the form names the version that the page shows then.
    const isConflict = cause.reason === "conflict";
    return comeBack(intent === groupIntents.remove ? {} : errors, statusOfReason[cause.reason], {
      ...(isConflict && { version: null }),
      ...(intent === groupIntents.remove && { removal: cause.message }),
    });
  }
}

type Refused = { errors: FieldErrors; status: number; answer?: PageAnswer };

async function perform(
  intent: string,
  id: string,
  posted: FormData,
  options: Pick<Session, "actor">,
): Promise<Done | Refused> {
  switch (intent) {
    case groupIntents.save: {
      const { data, error } = await editGroupValidator.validate(posted);
      if (error) return { errors: error.fieldErrors, status: 422 };
      await editMachineGroup(id, data, options);
      return { kind: "success", text: "Machine group successfully updated" };
    }
    case groupIntents.paste: {
      const { data, error } = await pasteValidator.validate(posted);
      if (error) return { errors: error.fieldErrors, status: 422 };
      return answerPaste(await pasteMachines(id, data.serials, options));
    }
    case groupIntents.choose: {
      const { data, error } = await chooseValidator.validate(posted);
      if (error) return { errors: error.fieldErrors, status: 422 };
      return doneAdding(await addMachines(id, data.machines, options));
    }
    case groupIntents.remove: {
      const { removed } = await removeMachines(id, posted.getAll("members").map(String), options);
      return { kind: removed.length > 0 ? "success" : "info", text: removedMessage(removed) };
    }
    default:
      return { errors: {}, status: 200 };
  }
}

function answerPaste(pasted: Pasted): Done | Refused {
  const problem = pasteErrorMessage(pasted);
  if (problem === null) return doneAdding(pasted);
  const serials = [...pasted.unknown, ...pasted.ambiguous].join("\n");
  return { errors: { serials: problem }, status: 422, answer: { serials, pasted } };
}

function doneAdding(added: Parameters<typeof addedMessage>[0]): Done {
  return { kind: added.added.length > 0 ? "success" : "info", text: addedMessage(added) };
}

/** The page as it was: the same part of its machines, the same way to add some. */
function addressOf(url: string, id: string): string {
  const { searchParams } = new URL(url);
  for (const name of ["f", "_data", "index"]) searchParams.delete(name);
  return `${paths.machineGroup(id)}${searchParams.size > 0 ? `?${searchParams}` : ""}`;
}
