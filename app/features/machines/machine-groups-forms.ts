/** The rules of the forms about machine groups, for browser and server alike. */
import { formatNumber } from "../../format/number";
import { nameError } from "../../forms/storable-text";
import { editValidator, formValidator } from "../../forms/form-validator";
import { formSchema, postedText, postedTexts } from "../../forms/validator";
import { groupKinds, type GroupKind } from "./machine-group";

/** Serial numbers in one paste, machines in one choice. */
export const maxConcurrent = 2_000;

/** Buttons of a group's page; every other one changes nothing. */
export const groupIntents = {
  save: "save",
  paste: "paste",
  choose: "choose",
  remove: "remove",
} as const;

export type GroupValues = { name: string; kind: GroupKind };
/** `version`: of the group as whoever edits it has seen it. */
export type GroupEdit = GroupValues & { version: number };

const groupFields = { name: postedText, kind: postedText };

type PostedGroup = { name: string; kind: string };

function groupErrors({ name, kind }: PostedGroup) {
  const isKnown = groupKinds.some((known) => known === kind);
  return { name: nameError(name.trim()), kind: isKnown ? null : "Choose a kind" };
}

/** For values without errors only. */
function toGroup({ name, kind }: PostedGroup): GroupValues {
  return { name: name.trim(), kind: kind as GroupKind };
}

export const newGroupValidator = formValidator(
  Object.keys(groupFields),
  formSchema(groupFields, groupErrors, toGroup),
);

export const editGroupValidator = editValidator(groupFields, groupErrors, toGroup);

export function pasteError(serials: string): string | null {
  if (serials.trim() === "") return "Enter at least one serial number";
  return tooManySerials(separatedEntries(serials).size);
}

export function tooManySerials(count: number): string | null {
  return count > maxConcurrent
    ? `No more than ${formatNumber(maxConcurrent)} serial numbers can be added at once, and these are ${formatNumber(count)}. Nothing was added.`
    : null;
}

/** Splits a text at line ends, tabs, commas and semicolons, without duplicates. */
export function separatedEntries(text: string): Set<string> {
  return new Set(splitEntries(text, /[\r\n\t,;]/));
}

export function splitEntries(text: string, separator: RegExp): string[] {
  const entries = text.split(separator).map((entry) => entry.trim());
  return entries.filter(Boolean);
}

export const pasteValidator = formValidator(
  ["serials"],
  formSchema(
    { serials: postedText },
    ({ serials }) => ({ serials: pasteError(serials) }),
    (posted) => posted,
  ),
);

export const chooseValidator = formValidator(
  ["machines"],
  formSchema(
    { machines: postedTexts },
    ({ machines }) => ({ machines: choiceError(new Set(machines).size) }),
    ({ machines }) => ({ machines: [...new Set(machines)] }),
  ),
  groupIntents.choose,
);

function choiceError(count: number): string | null {
  if (count === 0) return "Choose at least one machine";
  return count > maxConcurrent
    ? `No more than ${formatNumber(maxConcurrent)} machines can be chosen`
    : null;
}
