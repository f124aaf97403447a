/** Promotion codes (RULES C1): 12 characters that cannot be confused when read aloud or typed. */

/** 31 characters: no 0 O 1 I L. */
export const codeAlphabet = "23456789ABCDEFGHJKMNPQRSTUVWXYZ";
export const codeLength = 12;

/** The largest multiple of 31 that a byte can hold: bytes from here on would favour some characters. */
const fairBytes = Math.floor(256 / codeAlphabet.length) * codeAlphabet.length;

/**
 * Codes that differ from each other; whether one was ever issued only the database knows.
 * @param randomBytes a cryptographic source; answers exactly as many bytes as asked for
 */
export function generateCodes(count: number, randomBytes: (size: number) => Uint8Array): string[] {
  const codes = new Set<string>();
  let code = "";
  while (codes.size < count) {
    // 13 bytes give 12 fair ones on average; a cap keeps the block small for large batches.
    for (const byte of randomBytes(Math.min((count - codes.size) * 13, 65_536))) {
      if (byte >= fairBytes) continue;
      code += codeAlphabet[byte % codeAlphabet.length];
      if (code.length < codeLength) continue;
      codes.add(code);
      code = "";
      if (codes.size === count) break;
    }
  }
  return [...codes];
}
