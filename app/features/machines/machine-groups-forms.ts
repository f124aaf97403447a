/** The rules of the forms about machine groups, for browser and server alike. */
import * as z from "zod/mini";
import { formatNumber } from "../../format/number";
import { isLongerThan, isStorableText } from "../../forms/storable-text";
import { formValidator } from "../../forms/validator";
import { groupKinds, type GroupKind } from "./machine-group";

export const maxGroupNameLength = 200;
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

export function groupNameError(name: string): string | null {
  const trimmed = name.trim();
  if (trimmed === "") return "Name is required";
  if (isLongerThan(trimmed, maxGroupNameLength))
    return `Name cannot exceed ${maxGroupNameLength} characters`;
  return isStorableText(trimmed) ? null : "Name contains characters that cannot be stored";
}

const text = z._default(z.string(), "");
const groupFields = { name: text, kind: text };

function groupSchema<Value>(
  fields: Record<string, z.ZodMiniType<string>>,
  toValue: (values: GroupValues, posted: Record<string, string>) => Value,
  errorOf: (posted: Record<string, string>) => string | null = () => null,
) {
  return z.pipe(
    z.object(fields),
    z.transform((posted: Record<string, string>, context): Value => {
      const kind = groupKinds.find((known) => known === posted.kind);
      const errors: Record<string, string | null> = {
        name: groupNameError(posted.name ?? ""),
        kind: kind ? null : "Choose what the group is",
        _form: errorOf(posted),
      };
      const wrong = Object.entries(errors).filter((entry) => entry[1] !== null);
      for (const [field, message] of wrong)
        context.issues.push({ code: "custom", message: message!, path: [field], input: posted });
      if (wrong.length > 0) return z.NEVER;
      return toValue({ name: (posted.name ?? "").trim(), kind: kind! }, posted);
    }),
  );
}

const isRestored = ({ intent }: Record<string, unknown>) => intent === "restore";

/** 'New group'. */
export const newGroupValidator = formValidator(
  [...Object.keys(groupFields), "_once", "intent"],
  groupSchema(groupFields, (values): GroupValues => values),
  isRestored,
);

/** Name and kind on the group's own page. */
export const editGroupValidator = formValidator(
  [...Object.keys(groupFields), "version", "intent"],
  groupSchema(
    { ...groupFields, version: text },
    (values, { version }): GroupEdit => ({ ...values, version: Number(version) }),
    ({ version = "" }) =>
      /^[1-9]\d{0,8}$/.test(version) ? null : "Open this page again, then save.",
  ),
  isRestored,
);

/** A sentence about the field `serials`. */
export function pasteError(serials: string): string | null {
  if (serials.trim() === "") return "Paste or type at least one serial number";
  return tooManySerials(separatedEntries(serials).size);
}

export function tooManySerials(count: number): string | null {
  return count > maxConcurrent
    ? `No more than ${formatNumber(maxConcurrent)} serial numbers can be added at once, and these are ${formatNumber(count)}. Nothing was added.`
    : null;
}

/** What stands between line ends, tabs, commas and semicolons; each once. */
export function separatedEntries(typed: string): Set<string> {
  return new Set(
    typed
      .split(/[\r\n\t,;]+/)
      .map((entry) => entry.trim())
      .filter(Boolean),
  );
}

/** The box for serial numbers. */
export const pasteValidator = formValidator(
  ["serials", "intent"],
  z.pipe(
    z.object({ serials: text }),
    z.transform((posted, context): { serials: string } => {
      const message = pasteError(posted.serials);
      if (message === null) return posted;
      context.issues.push({ code: "custom", message, path: ["serials"], input: posted });
      return z.NEVER;
    }),
  ),
  isRestored,
);

/** Machines chosen from the list: 'Add selected'. */
export const chooseValidator = formValidator(
  ["machines", "machine_search", "intent"],
  z.pipe(
    z.object({ machines: z._default(z.union([z.string(), z.array(z.string())]), []) }),
    z.transform(({ machines }, context): { machines: string[] } => {
      const chosen = [...new Set([machines].flat())];
      const message =
        chosen.length === 0
          ? "Choose at least one machine"
          : chosen.length > maxConcurrent
            ? `No more than ${formatNumber(maxConcurrent)} machines can be chosen`
            : null;
      if (message === null) return { machines: chosen };
      context.issues.push({ code: "custom", message, path: ["machines"], input: machines });
      return z.NEVER;
    }),
  ),
  ({ intent }) => intent !== groupIntents.choose,
);
