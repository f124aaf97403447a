/** Checks of the targets that a form posts; lists, which only show targets, load them without these. */
import { rule, texts } from "../../forms/fields";
import { parseRecordId } from "../../forms/record-id";
import { canBeSerial } from "../machines/machine";
import type { TargetField } from "./targets";

const maxMachines = 2_000;
const maxGroups = 500;

function machinesError(serialNumbers: readonly string[]): string | null {
  if (serialNumbers.length > maxMachines) return "No more than 2,000 machines can be chosen";
  return serialNumbers.every(canBeSerial) ? null : "A serial number is not valid";
}

function groupsError(ids: readonly string[]): string | null {
  if (ids.length > maxGroups) return `No more than ${maxGroups} groups can be chosen`;
  return ids.every((id) => parseRecordId(id) !== null) ? null : "A group is not valid";
}

/** The fields of a form, or the keys of a body, that hold targets. */
export const targetTexts: Record<TargetField, typeof texts> = {
  machines: texts.check(rule(machinesError)),
  groups: texts.check(rule(groupsError)),
};
