/** Promotion codes (RULES C1): 12 characters that cannot be confused when read aloud or typed. */

/** 31 characters: no 0 O 1 I L. */
export const codeAlphabet = "23456789ABCDEFGHJKMNPQRSTUVWXYZ";
export const codeLength = 12;

/** The largest multiple of 31 that a byte can hold: bytes from here on would favour some characters. */
const fairBytes = Math.floor(256 / codeAlphabet.length) * codeAlphabet.length;

/** An operator's own form of codes: random characters after a prefix. */
export type CodePattern = {
  /** Upper-case letters and digits; may be empty. */
  prefix: string;
  /** Characters in all. */
  length: number;
};

export const maxCodeLength = 32;

/** Random characters that a code has at least: 54 bits. */
export const minRandomLength = 11;

/**
 * Codes that differ from each other; whether one was ever issued only the database knows.
 * @param randomBytes a cryptographic source; answers exactly as many bytes as asked for
 * @param pattern null for that of all other codes
 */
export function generateCodes(
  count: number,
  randomBytes: (size: number) => Uint8Array,
  pattern?: CodePattern | null,
): string[] {
  const { prefix, length } = pattern ?? { prefix: "", length: codeLength };
  const codes = new Set<string>();
  let code = prefix;
  while (codes.size < count) {
    // On average 32 of 33 bytes are fair; a cap keeps the block small for large batches.
    const size = (count - codes.size) * (length - prefix.length + 1);
    for (const byte of randomBytes(Math.min(size, 65_536))) {
      if (byte >= fairBytes) continue;
      code += codeAlphabet[byte % codeAlphabet.length];
      if (code.length < length) continue;
      codes.add(code);
      code = prefix;
      if (codes.size === count) break;
    }
  }
  return [...codes];
}
