import { existsSync } from "node:fs";
import path from "node:path";

/** A browser engine that may be installed on this machine. */
export type Engine = {
  name: string;
  /** Says how to install it on Debian. */
  installation: string;
  /** Returns its program, or null if a part of it is missing. */
  find: () => string | null;
  /**
   * Starts it with an empty profile.
   * @param folder is its home, where it may leave what it likes
   */
  launch: (program: string, folder: string) => Promise<Browser>;
};

/** Commands of a step to a browser; everything else is done in its page. */
export type Browser = {
  version: string;
  open: (address: string) => Promise<void>;
  /**
   * Runs a function in the page; arguments and result are plain data. It must not name functions within: tsx would
   * add a call to a helper that pages lack.
   */
  evaluate: <Args extends unknown[], Result>(
    task: (...args: Args) => Result,
    ...args: Args
  ) => Promise<Awaited<Result>>;
  has: (target: Target) => Promise<boolean>;
  click: (target: Target) => Promise<void>;
  /** Chooses a file in a field. */
  upload: (target: Target, file: string) => Promise<void>;
  /** Types into what has the focus. */
  type: (text: string) => Promise<void>;
  press: (key: Key) => Promise<void>;
  resize: (width: number, height: number) => Promise<void>;
  /** The cookies of the page as a request sends them. */
  cookies: () => Promise<string>;
  clearCookies: () => Promise<void>;
  /**
   * Returns the requests of its page since a time in ms; absent where connections must be counted instead. Firefox
   * attempts up to ten connections for a request.
   */
  requestsSince?: (since: number) => string[];
  screenshot: () => Promise<Buffer>;
  close: () => Promise<void>;
};

export type Key = "Tab" | "Shift+Tab" | "Enter" | "Escape" | "ArrowLeft" | "ArrowRight";

/** An element that people see: by its role and name, or by a selector. */
export type Target = { role: keyof typeof roles; name: string; within?: string } | string;

/** Selectors of the roles that the journey uses. */
export const roles = {
  button: "button, summary",
  checkbox: "input[type=checkbox]",
  field: "input, textarea, select",
  heading: "h1, h2, h3",
  link: "a[href]",
  radio: "input[type=radio]",
  row: "tbody tr",
};

/**
 * Runs in the page: returns the first visible element of that role whose name is the given one, or else begins with
 * it, as the code of a promotion follows its name.
 */
export function findElement(selector: string, name: string | null): HTMLElement | null {
  const visible = [...document.querySelectorAll<HTMLElement>(selector)].filter((element) =>
    element.checkVisibility(),
  );
  if (name === null) return visible[0] ?? null;
  const named = visible.map((element) => {
    const label = "labels" in element && (element.labels as NodeListOf<HTMLElement> | null)?.[0];
    const text = element.ariaLabel || (label || element).textContent || element.title;
    return { element, text: text.replace(/\s+/g, " ").trim() };
  });
  const found =
    named.find(({ text }) => text === name) ?? named.find(({ text }) => text.startsWith(name));
  return found?.element ?? null;
}

/** Returns the arguments of `findElement` for a target. */
export function query(target: Target): [string, string | null] {
  if (typeof target === "string") return [target, null];
  const { role, name, within = "" } = target;
  const selectors = roles[role].split(", ").map((selector) => `${within} ${selector}`);
  return [selectors.join(", "), name];
}

/** Returns the first of several programs that is installed, or null. */
export function findProgram(...names: string[]): string | null {
  const folders = [...(process.env.PATH ?? "").split(path.delimiter), "/usr/bin"];
  const files = names.flatMap((name) => folders.map((folder) => path.join(folder, name)));
  return files.find((file) => existsSync(file)) ?? null;
}
