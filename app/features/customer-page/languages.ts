/** The languages of customers, with their own names. */
export const languageNames = { en: "English", de: "Deutsch", fr: "Français", es: "Español" };

export type Language = keyof typeof languageNames;
