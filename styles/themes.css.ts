import { assignVars, createGlobalTheme, globalStyle } from "@vanilla-extract/css";
import { media } from "./breakpoints";
import { dark, darkAccents, light, lightAccents, themeNames } from "./palettes";
import { color } from "./tokens.css";

// <html class="theme-secondary mode-dark">: written by the server from cookies, so the first paint is right.
createGlobalTheme(":root", color, { ...light, ...lightAccents.default });
// Some browsers draw a white scrollbar on a dark page without it.
globalStyle(":root", { colorScheme: "light", scrollbarColor: `${color.muted} transparent` });

const accentsOf = (accents: (typeof lightAccents)["default"]) =>
  assignVars(
    { accent: color.accent, onAccent: color.onAccent, tint: color.tint, onTint: color.onTint },
    accents,
  );

const darkVars = assignVars(color, { ...dark, ...darkAccents.default });

// Paper is white in every theme.
globalStyle(".mode-dark", { "@media": { screen: { colorScheme: "dark", vars: darkVars } } });
globalStyle(".mode-system", {
  "@media": { [media.dark]: { colorScheme: "dark", vars: darkVars } },
});

// On <html> for the page, and on a swatch inside it.
for (const theme of themeNames) {
  globalStyle(`.theme-${theme}`, { vars: accentsOf(lightAccents[theme]) });
  globalStyle(`.mode-dark.theme-${theme}, .mode-dark .theme-${theme}`, {
    "@media": { screen: { vars: accentsOf(darkAccents[theme]) } },
  });
  globalStyle(`.mode-system.theme-${theme}, .mode-system .theme-${theme}`, {
    "@media": { [media.dark]: { vars: accentsOf(darkAccents[theme]) } },
  });
}
