import { readFileSync } from "node:fs";
import path from "node:path";
import { readCookie, setCookie } from "../http/cookies.server";

/** The end of the element that takes the styles, as the root renders it. */
const noStyles = "/**/</style>";

const pageCookie = "styles";
/** Cookies that name the file that a browser has: one of a page without scripts, and one that scripts set. */
const cookieNames = [pageCookie, "sheet"];

/** Contents of the style sheets that pages had in them, by their paths. */
const contents = new Map<string, string>();

/**
 * Puts the style sheet into a page whose browser doesn't have it, so that it paints one round trip earlier.
 * The link stays for no medium, which makes browsers fetch the file late for the next page, and tells Remix that it is
 * there; a cookie says so to the server. A page with scripts does both once it is hydrated (`entry.client`): on a slow line
 * the file held the scripts up, and the QR List was hydrated after 4.4 s in place of 3.8 s. Without scripts it is fetched at once, and the cookie comes with a page like sign-in.
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
  const link = `<link rel="stylesheet" href="${sheet}"/>`;
  const late = link.replace(" href", ' media="not all" href');
  const isScripted = html.includes("modulepreload");
  // A cookie of the release before is replaced on any page: scripts may be off.
  if (!isScripted || readCookie(request, pageCookie) !== undefined)
    headers.append("Set-Cookie", setCookie(pageCookie, path.basename(sheet)));
  return html
    .replace(link, isScripted ? late.replace("/>", " disabled/>") : late)
    .replace("<noscript></noscript>", `<noscript>${late}</noscript>`)
    .replace(noStyles, () => `${contentOf(sheet)}</style>`);
}

/** Tells whether a browser has the file of this release's styles. */
export function hasStyles(request: Request, sheet: string): boolean {
  return cookieNames.some((name) => readCookie(request, name) === path.basename(sheet));
}

function contentOf(sheet: string): string {
  const known = contents.get(sheet);
  if (known !== undefined) return known;
  const content = readFileSync(path.join("build/client", sheet), "utf8");
  contents.set(sheet, content);
  return content;
}
