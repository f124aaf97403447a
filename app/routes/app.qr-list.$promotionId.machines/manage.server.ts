import { listAssignableMachines } from "../../features/machines/list-machines.server";
import {
  assignMachines,
  readPromotionMachines,
  unassignAllMachines,
  unassignMachine,
} from "../../features/promotions/assign-machines.server";
import { getPromotion } from "../../features/promotions/list-promotions.server";
import { refreshFor } from "../../features/promotions/refresh-machines.server";
import { formatCode } from "../../format/promotion";
import type { Session } from "../../http/sessions.server";
import {
  addIntent,
  fieldNames,
  refreshIntent,
  removedSerial,
  successOf,
  unassignAllIntent,
  type DialogAnswer,
} from "./dialog-actions";
import { layOutList } from "./machine-lists";

export type ManagedMachines = Awaited<ReturnType<typeof readManagedMachines>>;

/**
 * What the dialog shows.
 * @param params of its address: what is searched and, without scripts, ticked
 * @throws DomainError not_found
 */
export async function readManagedMachines(id: string, params: URLSearchParams) {
  const [promotion, { machines, groups, isShared }, assignable] = await Promise.all([
    getPromotion(id),
    readPromotionMachines(id),
    listAssignableMachines(),
  ]);
  const search = params.get(fieldNames.search) ?? "";
  const ticked = params.getAll(fieldNames.machines);
  const assigned = machines.map(({ serialNumber, humanName, isDeleted }) => ({
    serialNumber,
    humanName,
    isDeleted,
  }));
  const isAssigned = new Set(assigned.map((machine) => machine.serialNumber));
  const available = assignable.filter((machine) => !isAssigned.has(machine.serialNumber));
  return {
    id: promotion.id,
    name: promotion.name,
    code: formatCode(promotion.code),
    isDeleted: promotion.isDeleted,
    isShared,
    groups,
    search,
    ticked,
    assigned: layOutList(assigned, search),
    available: layOutList(available, search, new Set(ticked)),
    isQuestionOpen: params.has(fieldNames.question),
  };
}

/**
 * Does what a button of the dialog asks for; null where it asks for nothing, as `restore` does.
 * @throws DomainError
 */
export async function perform(
  intent: string,
  id: string,
  ticked: string[],
  { session, requestId }: { session: Session; requestId: string },
): Promise<DialogAnswer | null> {
  const options = { actor: session.user, requestId };
  const removed = removedSerial(intent);
  if (intent === refreshIntent) return refreshFor(session.user.id);
  if (intent === addIntent) await assignMachines(id, ticked, options);
  else if (intent === unassignAllIntent) await unassignAllMachines(id, options);
  else if (removed !== null) await unassignMachine(id, removed, options);
  else return null;
  return { kind: "success", text: successOf(intent) };
}
