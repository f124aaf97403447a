/**
 * Streams one page out of React and nothing else: the limit that list-page.ts measures against.
 * Reads the page's HTML from standard input, prints its port.
 */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { parse, type DefaultTreeAdapterMap } from "parse5";
import { createElement, type ReactNode } from "react";
import { renderToPipeableStream } from "react-dom/server";

type Node = DefaultTreeAdapterMap["childNode"];

/** A component that makes the elements of the page anew for each request, as ours does. */
function pageComponent(html: string) {
  const attributeNames: Record<string, string> = { class: "className", for: "htmlFor" };
  const toElement = (node: Node, key: number): ReactNode => {
    if ("value" in node) return node.value;
    if (!("tagName" in node)) return null;
    const props: Record<string, unknown> = { key };
    for (const { name, value } of node.attrs) {
      const booleans = ["checked", "disabled", "hidden", "selected", "autofocus", "async"];
      if (node.tagName === "option" && name === "selected") continue;
      props[attributeNames[name] ?? name] = booleans.includes(name) ? true : value;
    }
    if (node.tagName === "script" || node.tagName === "style") {
      const [content] = node.childNodes;
      const text = content && "value" in content ? content.value : "";
      props["dangerouslySetInnerHTML"] = { __html: text };
      return createElement(node.tagName, props);
    }
    const children = node.childNodes.map(toElement);
    return createElement(node.tagName, props, ...children);
  };
  const root = parse(html).childNodes.find((node) => "tagName" in node)!;
  return function Page() {
    return toElement(root, 0);
  };
}

const Page = pageComponent(await text(process.stdin));
const server = createServer((_request, response) => {
  response.setHeader("Content-Type", "text/html; charset=utf-8");
  const { pipe } = renderToPipeableStream(createElement(Page), {
    onShellReady: () => pipe(response),
  });
});
server.listen(0, "127.0.0.1", () => console.log((server.address() as AddressInfo).port));
