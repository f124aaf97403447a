/** The language of a customer, by what the browser prefers. */
import type { Language } from "./languages";
import { customerTexts, type CustomerTexts } from "./texts.server";

export type Locale = {
  language: Language;
  /** The language with the browser's region, for `Intl`: 'de-AT'. */
  tag: string;
  texts: CustomerTexts;
};

function localeOf(language: Language, tag: string = language): Locale {
  return { language, tag, texts: customerTexts[language] };
}

const isLanguage = (name: string): name is Language => Object.hasOwn(customerTexts, name);

/** Reads the language that somebody chose; English if it is none. */
export function chosenLocale(language: string | null): Locale {
  return localeOf(language !== null && isLanguage(language) ? language : "en");
}

/** More than any browser sends; the rest is not read. */
const maxPreferences = 20;

/** Reads an Accept-Language header; English if it names none of the languages. */
export function preferredLocale(acceptLanguage: string | null): Locale {
  const preferences = (acceptLanguage ?? "")
    .split(",", maxPreferences)
    .map((preference) => {
      const [tag = "", ...parameters] = preference.split(";").map((part) => part.trim());
      const quality = parameters.find((parameter) => /^q=/i.test(parameter))?.slice(2) ?? "1";
      return { tag, quality: Number(quality) || 0 };
    })
    .filter(({ quality }) => quality > 0)
    .sort((one, other) => other.quality - one.quality);
  for (const { tag } of preferences) {
    const [, name = "", region] =
      /^([a-z]{2})(?:-[a-z]{4})?(?:-([a-z]{2}))?(?:-|$)/i.exec(tag) ?? [];
    const language = name.toLowerCase();
    if (isLanguage(language))
      return localeOf(language, region ? `${language}-${region.toUpperCase()}` : language);
  }
  return localeOf("en");
}
