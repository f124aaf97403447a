/** Names of browsers and systems in a User-Agent header; the first that matches counts. */
const browsers: [RegExp, string][] = [
  [/\bEdgA?\//, "Edge"],
  [/\bOPR\//, "Opera"],
  [/\bSamsungBrowser\//, "Samsung Internet"],
  [/\b(Firefox|FxiOS)\//, "Firefox"],
  [/(Chrome|CriOS|Chromium)\//, "Chrome"],
  [/\bSafari\//, "Safari"],
  [/\bw3m\//, "w3m"],
  [/\bLynx\//, "Lynx"],
  [/\bNetSurf\//, "NetSurf"],
  [/\bcurl\//, "curl"],
];
const systems: [RegExp, string][] = [
  [/\bAndroid\b/, "Android"],
  [/\biPhone\b/, "iPhone"],
  [/\biPad\b/, "iPad"],
  [/\bWindows\b/, "Windows"],
  [/\bCrOS\b/, "ChromeOS"],
  [/\bMac OS X\b/, "macOS"],
  [/\bLinux\b/, "Linux"],
];

/** Describes a User-Agent header: 'Firefox on Windows', or 'Unknown browser'. */
export function describeBrowser(userAgent: string): string {
  const named = (names: [RegExp, string][]) =>
    names.find(([pattern]) => pattern.test(userAgent))?.[1];
  const [browser, system] = [named(browsers) ?? "Unknown browser", named(systems)];
  return system ? `${browser} on ${system}` : browser;
}
