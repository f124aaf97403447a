/** The rules of the forms about machine groups, for browser and server alike. */
import * as z from "zod/mini";
import { formatNumber } from "../../format/number";
import { choice, nameText, rule, text, texts } from "../../forms/fields";
import { editValidator, formValidator } from "../../forms/form-validator";
import { groupKinds } from "./machine-group";

/** Serial numbers in one paste, machines in one choice. */
export const maxConcurrent = 2_000;

/** Buttons of a group's page; every other one changes nothing. */
export const groupIntents = {
  save: "save",
  paste: "paste",
  choose: "choose",
  remove: "remove",
} as const;

const groupSchema = z.object({ name: nameText(), kind: choice(groupKinds, "Choose a kind") });

export type GroupValues = z.infer<typeof groupSchema>;
/** `version`: of the group as whoever edits it has seen it. */
export type GroupEdit = GroupValues & { version: number };

export const newGroupValidator = formValidator(groupSchema);
export const editGroupValidator = editValidator(groupSchema);

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

export const pasteValidator = formValidator(z.object({ serials: text.check(rule(pasteError)) }));

export const chooseValidator = formValidator(
  z.object({ machines: texts.check(rule((machines) => choiceError(machines.length))) }),
  groupIntents.choose,
);

function choiceError(count: number): string | null {
  if (count === 0) return "Choose at least one machine";
  return count > maxConcurrent
    ? `No more than ${formatNumber(maxConcurrent)} machines can be chosen`
    : null;
}
