import { admin, type App } from "../support/browser-app";
import type { openTcpRelay } from "../support/tcp-relay";
import type { Browser } from "./engine";
import type { Page } from "./page";

export type Visit = {
  browser: Browser;
  page: Page;
  app: App & { token: string };
  /** Stands between browser and app. */
  network: Awaited<ReturnType<typeof openTcpRelay>>;
  /** A folder for files, and the browser's home. */
  folder: string;
  /** Begins the names of promotions, which no other engine uses. */
  engine: string;
};

export type Step = {
  name: string;
  /** Begins in a new browser, which has stored no script yet. */
  isFirstVisit?: boolean;
  run: (visit: Visit) => Promise<void>;
};

/** The page of a code, on which its creation ends. */
export const ownPage = /^\/app\/qr-list\/\d+$/;

/** Opens a page of the app, signs in when asked to, and waits until the page's scripts run. */
export async function signIn(page: Page, browser: Browser, address: string): Promise<void> {
  await browser.open(page.origin + address);
  await page.fill("#email", admin.email);
  await page.fill("#password", admin.password);
  await page.click({ role: "button", name: "Login" });
  await page.arrives(address);
  await page.hydrated();
}

export async function fillPromotion(page: Page, name: string): Promise<void> {
  await page.fill("#promotionName", name);
  await page.fill("#discount", "15");
}

/** Counts the rows that hold all texts. */
export function countRows(page: Page, ...texts: string[]): Promise<number> {
  return page.evaluate(
    (wanted) =>
      [...document.querySelectorAll<HTMLElement>("tbody tr")].filter((row) =>
        wanted.every((text) => row.innerText.includes(text)),
      ).length,
    texts,
  );
}

/** Signs in to the API. @returns its token */
export async function signInToApi({ origin }: App): Promise<string> {
  const signedIn = await fetch(`${origin}/auth/signin/local`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(admin),
  });
  const { token } = (await signedIn.json()) as { token: string };
  return token;
}

/** Asks the API, which has no browser in between. */
export async function countPromotions(
  { origin, token }: Visit["app"],
  name: string,
): Promise<number> {
  const answer = await fetch(`${origin}/api/promotions?${new URLSearchParams({ text: name })}`, {
    headers: { Authorization: `Bearer ${token}` },
  });
  const { promotions } = (await answer.json()) as { promotions: unknown[] };
  return promotions.length;
}
