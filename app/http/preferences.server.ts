import { settings } from "../features/settings/settings.server";
import { themes } from "../format/site";
import { readCookie, setCookie } from "./cookies.server";

const choices = {
  theme: Object.keys(themes) as (keyof typeof themes)[],
  mode: ["light", "dark", "system"],
  sidebar: ["open", "collapsed"],
  refresh: ["automatic", "paused"],
  lite: ["on", "off"],
  shortcuts: ["on", "off"],
  steps: ["shown", "hidden"],
} as const;

/** How this browser wants its pages; cookies, so that the first paint is right already. */
export function readPreferences(request: Request) {
  const [theme, mode] = (readCookie(request, "theme") ?? "").split(".");
  const lite = readCookie(request, "lite");
  return {
    theme: oneOf("theme", theme) ?? settings().theme,
    mode: oneOf("mode", mode) ?? "system",
    isSidebarOpen: readCookie(request, "sidebar") !== "collapsed",
    /** No script at all. */
    isLite: lite ? lite === "on" : request.headers.get("Save-Data") === "on",
    /** Single keys that do something, such as `?` (WCAG 2.1.4: they can be switched off). */
    hasShortcuts: readCookie(request, "shortcuts") !== "off",
    /** Screens that read themselves again do so only when asked (WCAG 2.2.2). */
    isRefreshPaused: readCookie(request, "refresh") === "paused",
    isFirstStepsShown: readCookie(request, "steps") !== "hidden",
  };
}

/**
 * Returns the cookies for what was posted: any of `choices`. The last value counts, because a hidden
 * 'off' precedes a checkbox; values that are no choice are ignored.
 */
export function preferenceCookies(request: Request, posted: FormData): string[] {
  const names = Object.keys(choices) as Preference[];
  const { theme, mode, ...chosen } = Object.fromEntries(
    names.map((name) => [name, oneOf(name, posted.getAll(name).at(-1))]),
  );
  const before = readPreferences(request);
  const values = {
    ...chosen,
    theme: (theme || mode) && `${theme ?? before.theme}.${mode ?? before.mode}`,
  };
  return Object.entries(values).flatMap(([name, value]) => (value ? [setCookie(name, value)] : []));
}

type Preference = keyof typeof choices;

function oneOf<Name extends Preference>(name: Name, value: unknown) {
  const values: readonly (typeof choices)[Name][number][] = choices[name];
  return values.find((choice) => choice === value);
}
