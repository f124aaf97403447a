import { codeAlphabet } from "../promotions/code";

/** Characters that look alike in print or in handwriting, all of them in codes. */
const lookalikes = ["8B", "5S", "2Z", "6G", "UV", "7T", "DQ", "NM"];

/** Characters that no code contains: a similar one was printed. */
const misread = "0O1IL";

/** More than two mistakes in twelve characters are another code. */
const maxMistakes = 2;

/**
 * Returns the codes that may have been misread as `text`, with one or two characters mistaken for
 * others. Returns none if the text is too far from any code.
 */
export function similarCodes(text: string): string[] {
  const read = text.toUpperCase().replace(/[\s\p{Dash_Punctuation}]/gu, "");
  if (!/^[0-9A-Z]{12}$/.test(read)) return [];
  const misreadCount = [...read].filter((character) => misread.includes(character)).length;
  if (misreadCount > maxMistakes) return [];
  let found = [{ code: "", mistakes: 0 }];
  for (const character of read) {
    const isMisread = misread.includes(character);
    const others = isMisread ? [...codeAlphabet] : misreadCount > 0 ? [] : likenessesOf(character);
    found = found.flatMap(({ code, mistakes }) => [
      ...(isMisread ? [] : [{ code: code + character, mistakes }]),
      ...(mistakes === maxMistakes
        ? []
        : others.map((other) => ({ code: code + other, mistakes: mistakes + 1 }))),
    ]);
  }
  return found.map(({ code }) => code).filter((code) => code !== read);
}

function likenessesOf(character: string): string[] {
  return lookalikes
    .filter((pair) => pair.includes(character))
    .map((pair) => pair.replace(character, ""));
}
