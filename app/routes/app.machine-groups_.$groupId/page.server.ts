import type { LoaderFunctionArgs } from "@remix-run/node";
import { DomainError } from "../../errors";
import { groupList, parseGroupFilters } from "../../features/machines/machine-list";
import { parseList } from "../../lists/parse-list";
import {
  addMachines,
  listGroupMembers,
  listNonMembers,
  pasteMachines,
  removeMachines,
} from "../../features/machines/group-members.server";
import {
  addedMessage,
  pasteErrorMessage,
  removedMessage,
  type Pasted,
} from "../../features/machines/machine-group";
import { machineTarget, type Picker, searchField } from "../../features/assignments/targets";
import { loadPickers } from "../../features/assignments/targets.server";
import { editMachineGroup, getMachineGroup } from "../../features/machines/machine-groups.server";
import {
  chooseValidator,
  editGroupValidator,
  groupIntents,
  pasteValidator,
} from "../../features/machines/machine-groups-forms";
import { readGroupAssignments, withUse } from "../../features/assignments/group-assignments.server";
import { canEdit } from "../../features/sign-in/user";
import { historyOf } from "../../features/activity/audit-log.server";
import { pageSearch } from "../../lists/list-params";
import { statusOf } from "../../http/answers.server";
import { checked, formsAction, newKey, type FormPost } from "../../http/form-action.server";
import { requireEditor } from "../../http/guards.server";
import type { Session } from "../../http/sessions.server";
import { paths } from "../../paths";

/** Adds to the answer of a form what a post that does not redirect has besides. */
export type PageAnswer = {
  /** Text that stays in the box for serial numbers, and the result for each of them. */
  serials?: string;
  pasted?: Pasted;
  pickers?: Picker[];
  /** Reason why nothing was removed, and the ticked machines. */
  removal?: string;
  ticked?: string[];
};

/** @throws DomainError not_found */
export async function readPage({ request, params }: LoaderFunctionArgs, { user }: Session) {
  const group = await getMachineGroup(params.groupId ?? "");
  const { searchParams } = new URL(request.url);
  const list = parseList(groupList, searchParams);
  const { filters, errors } = parseGroupFilters(searchParams);
  const query = { ...list.query, ...filters };
  const isChoosing = searchParams.get("add") === "list" && canEdit(user);
  const [[groupWithUse], members, pickers, assignments, history] = await Promise.all([
    withUse([group]),
    listGroupMembers(group.id, query),
    isChoosing ? readPickers(group.id, new URLSearchParams()) : null,
    readGroupAssignments(group.id, user),
    historyOf("machine_group", group.id),
  ]);
  return {
    group: groupWithUse!,
    members: { ...members, query: { ...query, page: members.page } },
    pickers,
    assignments,
    history,
    messages: Object.values({ ...list.errors, ...errors }),
    isFallback: members.page !== query.page,
  };
}

async function readPickers(groupId: string, fields: FormData | URLSearchParams) {
  const machine = async () => (await listNonMembers(groupId)).map(machineTarget);
  return loadPickers(fields, { sources: { machine } });
}

export const pageAction = formsAction({
  guard: requireEditor,
  forms: {
    [groupIntents.save]: checked(editGroupValidator, async (edit, post) => {
      await editMachineGroup(idOf(post), edit, post.options);
      return { to: addressOf(post), text: "Machine group successfully updated" };
    }),
    [groupIntents.paste]: checked(pasteValidator, async ({ serials }, post) => {
      const pasted = await pasteMachines(idOf(post), serials, post.options);
      const message = pasteErrorMessage(pasted);
      if (message === null) return addedTo(post, pasted);
      const left = [...pasted.unknown, ...pasted.ambiguous].join("\n");
      // The rest of the text is sent as another attempt.
      const idempotencyKey = newKey(post.options.idempotencyKey);
      const answer = { serials: left, pasted, idempotencyKey };
      return { errors: { serials: message }, status: 422, answer };
    }),
    [groupIntents.choose]: checked(chooseValidator, async ({ machines }, post) =>
      addedTo(post, await addMachines(idOf(post), machines, post.options)),
    ),
    async [groupIntents.remove](post) {
      const serials = post.posted.getAll("members").map(String);
      try {
        const { removed } = await removeMachines(idOf(post), serials, post.options);
        const kind = removed.length > 0 ? "success" : "info";
        return { to: addressOf(post), kind, text: removedMessage(removed) };
      } catch (cause) {
        if (!(cause instanceof DomainError) || cause.reason === "not_found") throw cause;
        const answer = { removal: cause.message };
        return { errors: {}, answer, ...statusOf(cause) };
      }
    },
  },
  async rerender({ params, posted, field }) {
    const { id } = await getMachineGroup(params.groupId ?? "");
    return {
      ...(posted.has("serials") && { serials: field("serials") }),
      ...(posted.has(searchField) && { pickers: await readPickers(id, posted) }),
      ticked: posted.getAll("members").map(String),
    };
  },
});

const idOf = ({ params }: FormPost) => params.groupId ?? "";

function addedTo(post: FormPost, added: Parameters<typeof addedMessage>[0]) {
  const kind = added.added.length > 0 ? ("success" as const) : ("info" as const);
  return { to: addressOf(post), kind, text: addedMessage(added) };
}

/** Returns the address of the page as it was: the same page of members, the same way to add some. */
function addressOf(post: FormPost): string {
  return paths.machineGroup(idOf(post)) + pageSearch(new URL(post.request.url).searchParams);
}
