import { listAssignableMachines } from "../../features/machines/list-machines.server";
import { listGroupChoices } from "../../features/machines/machine-groups.server";
import {
  assignChosen,
  unassignGroup,
} from "../../features/promotions/manage-machines/assign-groups.server";
import {
  readPromotionMachines,
  unassignAllMachines,
  unassignMachine,
} from "../../features/promotions/manage-machines/assign-machines.server";
import { getPromotion } from "../../features/promotions/list/list-promotions.server";
import { refreshFor } from "../../features/promotions/manage-machines/refresh-machines.server";
import {
  addIntent,
  refreshIntent,
  removedGroup,
  removedSerial,
  successOf,
  unassignAllIntent,
  type DialogAnswer,
  type Ticked,
} from "../../features/promotions/manage-machines/dialog-actions";
import { layOutManaged } from "../../features/promotions/manage-machines/managed-machines";
import { formatCode } from "../../format/promotion";
import type { Session } from "../../http/sessions.server";

export type ManagedPromotion = Awaited<ReturnType<typeof readManagedMachines>>;

/**
 * What the dialog shows.
 * @param params of its address: what is searched and, without scripts, ticked
 * @throws DomainError not_found
 */
export async function readManagedMachines(id: string, params: URLSearchParams) {
  const [promotion, assigned, machines, groups] = await Promise.all([
    getPromotion(id),
    readPromotionMachines(id),
    listAssignableMachines(),
    listGroupChoices(),
  ]);
  return {
    id: promotion.id,
    name: promotion.name,
    code: formatCode(promotion.code),
    isDeleted: promotion.isDeleted,
    isShared: assigned.isShared,
    ...layOutManaged(assigned, { machines, groups }, params, promotion.isDeleted),
  };
}

/**
 * Does what a button of the dialog asks for; null where it asks for nothing, as `restore` does.
 * @throws DomainError
 */
export async function perform(
  intent: string,
  id: string,
  ticked: Ticked,
  { actor }: Session,
): Promise<DialogAnswer | null> {
  const options = { actor };
  const removed = removedSerial(intent);
  const removedGroupId = removedGroup(intent);
  if (intent === refreshIntent) return refreshFor(actor.id);
  if (intent === addIntent) await assignChosen(id, ticked, options);
  else if (intent === unassignAllIntent) await unassignAllMachines(id, options);
  else if (removed !== null) await unassignMachine(id, removed, options);
  else if (removedGroupId !== null) await unassignGroup(id, removedGroupId, options);
  else return null;
  return { kind: "success", text: successOf(intent, ticked) };
}
