import type { DefaultTreeAdapterTypes } from "parse5";
import { all, attribute, parsePage, rawTextOf } from "./html-forms";

/** Returns the texts of all elements with a tag, as a browser reads the page. */
export const textsOf = (html: string, tag: string) => all(parsePage(html), tag).map(rawTextOf);

/** Returns the number of elements, as a browser reads the page. */
export function countElements(html: string): number {
  const countIn = (node: DefaultTreeAdapterTypes.Node): number =>
    "childNodes" in node
      ? node.childNodes.reduce((sum, child) => sum + countIn(child), Number("tagName" in node))
      : 0;
  return countIn(parsePage(html));
}

/** Ends lines as a browser does, which reads every kind of line end as one. */
export const asRead = (text: string) => text.replace(/\r\n?/g, "\n");

/** Returns the text of `main`, with a blank for every tag. */
export const textOfMain = (html: string) =>
  html
    .slice(html.indexOf("<main"), html.indexOf("</main>"))
    .replace(/<[^>]+>/g, " ")
    .replace(/\s+/g, " ");

/** Returns the texts of the elements with a tag that have ids, by those, as a browser reads the page. */
export const elementsById = (html: string, tag: string): Record<string, string> =>
  Object.fromEntries(
    all(parsePage(html), tag).flatMap((element) => {
      const id = attribute(element, "id");
      return id === undefined ? [] : [[id, rawTextOf(element)]];
    }),
  );
