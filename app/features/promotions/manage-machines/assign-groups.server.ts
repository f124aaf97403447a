/** Groups of machines as what a promotion is assigned to: one audit row a change. */
import { changePromotion, type ChangeOptions } from "./assign-machines.server";
import { adding, type Chosen, removeGroupChange } from "../../assignments/assignments.server";

/**
 * Adds groups; those that are assigned already stay.
 * @param groupIds as they came in a form
 * @throws DomainError not_found; conflict: the promotion is deleted; invalid: none, too many, or one
 *   that is not there any more, and then nothing is added
 */
export async function assignGroups(
  id: string,
  groupIds: readonly string[],
  options: ChangeOptions,
): Promise<{ changed: boolean }> {
  return assignChosen(id, { machines: [], groups: groupIds }, options);
}

/**
 * Adds machines and groups in one change.
 * @throws DomainError as for machines and groups alone; then nothing is added
 */
export async function assignChosen(
  id: string,
  chosen: Chosen,
  options: ChangeOptions,
): Promise<{ changed: boolean }> {
  return changePromotion(id, `promotion.${addedAction(chosen)}`, options, adding(chosen));
}

/** The part of an action's name that says what was added. */
export function addedAction({ machines, groups }: Chosen): string {
  if (groups.length === 0) return "machines_added";
  return machines.length === 0 ? "groups_added" : "machines_and_groups_added";
}

/**
 * Removes one group; nothing happens when it is not assigned.
 * @throws DomainError not_found: the promotion; conflict: the promotion is deleted
 */
export async function unassignGroup(
  id: string,
  groupId: string,
  options: ChangeOptions,
): Promise<{ changed: boolean }> {
  return changePromotion(id, "promotion.group_removed", options, removeGroupChange(groupId));
}
