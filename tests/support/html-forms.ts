import { type DefaultTreeAdapterTypes, parse } from "parse5";

/** Reads the forms of a page as a browser does. */
export type Element = DefaultTreeAdapterTypes.Element;
type ParentNode = DefaultTreeAdapterTypes.ParentNode;

/** The elements below a node by their tags. */
type ByTag = Map<string, Element[]>;
const found = new WeakMap<ParentNode, ByTag>();

let last = { html: "", document: parse("") };

/** Parses a page as a browser does; one that is read several times, one after the other, is parsed once. */
export function parsePage(html: string) {
  if (html !== last.html) last = { html, document: parse(html) };
  return last.document;
}

/** Returns the elements of a tag below a node, in order. They are found once: a page doesn't change. */
export function all(node: ParentNode, tag: string): readonly Element[] {
  let byTag = found.get(node);
  if (!byTag) found.set(node, (byTag = findBelow(node, new Map())));
  return byTag.get(tag) ?? [];
}

function findBelow(node: ParentNode, byTag: ByTag): ByTag {
  for (const child of node.childNodes) {
    if (!("tagName" in child)) continue;
    const ofTag = byTag.get(child.tagName);
    if (ofTag) ofTag.push(child);
    else byTag.set(child.tagName, [child]);
    findBelow(child, byTag);
  }
  return byTag;
}

export const attribute = (element: Element, name: string) =>
  element.attrs.find((attr) => attr.name === name)?.value;
export const has = (element: Element, name: string) => attribute(element, name) !== undefined;

/** Resolves an address of a page: path and query. */
export function resolve(target: string, address: string): string {
  const { pathname, search } = new URL(target || address, new URL(address, "http://page"));
  return pathname + search;
}

/** The form that an element belongs to: the one it names, else the one around it. */
export function formOf(document: ParentNode, element: Element): Element | undefined {
  const id = attribute(element, "form");
  if (id) return all(document, "form").find((form) => attribute(form, "id") === id);
  let parent = element.parentNode;
  while (parent && "tagName" in parent && parent.tagName !== "form") parent = parent.parentNode;
  return parent && "tagName" in parent ? parent : undefined;
}

/** The controls of a form that have a name and are not disabled, without its buttons. */
function controlsOf(document: ParentNode, form: Element): Element[] {
  return ["input", "select", "textarea"].flatMap((tag) =>
    all(document, tag).filter(
      (control) =>
        attribute(control, "name") &&
        !has(control, "disabled") &&
        formOf(document, control) === form,
    ),
  );
}

const isBox = (control: Element) => /^(checkbox|radio)$/.test(attribute(control, "type") ?? "");

/** The fields that a browser would send, without those of buttons. */
export function fieldsOf(document: ParentNode, form: Element): [string, string][] {
  return controlsOf(document, form)
    .filter((control) => !isBox(control) || has(control, "checked"))
    .map((control) => [attribute(control, "name")!, valueOf(control)]);
}

function valueOf(control: Element): string {
  if (control.tagName === "textarea") return rawTextOf(control);
  if (control.tagName !== "select")
    return attribute(control, "value") ?? (isBox(control) ? "on" : "");
  const options = all(control, "option");
  const chosen = options.find((option) => has(option, "selected")) ?? options[0];
  return chosen ? optionValue(chosen) : "";
}

const optionValue = (option: Element) => attribute(option, "value") ?? textOf(option);

export function rawTextOf(node: DefaultTreeAdapterTypes.Node): string {
  if ("value" in node) return node.value;
  return "childNodes" in node ? node.childNodes.map(rawTextOf).join("") : "";
}

export function textOf(node: Element | undefined): string {
  return node ? rawTextOf(node).replace(/\s+/g, " ").trim() : "";
}

/** A field of a form: what people can put into it. */
export type PageField = {
  name: string;
  /** The type of an input, or `select` or `textarea`. */
  type: string;
  value: string;
  isChecked: boolean;
  /** Values that can be chosen. */
  options: string[];
};

/** A form of a page, with its buttons that send it. */
export type PageForm = {
  method: string;
  /** Path and query. */
  action: string;
  isMultipart: boolean;
  fields: PageField[];
  /** Values of its buttons named `intent`; '' for one without a name. */
  intents: string[];
  /** The names and values that a browser sends, as the fields are. */
  sent: [string, string][];
};

/** Reads all forms of a page, those of buttons with another method or address included. */
export function formsOf(html: string, address: string): PageForm[] {
  const document = parsePage(html);
  return all(document, "form").flatMap((form) => {
    const buttons = all(document, "button").filter(
      (button) =>
        (attribute(button, "type") ?? "submit") === "submit" && formOf(document, button) === form,
    );
    const setting = (button: Element, key: string) =>
      attribute(button, `form${key}`) ?? attribute(form, key);
    const targets = new Map<string, Element[]>();
    for (const button of buttons) {
      const method = (setting(button, "method") ?? "get").toLowerCase();
      const key = `${method} ${resolve(setting(button, "action") ?? address, address)}`;
      targets.set(key, [...(targets.get(key) ?? []), button]);
    }
    return [...targets].map(([target, itsButtons]) => ({
      method: target.split(" ")[0]!,
      action: target.slice(target.indexOf(" ") + 1),
      isMultipart: attribute(form, "enctype") === "multipart/form-data",
      fields: controlsOf(document, form).map((control) => toField(control)),
      intents: itsButtons.map((button) =>
        attribute(button, "name") === "intent" ? (attribute(button, "value") ?? "") : "",
      ),
      sent: fieldsOf(document, form),
    }));
  });
}

function toField(control: Element): PageField {
  const isInput = control.tagName === "input";
  return {
    name: attribute(control, "name")!,
    type: isInput ? (attribute(control, "type") ?? "text") : control.tagName,
    value: valueOf(control),
    isChecked: has(control, "checked"),
    options: control.tagName === "select" ? all(control, "option").map(optionValue) : [],
  };
}
