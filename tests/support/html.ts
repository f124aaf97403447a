import { type DefaultTreeAdapterTypes, parse } from "parse5";

const textOf = (node: DefaultTreeAdapterTypes.Node): string =>
  "value" in node ? node.value : "childNodes" in node ? node.childNodes.map(textOf).join("") : "";

/** Returns the texts of all elements with a tag, as a browser reads the page. */
export function textsOf(html: string, tag: string): string[] {
  const texts: string[] = [];
  const walk = (node: DefaultTreeAdapterTypes.Node) => {
    if (node.nodeName === tag) texts.push(textOf(node));
    if ("childNodes" in node) node.childNodes.forEach(walk);
  };
  walk(parse(html));
  return texts;
}

/** Returns the number of elements, as a browser reads the page. */
export function countElements(html: string): number {
  const countIn = (node: DefaultTreeAdapterTypes.Node): number =>
    "childNodes" in node
      ? node.childNodes.reduce((sum, child) => sum + countIn(child), Number("tagName" in node))
      : 0;
  return countIn(parse(html));
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
export function elementsById(html: string, tag: string): Record<string, string> {
  const texts: Record<string, string> = {};
  const walk = (node: DefaultTreeAdapterTypes.Node) => {
    const id = "attrs" in node ? node.attrs.find(({ name }) => name === "id")?.value : undefined;
    if (node.nodeName === tag && id !== undefined) texts[id] = textOf(node);
    if ("childNodes" in node) node.childNodes.forEach(walk);
  };
  walk(parse(html));
  return texts;
}
