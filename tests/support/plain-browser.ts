import {
  all,
  attribute,
  fieldsOf,
  formOf,
  has,
  parsePage,
  resolve,
  textOf,
  type Element,
} from "./html-forms";
import type { Answer, Sending } from "./server";

/** Content and actions of a page without scripts. */
export type PlainPage = {
  status: number;
  /** Path and query, after redirects. */
  address: string;
  title: string;
  /** The text of `main`, its white space collapsed. */
  text: string;
  /** Everything as it was sent. */
  html: string;
  /** The names of the rows of tables, in order. */
  rowHeaders: string[];
  /** The address of the first link of that name. */
  hrefOf: (link: string) => string;
  hasButton: (button: string) => boolean;
  isDisabled: (button: string) => boolean;
  /** The values that the first form with that field sends for it. */
  valuesOf: (field: string) => string[];
  follow: (link: string) => Promise<PlainPage>;
  /** Presses a button; `fields` replace those of its form, null leaves one out. */
  press: (button: string, fields?: Fields) => Promise<PlainPage>;
};

type Fields = Record<string, string | string[] | null>;
type Server = { send: (target: string, sending?: Sending) => Promise<Answer> };

/**
 * Opens pages as a browser without scripts does: it follows redirects and keeps cookies.
 * @param headers sent with every request
 */
export function plainBrowser(
  server: Server,
  session: string,
  headers: Record<string, string> = {},
) {
  const cookies = new Map<string, string>();
  const remember = (cookie: string) => {
    const [name = "", value = ""] = cookie.split(";")[0]!.split("=");
    cookies.set(name, value);
  };
  remember(session);

  async function load(target: string, sending: Sending = {}): Promise<PlainPage> {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const answer = await server.send(target, { ...sending, cookie, headers });
    for (const line of answer.headers["set-cookie"] ?? []) remember(line);
    // 307 sends the same form once more.
    const { location } = answer.headers;
    if (location) return load(location, answer.status === 307 ? sending : {});
    return readPage(target, answer, load);
  }
  return {
    open: (target: string) => load(target),
    /** Opens a page and presses a button of it. */
    press: async (target: string, button: string, fields?: Fields) =>
      (await load(target)).press(button, fields),
    cookies,
  };
}

function readPage(
  address: string,
  answer: Answer,
  load: (target: string, sending?: Sending) => Promise<PlainPage>,
): PlainPage {
  const document = parsePage(answer.body);
  const main = all(document, "main")[0];
  const hrefOf = (name: string) => {
    const link = all(document, "a").find((element) => isNamed(element, name));
    if (!link) throw new Error(`${address} has no link '${name}'`);
    return resolve(attribute(link, "href") ?? "", address);
  };
  const findButton = (name: string) =>
    all(document, "button").find((element) => isNamed(element, name));

  return {
    status: answer.status,
    address,
    title: textOf(all(document, "title")[0]),
    text: textOf(main),
    html: answer.body,
    rowHeaders: all(document, "th")
      .filter((cell) => attribute(cell, "scope") === "row")
      .map(textOf),
    hrefOf,
    hasButton: (name) => findButton(name) !== undefined,
    isDisabled: (name) => {
      const button = findButton(name)!;
      return has(button, "disabled") || attribute(button, "type") === "button";
    },
    valuesOf: (field) => {
      for (const form of all(document, "form")) {
        const values = fieldsOf(document, form).filter(([name]) => name === field);
        if (values.length > 0) return values.map(([, value]) => value);
      }
      return [];
    },
    follow: (link) => load(hrefOf(link)),
    press: (name, fields = {}) => {
      const button = findButton(name);
      const form = button && formOf(document, button);
      if (!button || !form) throw new Error(`${address} has no button '${name}' of a form`);
      const sent = fieldsOf(document, form).filter(([field]) => !(field in fields));
      for (const [field, value] of Object.entries(fields))
        for (const each of value === null ? [] : [value].flat()) sent.push([field, each]);
      const own = attribute(button, "name");
      if (own) sent.push([own, attribute(button, "value") ?? ""]);
      const setting = (key: string) => attribute(button, `form${key}`) ?? attribute(form, key);
      const target = resolve(setting("action") ?? address, address);
      if ((setting("method") ?? "get").toLowerCase() === "post")
        return load(target, { method: "POST", body: sent });
      return load(`${target.split("?")[0]}?${new URLSearchParams(sent)}`);
    },
  };
}

const nameOf = (element: Element) =>
  attribute(element, "aria-label") ?? (textOf(element) || (attribute(element, "title") ?? ""));

/** Tells whether a control has a name, with or without the code that follows the name of a promotion. */
const isNamed = (element: Element, name: string) =>
  [nameOf(element), nameOf(element).replace(/, [2-9A-Z]{4}(-[2-9A-Z]{4}){2}/, "")].includes(name);
