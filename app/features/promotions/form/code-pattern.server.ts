/** Reads the fields of a code pattern, and fills them. */
import { invalidFields } from "../../../errors";
import type { FieldErrors } from "../../../forms/validator";
import { codeLength, maxCodeLength, minRandomLength, type CodePattern } from "../code";
import type { PatternInput } from "./code-pattern";

/**
 * Returns null where both fields are empty. Without a length there are as many random characters as in other codes.
 * @throws DomainError invalid, with a message for each wrong field
 */
export function readPattern({ code_prefix, code_length }: PatternInput): CodePattern | null {
  const typed = code_prefix.replace(/[\s-]/g, "");
  const prefix = typed.toUpperCase();
  const lengthText = code_length.trim();
  if (prefix === "" && lengthText === "") return null;
  const errors: FieldErrors = {};
  const maxPrefix = maxCodeLength - minRandomLength;
  const length =
    lengthText === ""
      ? Math.min(prefix.length + codeLength, maxCodeLength)
      : Number(/^\d{1,3}$/.test(lengthText) ? lengthText : Number.NaN);
  // Tested as it was typed: 'ß' would become SS.
  if (!/^[0-9A-Za-z]*$/.test(typed) || prefix.length > maxPrefix)
    errors.code_prefix = `Prefix must have at most ${maxPrefix} letters and digits`;
  else if (prefix.startsWith("TEST"))
    errors.code_prefix = "Test codes begin with TEST. Choose another prefix";
  const minLength = (errors.code_prefix ? 0 : prefix.length) + minRandomLength;
  if (!(length >= minLength && length <= maxCodeLength))
    errors.code_length = `Length must be a whole number from ${minLength} to ${maxCodeLength}: ${minRandomLength} characters are random at least`;
  if (Object.keys(errors).length > 0) throw invalidFields(errors);
  return { prefix, length };
}

export function toPatternInput({ prefix, length }: CodePattern): PatternInput {
  return { code_prefix: prefix, code_length: String(length) };
}
