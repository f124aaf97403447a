import { get } from "node:http";
import type { Page } from "playwright/test";
import { isSoak } from "../support/repetitions";
import { adminSecrets } from "./arrange";
import { expect, test } from "./fixtures";

type Weight = {
  /** Bytes on the wire, headers included. Styles within the document count as part of it. */
  html: number;
  css: number;
  /** Scripts that the page names. */
  js: number;
  /** Scripts that they ask for while the browser is idle. */
  preload: number;
  requests: number;
};

/**
 * Measures a visit with nothing cached. The favicon is left out: a whole browser asks for it, a headless shell doesn't.
 */
async function weigh(page: Page, address: string): Promise<Weight> {
  const client = await page.context().newCDPSession(page);
  await client.send("Network.enable");
  await client.send("Network.setCacheDisabled", { cacheDisabled: true });
  const answers = new Map<string, { path: string; type: string }>();
  client.on("Network.responseReceived", ({ requestId, response }) => {
    const { pathname } = new URL(response.url);
    const type = response.mimeType.replace(/^.*javascript$/, "js").replace(/^text\//, "");
    if (!pathname.startsWith("/") || pathname === "/favicon.svg") return;
    answers.set(requestId, { path: pathname, type });
    const { headers } = response;
    if (["html", "css", "js"].includes(type))
      expect(headers["content-encoding"] ?? headers["Content-Encoding"]).toBe("br");
  });
  const sizes = new Map<string, number>();
  client.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
    sizes.set(requestId, encodedDataLength);
  });
  const html = await (await page.goto(address, { waitUntil: "networkidle" }))!.text();
  const weight: Weight = { html: 0, css: 0, js: 0, preload: 0, requests: 0 };
  for (const [requestId, { path, type }] of answers) {
    const size = sizes.get(requestId) ?? 0;
    // Files that the page doesn't name are asked for by its scripts while the browser is idle.
    const isNamed = type === "html" || html.includes(path);
    if (isNamed) weight.requests += 1;
    if (type === "js") weight[isNamed ? "js" : "preload"] += size;
    if (type === "html" || type === "css") weight[type] += size;
  }
  await client.detach();
  return weight;
}

/** Measures the document of a visit with the cookies of the first one, headers included. */
async function weighNextVisit(page: Page, url: string): Promise<number> {
  const cookies = await page.context().cookies();
  const Cookie = cookies.map(({ name, value }) => `${name}=${value}`).join("; ");
  return new Promise((resolve, reject) => {
    get(url, { agent: false, headers: { Cookie, "Accept-Encoding": "br" } }, (answer) => {
      const { socket } = answer;
      answer.resume().once("end", () => resolve(socket.bytesRead));
    }).once("error", reject);
  });
}

const KiB = 1024;
const list = 106 * KiB;
const form = 124 * KiB;
/** Both a list and a form. */
const both = 131 * KiB;
/** A page that stays small for small machines, too. */
const elements = 1500;
type Budget = { address: string; js: number; html?: number; elements?: number };
const budgets: Budget[] = [
  { address: "/login", js: 0 },
  { address: "/app/support", js: 0 },
  { address: "/app/dashboard", js: 100 * KiB },
  { address: "/app/qr-list", js: list, elements },
  { address: "/app/qr-generation", js: form },
  { address: "/app/qr-generation/mass", js: form },
  { address: "/app/qr-generation/1", js: both },
  { address: "/app/machines", js: list, elements },
  { address: "/app/machines/VM-10431?period=90", js: list, elements },
  // The page has two charts, each drawn for three widths.
  { address: "/app/reports", js: list, html: 17 * KiB },
  { address: "/app/integrations", js: both },
  { address: "/app/profile", js: both },
];
/** Pages that load the scripts of others. */
const soakBudgets: Budget[] = [
  { address: "/app/qr-list?view=campaigns", js: list },
  { address: "/app/machine-groups", js: list },
  { address: "/app/check", js: list },
  { address: "/app/transactions", js: list },
  { address: "/app/users", js: list },
];

for (const { address, js, html = 11 * KiB, elements = Infinity } of [
  ...budgets,
  ...(isSoak ? soakBudgets : []),
]) {
  test(`${address} stays within its weight`, async ({ page, context, app }, testInfo) => {
    const sid = { name: "sid", value: adminSecrets().session, url: app.origin };
    if (address !== "/login") await context.addCookies([sid]);
    const first = await weigh(page, address);
    // The page brings its styles first; the browser links those that it has from then on.
    const nextHtml = await weighNextVisit(page, app.origin + address);
    testInfo.annotations.push({ type: "weight", description: JSON.stringify({ first, nextHtml }) });
    expect(first.js).toBeLessThanOrEqual(js);
    expect(first.preload).toBeLessThanOrEqual(40 * KiB);
    expect(first.css).toBeLessThanOrEqual(9 * KiB);
    expect(first.requests).toBeLessThanOrEqual(12);
    expect(nextHtml).toBeGreaterThan(0);
    expect(nextHtml).toBeLessThanOrEqual(html);
    expect(await page.locator("*").count()).toBeLessThanOrEqual(elements);
  });
}

test("lite mode loads no script at all", async ({ signedIn: page, context, app }) => {
  await context.setExtraHTTPHeaders({ "Save-Data": "on" });
  const weight = await weigh(page, `${app.origin}/app/qr-list`);
  expect([weight.js, weight.preload]).toEqual([0, 0]);
  await context.setExtraHTTPHeaders({});
});
