/** Limits of what one form or call may assign, and the messages beyond them. */
import { parseRecordId } from "../../forms/record-id";
import { isLongerThan, isStorableText } from "../../forms/storable-text";
import type { ChosenTargets } from "./target-lists";
import { byField, type TargetField } from "./targets";

export const maxMachines = 2_000;
export const maxGroups = 500;

/** Returns the message for a list of serial numbers that can't be assigned, or null. */
export function machinesError(serialNumbers: readonly string[]): string | null {
  if (serialNumbers.length > maxMachines) return "No more than 2,000 machines can be chosen";
  return serialNumbers.every(isPossibleSerial) ? null : "A serial number is not valid";
}

/** Returns the message for a list of group ids that can't be assigned, or null. */
export function groupsError(ids: readonly string[]): string | null {
  if (ids.length > maxGroups) return `No more than ${maxGroups} groups can be chosen`;
  return ids.every((id) => parseRecordId(id) !== null) ? null : "A group is not valid";
}

const errorOf: Record<TargetField, (ids: readonly string[]) => string | null> = {
  machines: machinesError,
  groups: groupsError,
};

/** Returns the message of each field whose targets can't be assigned, and null for the others. */
export function targetErrors(chosen: ChosenTargets): Record<TargetField, string | null> {
  return byField(({ field }) => errorOf[field](chosen[field]));
}

function isPossibleSerial(serialNumber: string): boolean {
  return serialNumber !== "" && isStorableText(serialNumber) && !isLongerThan(serialNumber, 100);
}
