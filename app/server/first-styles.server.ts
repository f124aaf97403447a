import { readFileSync } from "node:fs";
import path from "node:path";
import { readCookie, setCookie } from "../http/preferences.server";

/** Contents of the style sheets by their paths. */
const contents = new Map<string, string>();

/**
 * Puts the style sheet into a page whose browser doesn't have it, so that it paints one round trip earlier.
 * The link stays for no medium, which makes browsers fetch the file late for the next page, and tells Remix
 * that it is there; a cookie says so to the server. Pages before the sign-in link it at once.
 * @param html as `shortMarkup` returns it
 * @param sheet path of the file below the origin
 */
export function withFirstStyles(
  html: string,
  { request, headers, sheet }: { request: Request; headers: Headers; sheet: string },
): string {
  const name = path.basename(sheet);
  const isKnown = readCookie(request, "styles") === name;
  if (!isKnown) headers.append("Set-Cookie", setCookie("styles", name));
  // Pages before the sign-in are so short that the link arrives with the headers; no script looks for what is empty.
  if (!new URL(request.url).pathname.startsWith("/app"))
    return html.replace(/<style nonce=[^>]*><\/style>/, "");
  if (isKnown) {
    // Browsers ask for it, or look into their cache, before they read the page.
    headers.append("Link", `<${sheet}>; rel=preload; as=style`);
    return html;
  }
  const link = `<link rel=stylesheet href=${sheet}>`;
  return html
    .replace(link, link.replace(" href", ' media="not all" href'))
    .replace("</style>", () => `${contentOf(sheet)}</style>`);
}

function contentOf(sheet: string): string {
  const known = contents.get(sheet);
  if (known !== undefined) return known;
  const content = readFileSync(path.join("build/client", sheet), "utf8");
  contents.set(sheet, content);
  return content;
}
