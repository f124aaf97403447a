import { readFileSync } from "node:fs";
import path from "node:path";
import postcss, { type Root } from "postcss";
import { readCookie, setCookie } from "../http/preferences.server";

/** The end of the element that takes the styles, as the root renders it. */
const noStyles = "/**/</style>";

/** Contents of the style sheets by their paths. */
const contents = new Map<string, string>();

/**
 * Puts the style sheet into a page whose browser doesn't have it, so that it paints one round trip earlier.
 * The link stays for no medium, which makes browsers fetch the file late for the next page, and tells Remix
 * that it is there; a cookie says so to the server. A page before the sign-in without scripts has only the rules
 * that it needs, and no link: it is what people with the slowest lines wait for first.
 * @param html as `shortMarkup` returns it
 * @param sheet path of the file below the origin
 */
export function withFirstStyles(
  html: string,
  { request, headers, sheet }: { request: Request; headers: Headers; sheet: string },
): string {
  const name = path.basename(sheet);
  const link = `<link rel=stylesheet href=${sheet}>`;
  const isBeforeSignIn = !new URL(request.url).pathname.startsWith("/app");
  const isKnown = readCookie(request, "styles") === name;
  if (isBeforeSignIn && !isKnown && !html.includes("<script"))
    return html
      .replace(link, "")
      .replace(noStyles, () => `${rulesFor(html, contentOf(sheet))}</style>`);
  if (!isKnown) headers.append("Set-Cookie", setCookie("styles", name));
  if (isBeforeSignIn) return html.replace(/<style nonce=[^>]*>\/\*\*\/<\/style>/, "");
  if (isKnown) {
    // Browsers ask for it, or look into their cache, before they read the page.
    headers.append("Link", `<${sheet}>; rel=preload; as=style`);
    return html;
  }
  return html
    .replace(link, link.replace(" href", ' media="not all" href'))
    .replace(noStyles, () => `${contentOf(sheet)}</style>`);
}

function contentOf(sheet: string): string {
  const known = contents.get(sheet);
  if (known !== undefined) return known;
  const content = readFileSync(path.join("build/client", sheet), "utf8");
  contents.set(sheet, content);
  return content;
}

/** The style sheet as rules, and those that a page needs by its classes. */
let parsed: { css: string; root: Root; needed: Map<string, string> } | undefined;

/** Returns the rules of a style sheet that can apply to a page, whose classes no script changes. */
export function rulesFor(html: string, css: string): string {
  const classes = new Set(
    [...html.matchAll(/ class=(?:"([^"]*)"|([^\s>"]+))/g)].flatMap(([, many, one]) =>
      (many ?? one ?? "").split(" "),
    ),
  );
  if (parsed?.css !== css) parsed = { css, root: postcss.parse(css), needed: new Map() };
  const { needed } = parsed;
  const key = [...classes].sort().join(" ");
  const known = needed.get(key);
  if (known !== undefined) return known;
  const root = parsed.root.clone();
  root.walkRules((rule) => {
    const selectors = rule.selectors.filter((selector) =>
      [...requiredPart(selector).matchAll(/\.([a-zA-Z][\w-]*)/g)].every(([, name]) =>
        classes.has(name!),
      ),
    );
    if (selectors.length === 0) rule.remove();
    else rule.selectors = selectors;
  });
  root.walkAtRules((rule) => {
    if (rule.nodes?.length === 0) rule.remove();
  });
  const text = root.toString();
  // A page has few combinations of classes; what is typed may pretend to be one.
  if (needed.size >= 100) needed.clear();
  needed.set(key, text);
  return text;
}

/** Leaves out alternatives and what must not match: `:not(.a)`, `:is(.a, .b)`. */
function requiredPart(selector: string): string {
  const inner = selector.replace(/\([^()]*\)/g, "");
  return inner === selector ? selector : requiredPart(inner);
}
