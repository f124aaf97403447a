/** Loader and action of 'Manage Machines' for promotions and mass generations. */
import { createHash, randomUUID } from "node:crypto";
import { json, type ActionFunctionArgs, type LoaderFunctionArgs } from "@remix-run/node";
import { DomainError } from "../errors";
import {
  type ActionOptions,
  checkIdempotencyKey,
  optionsOf,
} from "../features/activity/idempotency.server";
import { type Assigned, effectiveLabel } from "../features/assignments/assigned";
import {
  type ChosenTargets,
  noTargets,
  pickerFields,
  toParams,
} from "../features/assignments/targets";
import {
  addTargets,
  type AssignmentChange,
  type AssignmentOwner,
  changeAssignments,
  removeAll,
  removeTarget,
} from "../features/assignments/assignments.server";
import {
  addIntent,
  type DialogAbout,
  type DialogAnswer,
  type DialogData,
  type DialogReply,
  dialogViews,
  fieldNames,
  refreshIntent,
  removedBy,
  successOf,
  unassignAllIntent,
} from "../features/assignments/manage-machines/machines-dialog";
import { loadPickers } from "../features/assignments/targets.server";
import { getGenerationDetails } from "../features/mass-generations/generation-details.server";
import { generationOwner } from "../features/mass-generations/mass-generation.server";
import { refreshFor } from "../features/promotions/manage-machines/machine-promotions.server";
import {
  getPromotion,
  promotionOwner,
  readPromotionMachines,
} from "../features/promotions/promotions.server";
import { restoreIntent } from "../forms/validator";
import { dialogSearch } from "../lists/list-params";
import { formatNumber } from "../format/number";
import { formatCode, formatCodes } from "../format/promotion";
import { screenRoute, statusOf } from "./answers.server";
import { notDoneMessage, readPost } from "./form-action.server";
import { requireEditor } from "./guards.server";
import { redirectWithMessage } from "./messages.server";

/** Node reads headers of up to 16 kB, which the form's own 'Search' meets, too. */
const maxTicksLength = 8_000;

type Owner = {
  /** @throws DomainError not_found */
  read: (id: string) => Promise<{
    about: DialogAbout;
    /** `isActive`: machines redeem it as far as its status goes. */
    assigned: Assigned & { isActive: boolean };
  }>;
  toOwner: (id: string) => AssignmentOwner;
};

const owners: Record<AssignmentOwner["kind"], Owner> = {
  promotion: {
    async read(id) {
      const [{ name, code, isDeleted, status, ...promotion }, assigned] = await Promise.all([
        getPromotion(id),
        readPromotionMachines(id),
      ]);
      const note =
        assigned.isShared && !isDeleted
          ? "This code shares the machines of its campaign. Changes here apply to this code only."
          : null;
      const about = { id: promotion.id, name, code: formatCode(code), size: null, isDeleted, note };
      return { about, assigned: { ...assigned, isActive: status === "active" } };
    },
    toOwner: promotionOwner,
  },
  mass_generation: {
    async read(id) {
      const { generation, status, ...assigned } = await getGenerationDetails(id);
      const { name, numCodes, isDeleted } = generation;
      const note = isDeleted ? null : describeCoverage(numCodes, assigned.ownCodes);
      const size = formatCodes(numCodes);
      return {
        about: { id: generation.id, name, code: null, size, isDeleted, note },
        assigned: { ...assigned, isActive: status === "active" },
      };
    },
    toOwner: generationOwner,
  },
};

/** Says which codes of a mass generation a change is for, and which it is not. */
function describeCoverage(numCodes: number, ownCodes: number): string {
  if (ownCodes === 0) return "Changes here apply to all of its codes.";
  if (ownCodes === numCodes)
    return `All ${formatCodes(numCodes)} have their own machines. Changes here apply to none of them.`;
  const isOne = ownCodes === 1;
  const others = `${formatNumber(ownCodes)} ${isOne ? "code has its own machines and is not changed" : "codes have their own machines and are not changed"}`;
  return `Changes here apply to ${formatCodes(numCodes - ownCodes)}. ${others}.`;
}

function ownerId({ promotionId, generationId }: LoaderFunctionArgs["params"]): string {
  return promotionId ?? generationId ?? "";
}

export function machinesDialogLoader(kind: AssignmentOwner["kind"]) {
  return screenRoute(async (args: LoaderFunctionArgs) => {
    await requireEditor(args);
    const { searchParams } = new URL(args.request.url);
    const { about, assigned } = await owners[kind].read(ownerId(args.params));
    const targets = {
      summary: effectiveLabel(assigned, assigned.isActive),
      pickers: await loadPickers(searchParams, { assigned }),
      idempotencyKey: randomUUID() as string,
      isQuestionOpen: searchParams.has(fieldNames.question),
    };
    return json({
      ...({ about, targets } satisfies DialogData),
      wasRefused: args.context.wasRefused,
    });
  });
}

/**
 * Does what a button of the dialog asks for and opens it again; scripts, which stay where they are,
 * get the answer alone. A rejected change comes back with its ticks.
 */
export function machinesDialogAction(kind: AssignmentOwner["kind"]) {
  return screenRoute(async (args: ActionFunctionArgs) => {
    const session = await requireEditor(args, { canRestore: true });
    const { posted, options } = await readPost(args, session);
    const { ticked, search, intent } = pickerFields(posted);
    const id = ownerId(args.params);

    let answer: DialogAnswer | null;
    let refusal: ReturnType<typeof statusOf> | undefined;
    try {
      checkIdempotencyKey(options.idempotencyKey);
      answer = await runIntent(kind, id, intent, ticked, options);
    } catch (cause) {
      if (!(cause instanceof DomainError)) throw cause;
      answer = { kind: "error", text: cause.message };
      refusal = statusOf(cause);
    }
    if (answer && answer.kind !== "error" && !posted.has(fieldNames.inline)) {
      const back = new URLSearchParams(dialogSearch(new URL(args.request.url).searchParams));
      if (search) back.set(fieldNames.search, search);
      // The ticks that were not added stay, as far as they fit into an address.
      const kept = toParams(intent === addIntent ? noTargets : ticked);
      if (kept.toString().length <= maxTicksLength) for (const tick of kept) back.append(...tick);
      const path = dialogViews[kind].path(id);
      return redirectWithMessage(session, `${path}${back.size > 0 ? `?${back}` : ""}`, answer);
    }
    if (refusal) args.context.wasRefused = true;
    if (intent === restoreIntent) answer = { kind: "warning", text: notDoneMessage };
    return json<DialogReply>({ answer, ticked, search }, refusal);
  });
}

/** Returns null for an intent that changes nothing, as `restore` does. */
async function runIntent(
  kind: AssignmentOwner["kind"],
  id: string,
  intent: string,
  ticked: ChosenTargets,
  options: ActionOptions,
): Promise<DialogAnswer | null> {
  if (intent === refreshIntent && dialogViews[kind].canRefresh) return refreshFor(options.actor.id);
  const change = requestedChange(intent, ticked);
  if (!change) return null;
  // All that is sent before the lists are read again has one key.
  const sent = createHash("sha256").update(JSON.stringify([kind, id, intent, ticked]));
  const once = optionsOf(sent.digest("base64url"), options);
  await changeAssignments(owners[kind].toOwner(id), change, once);
  return { kind: "success", text: successOf(intent, ticked) };
}

function requestedChange(intent: string, ticked: ChosenTargets): AssignmentChange | null {
  if (intent === addIntent) return addTargets(ticked);
  if (intent === unassignAllIntent) return removeAll;
  const removed = removedBy(intent);
  return removed && removeTarget(removed);
}
