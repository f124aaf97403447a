/** Codes have 8 to 32 letters and digits; those that are made here have 12 and never 0, O, 1, I or L (RULES C1). */
const codeForm = /^[0-9A-Za-z]{8,32}$/;
const ownCodeForm = /^[2-9A-HJKMNP-Za-hjkmnp-z]{12}$/;
/** Returns a text without what may stand in a code. Invisible characters come along from chats and mails. */
export const withoutSeparators = (text: string) =>
  text.replace(/[\s\p{Dash_Punctuation}\p{Cf}]/gu, "");

/** Returns the code that a text stands for, or null. Case, spaces, dashes and invisible characters don't matter. */
export function normaliseCode(text: string): string | null {
  if (text.length > 100) return null;
  const code = withoutSeparators(text);
  // Tested before it is upper-cased: 'ſ' would become an S.
  return codeForm.test(code) ? code.toUpperCase() : null;
}

/**
 * The code in a text that was typed or scanned: the code alone, or what the QR image says around it. Redeeming,
 * checking and searching read codes with it.
 * @param template of QR_PAYLOAD, with `{code}` in it; codes that were printed under another one are
 *   found too, as the last word that has the form of a code
 */
export function findCode(text: string, template: string): string | null {
  const trimmed = text.replace(/\p{Cf}/gu, "").trim();
  if (trimmed.length > maxScanLength) return null;
  const alone = normaliseCode(trimmed);
  if (alone !== null && ownCodeForm.test(alone)) return alone;
  return codeInTemplate(trimmed, template) ?? alone ?? lastCode(trimmed);
}

/** Longer than the text of any QR code of ours: QR_PAYLOAD has at most 500 characters. */
const maxScanLength = 600;

function codeInTemplate(text: string, template: string): string | null {
  const [before = "", after = ""] = template.toLowerCase().split("{code}");
  const lower = text.toLowerCase();
  const isInside = lower.startsWith(before) && lower.endsWith(after);
  if (before + after === "" || !isInside || text.length < before.length + after.length) return null;
  const word = text.slice(before.length, text.length - after.length);
  const code = after === "" ? word.replace(/[?&#].*$/s, "") : word;
  return codeForm.test(code) ? code.toUpperCase() : null;
}

/** A code of 12 characters in groups, as screens and mails write it, in a longer text. */
const groupedCode =
  /(?<![\w\p{Pd}])([0-9A-Za-z]{4})\p{Pd}([0-9A-Za-z]{4})\p{Pd}([0-9A-Za-z]{4})(?![\w\p{Pd}])/gu;

/**
 * Returns the last word that has the form of a code; in a sentence only one with a digit, or of the form of the codes
 * made here. Behind an address that ends with such a code, words of its query are none: '?utm_source=newsletter1'.
 */
function lastCode(text: string): string | null {
  const isSentence = /\s/.test(text);
  const ofPath = wordsOf(text.split(/[?#]/, 1)[0]!).at(-1);
  if (ofPath && ownCodeForm.test(ofPath)) return ofPath.toUpperCase();
  const code = wordsOf(text).findLast(
    (word) => !isSentence || /\d/.test(word) || ownCodeForm.test(word),
  );
  return code?.toUpperCase() ?? null;
}

/** Returns the words of a text that have the form of a code. */
const wordsOf = (text: string) =>
  text
    .replace(groupedCode, "$1$2$3")
    .split(/[^0-9A-Za-z]+/)
    .filter((word) => codeForm.test(word));

/** The number of characters at the end of a code that viewers see, and find it by (RULES H23). */
export const codeEndLength = 4;

/** Returns the end of a code, upper-case, if a text is nothing more, with or without the dots of a masked code. */
export function findCodeEnd(text: string): string | null {
  const end = withoutSeparators(text).replaceAll("•", "");
  return /^[0-9A-Za-z]{4}$/.test(end) ? end.toUpperCase() : null;
}

export function noCodeMessage(text: string): string {
  const characters = withoutSeparators(text);
  const rule = "A code has 8 to 32 letters and digits.";
  if (!/^[0-9A-Za-z]{1,50}$/.test(characters)) return rule;
  return `${rule} This one has ${characters.length}: ${compare}`;
}

const compare = "compare it with the printed code.";

/** Names the characters that no code has which was made here, for a text as long as such a code; null if it has none. */
export function misreadMessage(code: string): string | null {
  const misread = [...new Set(code.toUpperCase().match(/[0O1IL]/g))];
  if (code.length !== 12 || misread.length === 0) return null;
  return `Codes that were made here without a prefix never have 0, O, 1, I or L. This one has ${misread.join(" and ")}: ${compare}`;
}
