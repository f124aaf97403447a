import { expect, it } from "vitest";
import { preferredLocale } from "./locale.server";
import { customerTexts } from "./texts.server";

it.each([
  ["de-AT,de;q=0.9,en;q=0.8", "de", "de-AT"],
  ["it-IT, fr;q=0.7, es;q=0.8", "es", "es"],
  ["ES", "es", "es"],
  ["en;q=0, fr-Latn-CH;q=0.1", "fr", "fr-CH"],
  ["de;q=x, en-us-u-ca-hebrew", "en", "en-US"],
  ["*", "en", "en"],
  ["pt", "en", "en"],
  [",,;;q=", "en", "en"],
  [`${"it,".repeat(100)}de`, "en", "en"],
  [null, "en", "en"],
])("reads %s as %s, with its region", (header, language, tag) => {
  expect(preferredLocale(header)).toMatchObject({ language, tag });
});

it("has every sentence in every language, and none twice", () => {
  const { en, ...others } = customerTexts;
  const sentences = (texts: typeof en) =>
    Object.entries(texts).filter(([name, text]) => typeof text === "string" && name !== "code");
  const english = new Map(sentences(en));
  for (const texts of Object.values(others))
    for (const [name, text] of sentences(texts)) {
      expect(text, name).not.toBe("");
      expect(text, name).not.toBe(english.get(name));
    }
});
