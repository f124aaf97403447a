/** Returns the code that a text stands for, or null. Case, spaces and dashes don't matter. */
export function normaliseCode(text: string): string | null {
  if (text.length > 100) return null;
  const code = text.replace(/[\s\p{Dash_Punctuation}]/gu, "");
  // Tested before it is upper-cased: 'ſ' would become an S.
  return /^[2-9A-HJKMNP-Za-hjkmnp-z]{12}$/.test(code) ? code.toUpperCase() : null;
}

/**
 * The code in a text that was typed or scanned: the code alone, or what the QR image says around it. Redeeming,
 * checking and searching read codes with it.
 * @param template of QR_PAYLOAD, with `{code}` in it; codes that were printed under another one are
 *   found too, as the last word of 12 such characters
 */
export function findCode(text: string, template: string): string | null {
  const typed = text.trim();
  if (typed.length > maxScanLength) return null;
  return normaliseCode(typed) ?? codeInTemplate(typed, template) ?? lastCode(typed);
}

/** More than any QR image of ours says: QR_PAYLOAD has at most 500 characters. */
const maxScanLength = 600;

function codeInTemplate(text: string, template: string): string | null {
  const [before = "", after = ""] = template.toLowerCase().split("{code}");
  const lower = text.toLowerCase();
  if (!lower.startsWith(before) || !lower.endsWith(after)) return null;
  const word = text.slice(before.length, text.length - after.length);
  return word.length === 12 ? normaliseCode(word) : null;
}

function lastCode(text: string): string | null {
  const words = text.split(/[^0-9A-Za-z]+/);
  return words.map(normaliseCode).findLast((code) => code !== null) ?? null;
}

/** The number of characters at the end of a code that viewers see, and find it by (RULES H23). */
export const codeEndLength = 4;

/** Returns the end of a code, upper-case, if a text is nothing more, with or without the dots of a masked code. */
export function findCodeEnd(text: string): string | null {
  const end = text.replace(/[\s\p{Dash_Punctuation}•]/gu, "");
  return /^[2-9A-HJKMNP-Za-hjkmnp-z]{4}$/.test(end) ? end.toUpperCase() : null;
}

export function noCodeMessage(text: string): string {
  const typed = text.trim().replace(/[\s\p{Dash_Punctuation}]/gu, "");
  const rule = "A code has 12 characters and never 0, O, 1, I or L.";
  const compare = "compare it with the printed code.";
  if (!/^[0-9A-Za-z]{1,30}$/.test(typed)) return rule;
  const confused = [...new Set(typed.toUpperCase().match(/[0O1IL]/g))];
  if (confused.length > 0) return `${rule} This one has ${confused.join(" and ")}: ${compare}`;
  return typed.length === 12 ? rule : `${rule} This one has ${typed.length}: ${compare}`;
}
