/** Pages that are sent without Remix: refusals before it, and the one for browsers without a connection. */
import { settings } from "../features/settings/settings.server";
import { escapeHtml } from "../format/text";
import { dark, darkAccents, light, lightAccents } from "../../styles/palettes";

type PlainPage = {
  status?: number;
  title: string;
  text?: string;
  /** The first link is the main action. */
  links: readonly { to: string; label: string }[];
};

const colorsOf = (palette: typeof light, { accent, onAccent }: typeof lightAccents.default) =>
  `body{background:${palette.bg};color:${palette.text}}` +
  `.muted{color:${palette.muted}}.status,svg{color:${accent}}` +
  `a{color:inherit;border-color:${palette.control};background:${palette.surface}}` +
  `a:first-child{color:${onAccent};border-color:${accent};background:${accent}}` +
  `a:focus-visible{outline-color:${accent}}`;

/** Styles of error pages in the default theme, light or dark as the system is. */
const styles = `
:root{color-scheme:light dark}
body{margin:0;font:.875rem/1.25rem system-ui,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif}
main{box-sizing:border-box;display:grid;align-content:center;justify-items:center;gap:.75rem;max-width:30rem;min-height:100vh;margin:auto;padding:1rem;text-align:center;text-wrap:balance}
h1,p{margin:0}
h1{font-size:1.5rem;line-height:2rem;font-weight:650}
.product{margin-bottom:4rem;font-size:1rem;font-weight:650}
.status{font-size:2rem;line-height:2.5rem;font-weight:650}
.links{display:flex;flex-wrap:wrap;justify-content:center;gap:.5rem;margin-top:.75rem}
a{padding:.5rem 1rem;border:.0625rem solid;border-radius:.5rem;font-weight:600;text-decoration:none}
a:focus-visible{outline:.125rem solid;outline-offset:.125rem}
${colorsOf(light, lightAccents.default)}
@media screen and (prefers-color-scheme:dark){${colorsOf(dark, darkAccents.default)}}`;

/**
 * Returns a page that looks like the error pages, without a script or a file.
 * @param nonce allows its styles; a browser that keeps the page keeps it with its headers
 */
export function plainPage(nonce: string, { status, title, text, links }: PlainPage): string {
  const siteName = escapeHtml(settings().siteName);
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark"><title>${title} - ${siteName}</title>
<style nonce="${nonce}">${styles}</style></head>
<body><main><p class="product">${siteName}</p>
${status ? `<p class="status">${status}</p>` : ""}<h1>${title}</h1>
${text ? `<p class="muted">${text}</p>` : ""}
<p class="links">${links.map(({ to, label }) => `<a href="${to}">${label}</a>`).join(" ")}</p></main></body>
</html>
`;
}

/** Address of the page that a service worker shows while there is no connection. */
export const offlinePath = "/offline.html";

export const offlinePage = (nonce: string) =>
  plainPage(nonce, {
    title: "No connection",
    text: `${escapeHtml(settings().siteName)} can&#39;t be reached. Check the connection, then try again.`,
    links: [{ to: "", label: "Try again" }],
  });
