import type { ReactNode } from "react";
import { renderToString } from "react-dom/server";
import { shortMarkup } from "./short-markup.server";

/** Parts of pages by what they depend on, and their short markup by their marks. */
const marks = new Map<string, string>();
let parts: string[] = [];

/**
 * Keeps parts of pages. The page gets a mark in the place of each, so that the part is rendered, shortened and read
 * through no more than once; texts can't contain one, because React escapes what a comment begins with.
 */
export function cachedMarkup(key: string, content: () => ReactNode): string {
  let mark = marks.get(key);
  if (mark === undefined) {
    mark = `<!--part ${parts.length}-->`;
    parts.push(shortPart(renderToString(<>{content()}</>)));
    marks.set(key, mark);
  }
  return mark;
}

/** Puts the parts into a page that was rendered just now. */
export function withKeptMarkup(html: string): string {
  const page = html.replace(/<!--part (\d+)-->/g, (_mark, index) => parts[index]!);
  // A row is about 1 kB. Pages are rendered one at a time, and this one is complete.
  if (parts.length >= 5_000) {
    marks.clear();
    parts = [];
  }
  return page;
}

/** The tag that follows a part is that of its parent's end, which ends its last cell too. */
function shortPart(markup: string): string {
  const end = "</tr>";
  return shortMarkup(markup.endsWith("</td>") ? markup + end : markup).replace(/<\/tr>$/, "");
}
