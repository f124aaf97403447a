import { listAssignableMachines } from "../../features/machines/list-machines.server";
import { listGroupChoices } from "../../features/machines/machine-groups.server";
import {
  assignToGeneration,
  readGenerationAssigned,
  unassignAllFromGeneration,
  unassignGroupFromGeneration,
  unassignMachineFromGeneration,
} from "../../features/mass-generations/assign-generation.server";
import { getMassGeneration } from "../../features/mass-generations/mass-generation-sql.server";
import {
  addIntent,
  removedGroup,
  removedSerial,
  successOf,
  unassignAllIntent,
  type DialogAnswer,
  type Ticked,
} from "../../features/promotions/manage-machines/dialog-actions";
import { layOutManaged } from "../../features/promotions/manage-machines/managed-machines";
import type { Session } from "../../http/sessions.server";

export type ManagedGeneration = Awaited<ReturnType<typeof readManagedGeneration>>;

/**
 * What the dialog shows.
 * @param params of its address: what is searched and, without scripts, ticked
 * @throws DomainError not_found
 */
export async function readManagedGeneration(id: string, params: URLSearchParams) {
  const generation = await getMassGeneration(id);
  const [assigned, machines, groups] = await Promise.all([
    readGenerationAssigned(generation.id),
    listAssignableMachines(),
    listGroupChoices(),
  ]);
  return {
    id: generation.id,
    name: generation.name,
    numCodes: generation.numCodes,
    ownCodes: assigned.ownCodes,
    ...layOutManaged(assigned, { machines, groups }, params, generation.isDeleted),
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
  if (intent === addIntent) await assignToGeneration(id, ticked, options);
  else if (intent === unassignAllIntent) await unassignAllFromGeneration(id, options);
  else if (removed !== null) await unassignMachineFromGeneration(id, removed, options);
  else if (removedGroupId !== null) await unassignGroupFromGeneration(id, removedGroupId, options);
  else return null;
  return { kind: "success", text: successOf(intent, ticked) };
}
