import { readFileSync } from "node:fs";
import path from "node:path";
import { readCookie, setCookie } from "../http/cookies.server";

/** The end of the element that takes the styles, as the root renders it. */
const noStyles = "/**/</style>";

/** Contents of the style sheets by their paths. */
const contents = new Map<string, string>();

/**
 * Puts the style sheet into a page whose browser doesn't have it, so that it paints one round trip earlier.
 * The link stays for no medium, which makes browsers fetch the file late for the next page, and tells Remix
 * that it is there; a cookie says so to the server.
 * @param sheet path of the file below the origin
 */
export function withFirstStyles(
  html: string,
  { request, headers, sheet }: { request: Request; headers: Headers; sheet: string },
): string {
  if (hasStyles(request, sheet)) {
    // Browsers ask for it, or look into their cache, before they read the page.
    headers.append("Link", `<${sheet}>; rel=preload; as=style`);
    return html;
  }
  headers.append("Set-Cookie", setCookie("styles", path.basename(sheet)));
  const link = `<link rel="stylesheet" href="${sheet}"/>`;
  return html
    .replace(link, link.replace(" href", ' media="not all" href'))
    .replace(noStyles, () => `${contentOf(sheet)}</style>`);
}

/** Tells whether a browser has had a page of this release, and with it the file of its styles. */
export function hasStyles(request: Request, sheet: string): boolean {
  return readCookie(request, "styles") === path.basename(sheet);
}

function contentOf(sheet: string): string {
  const known = contents.get(sheet);
  if (known !== undefined) return known;
  const content = readFileSync(path.join("build/client", sheet), "utf8");
  contents.set(sheet, content);
  return content;
}
