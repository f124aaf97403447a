/** The rules of form fields, each once; API bodies have the same. */
import * as z from "zod/mini";
import { formatNumber } from "../format/number";
import { isBlank, isLongerThan, isStorableText, onOneLine } from "./storable-text";

/** Rejects a field that was posted twice: it is unknown which value was meant. */
export const text = z._default(z.string("Enter one value"), "");

export const trimmedText = text.check(z.trim());

/** A box that is not ticked is not posted. */
export const tick = z.pipe(
  z._default(z.union([z.string(), z.boolean()], "Enter one value"), false),
  z.transform((posted): boolean => Boolean(posted)),
);

/** A list, each value once. One value alone is not posted as a list. */
export const texts = z._default(
  z.pipe(
    z.transform((posted) => [posted].flat()),
    z.array(z.string("Enter one value")).check(z.overwrite((list) => [...new Set(list)])),
  ),
  [],
);

/** Makes a check of a function that returns the message about a wrong value, and null for others. */
export function rule<Value>(messageOf: (value: Value) => string | null) {
  return z.check<Value>(({ value, issues }) => {
    const message = messageOf(value);
    if (message !== null) issues.push({ code: "custom", input: value, message, continue: true });
  });
}

/** Returns the message about a value that breaks a rule; null if it keeps it. */
export function fieldError(field: z.ZodMiniType, value: unknown): string | null {
  return field.safeParse(value).error?.issues[0]?.message ?? null;
}

/**
 * Makes a check of a form about one of its fields that depends on others. It runs although other
 * fields are wrong, so that all messages appear at once.
 * @param needs fields that must be right, or there is nothing to say yet
 */
export function formRule<Values>(
  field: keyof Values & string,
  needs: readonly (keyof Values & string)[],
  messageOf: (values: Values) => string | null,
) {
  return z.check<Values>(
    ({ value, issues }) => {
      const message = messageOf(value);
      if (message !== null) issues.push({ code: "custom", input: value, path: [field], message });
    },
    { when: ({ issues }) => !issues.some(({ path }) => needs.some((name) => name === path?.[0])) },
  );
}

export function notBlank(message: string) {
  return z.refine<string>((value) => !isBlank(value), message);
}

/** A text that its column holds, in characters; its messages begin with a label. */
export function labelledText(
  label: string,
  maxLength: number,
  base: z.ZodMiniType<string> = trimmedText,
) {
  return base.check(
    z.refine(
      (value) => !isLongerThan(value, maxLength),
      `${label} cannot exceed ${maxLength} characters`,
    ),
    z.refine(isStorableText, `${label} contains characters that cannot be stored`),
  );
}

/** Like `labelledText`, with messages that don't repeat the label. */
export function shortText(maxLength: number, base: z.ZodMiniType<string> = trimmedText) {
  return base.check(
    z.refine(
      (value) => !isLongerThan(value, maxLength),
      `Use no more than ${maxLength} characters`,
    ),
    z.refine(isStorableText, "This contains characters that cannot be stored"),
  );
}

export function nameText(maxLength = 200, base: z.ZodMiniType<string> = trimmedText) {
  return labelledText("Name", maxLength, base.check(z.overwrite(onOneLine))).check(
    notBlank("Name is required"),
  );
}

/** Messages of a field of a body that has to be sent, so that the API's document says so. */
export function requiredField(missing: string, wrong: string) {
  return { error: ({ input }: { input?: unknown }) => (input === undefined ? missing : wrong) };
}

/** One of the keys of a record, or of a list of words. */
export function choice<Word extends string>(
  words: Readonly<Record<Word, unknown>> | readonly Word[],
  message: string,
) {
  const list = Array.isArray(words) ? words : Object.keys(words);
  return z.enum(list as [Word, ...Word[]], message);
}

/** A whole number from 1 (RULES P1). @param unit behind its bounds in messages */
export function wholeNumber(label: string, max: number, unit = "") {
  return z.pipe(
    trimmedText.check(
      z.refine((value) => !/^(|-\d+|0+)$/.test(value), `${label} must be at least 1${unit}`),
      z.regex(/^\d+$/, `${label} must be a whole number`),
      z.refine(
        (value) => !(Number(value) > max),
        `${label} cannot exceed ${formatNumber(max)}${unit}`,
      ),
    ),
    z.transform(Number),
  );
}

/** A number within bounds; if it is not whole, one of millimetres, with a point or a comma. */
export function numberBetween(label: string, min: number, max: number, { isWhole = true } = {}) {
  const unit = isWhole ? "a whole number" : "a number of millimetres";
  const message = `${label} must be ${unit} from ${formatNumber(min)} to ${formatNumber(max)}`;
  return z.pipe(
    z.pipe(
      trimmedText.check(z.regex(isWhole ? /^\d{1,5}$/ : /^\d{1,4}([.,]\d{1,3})?$/, message)),
      z.transform((input) => Number(input.replace(",", "."))),
    ),
    z.number().check(z.minimum(min, message), z.maximum(max, message)),
  );
}

/** Makes a number optional: an empty field is null. */
export function orNone(number: z.ZodMiniType<number>) {
  const isEmpty = (input: string) => input.trim() === "";
  return z.pipe(
    text.check(rule((input) => (isEmpty(input) ? null : fieldError(number, input)))),
    z.transform((input) => (isEmpty(input) ? null : z.parse(number, input))),
  );
}
