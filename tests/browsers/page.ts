import type { Browser, Target } from "./engine";

/** How long something may take to be there, in ms. */
const patienceMs = 20_000;

/** The page that a browser shows, as people use it: each action waits for what it acts on. */
export class Page {
  constructor(
    private readonly browser: Browser,
    readonly origin: string,
  ) {}

  /** Opens a page and waits until its scripts run, if it has any. */
  async open(path: string): Promise<void> {
    await this.browser.open(this.origin + path);
    await this.hydrated();
  }

  /** Waits until React has taken over the page. */
  hydrated(): Promise<void> {
    return this.until("the page is hydrated", () =>
      this.evaluate(() => {
        const main = document.querySelector("main");
        return Boolean(main && Object.keys(main).some((key) => key.startsWith("__reactFiber")));
      }),
    );
  }

  /** Waits until a check holds. A page that is about to be replaced may fail to answer one. */
  async until(what: string, check: () => Promise<boolean>, timeoutMs = patienceMs): Promise<void> {
    const end = Date.now() + timeoutMs;
    let cause: unknown;
    while (Date.now() < end) {
      try {
        if (await check()) return;
      } catch (error) {
        cause = error;
      }
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    throw new Error(`Not within ${timeoutMs / 1_000} s: ${what}`, { cause });
  }

  readonly evaluate: Browser["evaluate"] = (task, ...args) => this.browser.evaluate(task, ...args);

  has(target: Target): Promise<boolean> {
    return this.browser.has(target);
  }

  shows(target: Target, timeoutMs?: number): Promise<void> {
    return this.until(`there is ${JSON.stringify(target)}`, () => this.has(target), timeoutMs);
  }

  /** Waits until people can read a text, within what a selector finds. */
  reads(text: string, selector = "body", timeoutMs?: number): Promise<void> {
    const isRead = () =>
      this.evaluate(
        (wanted, place) =>
          [...document.querySelectorAll<HTMLElement>(place)].some((element) =>
            element.innerText.includes(wanted),
          ),
        text,
        selector,
      );
    return this.until(`'${text}' can be read`, isRead, timeoutMs);
  }

  /** Clicks as soon as the element is there, and nothing that moves is before it. */
  click(target: Target): Promise<void> {
    const isClicked = () => this.browser.click(target).then(() => true);
    return this.until(`${JSON.stringify(target)} is clicked`, isClicked);
  }

  /** Types into a field, which is empty. */
  async fill(target: Target, text: string): Promise<void> {
    await this.click(target);
    await this.browser.type(text);
  }

  path(): Promise<string> {
    return this.evaluate(() => location.pathname);
  }

  arrives(path: string | RegExp, timeoutMs?: number): Promise<void> {
    const isThere = async () => {
      const current = await this.path();
      return typeof path === "string" ? current === path : path.test(current);
    };
    return this.until(`the address is ${path}`, isThere, timeoutMs);
  }

  value(selector: string): Promise<string> {
    return this.evaluate(
      (field) => document.querySelector<HTMLInputElement>(field)!.value,
      selector,
    );
  }

  /** Returns what has the focus: its label or text. */
  focused(): Promise<string> {
    return this.evaluate(() => {
      const { ariaLabel, title, innerText, id } = document.activeElement as HTMLElement;
      return ariaLabel || title || innerText || id;
    });
  }

  /** Tells whether an element has the focus. */
  hasFocus(selector: string): Promise<boolean> {
    return this.evaluate((wanted) => document.activeElement!.matches(wanted), selector);
  }

  /** Presses Tab until an element has the focus. */
  async tabTo(selector: string, maxStops = 60): Promise<void> {
    for (let stop = 0; stop < maxStops; stop++) {
      if (await this.hasFocus(selector)) return;
      await this.browser.press("Tab");
    }
    throw new Error(`${maxStops} presses of Tab don't lead to ${selector}.`);
  }
}
