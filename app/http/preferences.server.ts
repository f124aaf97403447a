import { environment } from "../env.server";

/** The value of a cookie as it was sent; of several with one name, the first. */
export function readCookie(request: Request, name: string): string | undefined {
  for (const pair of (request.headers.get("Cookie") ?? "").split(";")) {
    const [key, ...value] = pair.trim().split("=");
    if (key === name) return value.join("=");
  }
  return undefined;
}

const themes = ["default", "secondary", "success"] as const;
const modes = ["light", "dark", "system"] as const;

/** How this browser wants its pages; cookies, so that the first paint is right already. */
type Preferences = {
  theme: (typeof themes)[number];
  mode: (typeof modes)[number];
  isSidebarOpen: boolean;
  /** No script at all. */
  isLite: boolean;
  /** Single keys that do something, such as `?` (WCAG 2.1.4: they can be switched off). */
  hasShortcuts: boolean;
  /** Screens that read themselves again do so only when asked (WCAG 2.2.2). */
  isRefreshPaused: boolean;
};

const YEAR_SECONDS = 365 * 24 * 60 * 60;

export function readPreferences(request: Request): Preferences {
  const [theme, mode] = (readCookie(request, "theme") ?? "").split(".");
  const lite = readCookie(request, "lite");
  return {
    theme: oneOf(themes, theme) ?? "default",
    mode: oneOf(modes, mode) ?? "system",
    isSidebarOpen: readCookie(request, "sidebar") !== "collapsed",
    isLite: lite ? lite === "on" : request.headers.get("Save-Data") === "on",
    hasShortcuts: readCookie(request, "shortcuts") !== "off",
    isRefreshPaused: readCookie(request, "refresh") === "paused",
  };
}

/**
 * The cookies for what was posted: any of `theme`, `mode`, `sidebar` (open, collapsed), `refresh`
 * (automatic, paused), `lite` and `shortcuts` (on, off; the last counts, after a hidden 'off').
 * Other values are passed over.
 */
export function preferenceCookies(request: Request, posted: FormData): string[] {
  const before = readPreferences(request);
  const last = (name: string) => posted.getAll(name).at(-1);
  const theme = oneOf(themes, last("theme"));
  const mode = oneOf(modes, last("mode"));
  const sidebar = oneOf(["open", "collapsed"] as const, last("sidebar"));
  const refresh = oneOf(["automatic", "paused"] as const, last("refresh"));
  const lite = oneOf(["on", "off"] as const, last("lite"));
  const shortcuts = oneOf(["on", "off"] as const, last("shortcuts"));
  return [
    ...(theme || mode
      ? [setCookie("theme", `${theme ?? before.theme}.${mode ?? before.mode}`)]
      : []),
    ...(sidebar ? [setCookie("sidebar", sidebar)] : []),
    ...(refresh ? [setCookie("refresh", refresh)] : []),
    ...(lite ? [setCookie("lite", lite)] : []),
    ...(shortcuts ? [setCookie("shortcuts", shortcuts)] : []),
  ];
}

export function setCookie(name: string, value: string): string {
  const secure = environment().appOrigin.startsWith("https:") ? "; Secure" : "";
  return `${name}=${value}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${YEAR_SECONDS}${secure}`;
}

function oneOf<Word extends string>(words: readonly Word[], value: unknown): Word | undefined {
  return words.find((word) => word === value);
}
