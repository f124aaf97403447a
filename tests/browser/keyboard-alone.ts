import type { Locator, Page } from "playwright/test";

/**
 * Lets tests go the way of somebody without a mouse: a click becomes Tab to the control, arrows within a group, then Enter
 * or Space; a field is filled once Tab has reached it. `KEYBOARD=1 npm test -- tests/browser` runs the journeys so.
 */

/** Limits the presses on the way to a control; a page with a list has some hundred stops. */
const maxPresses = 400;

type KeyPresses = { keys: string[]; isChoice: boolean };

/** Runs in the page. Returns the keys that bring the focus nearer to a control, or choose it; null if it is there. */
function nextPresses(element: Element): KeyPresses | null {
  const control = controlOf(element);
  const focused = document.activeElement ?? document.body;
  if (focused === control) return null;
  // An arrow chooses as well, and what is chosen may leave the page.
  const radios = radiosOf(control);
  const steps = radios.indexOf(control) - radios.indexOf(focused);
  if (radios.includes(focused))
    return {
      keys: Array(Math.abs(steps)).fill(steps > 0 ? "ArrowDown" : "ArrowUp"),
      isChoice: true,
    };
  for (const [group, key] of [
    ["[role=tablist], [role=toolbar], thead tr", "ArrowRight"],
    ["[role=menu], [role=listbox], [role=grid]", "ArrowDown"],
  ] as const)
    if (control.closest(group)?.contains(focused)) return { keys: [key], isChoice: false };
  const isBefore =
    focused.compareDocumentPosition(control) & Node.DOCUMENT_POSITION_PRECEDING &&
    focused !== document.body;
  return { keys: [isBefore ? "Shift+Tab" : "Tab"], isChoice: false };

  /** The control that a click on the element operates. */
  function controlOf(element: Element): Element {
    return (
      element.closest("label")?.control ??
      element.closest("a[href], button, input, select, textarea, summary, [tabindex]") ??
      element
    );
  }

  function radiosOf(control: Element): Element[] {
    if (!(control instanceof HTMLInputElement && control.type === "radio")) return [];
    const named = (control.form ?? document).querySelectorAll<HTMLInputElement>("[type=radio]");
    return [...named].filter(({ name }) => name === control.name);
  }
}

/** Runs in the page. Returns the key that operates the control with the focus; null if the focus is all it needs. */
function operatingKey(): string | null {
  const control = document.activeElement!;
  const type = control.getAttribute("type");
  if (control instanceof HTMLInputElement && type === "radio") return control.checked ? null : " ";
  if (type === "checkbox" || /^(checkbox|switch|radio)$/.test(control.role ?? "")) return " ";
  const isField = control.matches(
    "input:not([type=submit], [type=button], [type=file]), select, textarea",
  );
  return isField ? null : "Enter";
}

/** Moves the focus to a control with the keyboard. @throws if no number of presses reaches it */
async function reach(locator: Locator): Promise<"reached" | "chosen"> {
  const page = locator.page();
  await locator.waitFor({ state: "attached" });
  for (let presses = 0; presses < maxPresses; presses++) {
    const next = await locator.evaluate(nextPresses);
    for (const key of next?.keys ?? []) await page.keyboard.press(key);
    if (!next) return "reached";
    if (next.isChoice) return "chosen";
  }
  throw new Error(`The keyboard doesn't reach ${String(locator)}`);
}

async function operate(locator: Locator): Promise<void> {
  if ((await reach(locator)) === "chosen") return;
  const page = locator.page();
  const key = await page.evaluate(operatingKey);
  if (key !== null) await page.keyboard.press(key);
}

type Method = (this: Locator, ...args: unknown[]) => Promise<unknown>;

const isReplaced = Symbol("keyboard alone");

/** Replaces what tests do with a mouse in all pages of this process. */
export function goByKeyboard(page: Page): void {
  const methods = Object.getPrototypeOf(page.locator("body")) as Record<string | symbol, unknown>;
  if (methods[isReplaced]) return;
  methods[isReplaced] = true;
  const original = (name: string) => methods[name] as Method;
  const byMouse = original("click");
  methods.click = async function (this: Locator, options?: { position?: object; modifiers?: [] }) {
    // Only a mouse can do that.
    if (options?.position || options?.modifiers) return byMouse.call(this, options);
    return operate(this);
  };
  methods.setChecked = async function (this: Locator, isChecked: boolean) {
    if ((await this.isChecked()) !== isChecked) await operate(this);
  };
  methods.check = function (this: Locator) {
    return this.setChecked(true);
  };
  methods.uncheck = function (this: Locator) {
    return this.setChecked(false);
  };
  for (const name of ["fill", "pressSequentially", "selectOption", "setInputFiles"]) {
    const method = original(name);
    methods[name] = async function (this: Locator, ...args: unknown[]) {
      await reach(this);
      return method.apply(this, args);
    };
  }
}
