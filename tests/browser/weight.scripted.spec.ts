import type { Page } from "playwright/test";
import { expect, test } from "./fixtures";

/** `preload` is what scripts ask for while the browser is idle, for dialogs. */
type Weight = Record<"html" | "css" | "js" | "preload" | "requests" | "total", number>;

/** Measures a first visit in bytes on the wire: scripts with their headers, other bodies without. */
async function weigh(page: Page, address: string): Promise<Weight> {
  const client = await page.context().newCDPSession(page);
  await client.send("Network.enable");
  const weight: Weight = { html: 0, css: 0, js: 0, preload: 0, requests: 0, total: 0 };
  const answers: { requestId: string; path: string; type: string; headers: number }[] = [];
  client.on("Network.responseReceived", ({ requestId, response }) => {
    const { pathname } = new URL(response.url);
    const type = response.mimeType.replace(/^.*javascript$/, "js").replace(/^text\//, "");
    answers.push({ requestId, path: pathname, type, headers: response.encodedDataLength });
    if (["html", "css", "js"].includes(type))
      expect(response.headers["content-encoding"] ?? response.headers["Content-Encoding"]).toBe(
        "br",
      );
  });
  const sizes = new Map<string, number>();
  client.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
    sizes.set(requestId, encodedDataLength);
    weight.total += encodedDataLength;
  });
  const html = await (await page.goto(address, { waitUntil: "networkidle" }))!.text();
  for (const { requestId, path, type, headers } of answers) {
    // An image within the styles.
    if (!path.startsWith("/")) continue;
    const size = sizes.get(requestId) ?? 0;
    // Files that the page doesn't name are asked for by its scripts while the browser is idle.
    const isNamed = type === "html" || html.includes(path);
    if (isNamed) weight.requests += 1;
    if (type === "js") weight[isNamed ? "js" : "preload"] += isNamed ? size : size - headers;
    if (type === "html" || (type === "css" && isNamed)) weight[type] += size - headers;
  }
  return weight;
}

// A first visit has nothing cached.
test.use({ hasOwnContext: true });

const KiB = 1024;
const list = 95 * KiB;
const form = 105 * KiB;
/** Both a list and a form. */
const both = 111 * KiB;
const budgets: { address: string; js: number; html?: number }[] = [
  { address: "/login", js: 0 },
  { address: "/app/support", js: 0 },
  { address: "/app/dashboard", js: 90 * KiB },
  { address: "/app/qr-list", js: list },
  { address: "/app/qr-list?view=campaigns", js: list },
  { address: "/app/qr-generation", js: form },
  { address: "/app/qr-generation/mass", js: form },
  { address: "/app/qr-generation/1", js: both },
  { address: "/app/machines", js: list },
  { address: "/app/machines/VM-10431?period=90", js: list },
  { address: "/app/machine-groups", js: list },
  { address: "/app/check", js: list },
  { address: "/app/transactions", js: list },
  // The page has two charts, each drawn for three widths.
  { address: "/app/reports", js: list, html: 24 * KiB },
  { address: "/app/integrations", js: both },
  { address: "/app/profile", js: both },
];

for (const { address, js, html = 22 * KiB } of budgets) {
  test(`${address} stays within its weight`, async ({
    page,
    context,
    app,
    sessionCookie,
  }, testInfo) => {
    if (address !== "/login")
      await context.addCookies([{ name: "sid", value: sessionCookie, url: app.origin }]);
    const weight = await weigh(page, address);
    testInfo.annotations.push({ type: "weight", description: JSON.stringify(weight) });
    expect(weight.js).toBeLessThanOrEqual(js);
    expect(weight.preload).toBeLessThanOrEqual(40 * KiB);
    expect(weight.html).toBeGreaterThan(0);
    expect(weight.css).toBeLessThanOrEqual(8 * KiB);
    // A first page carries its styles.
    expect(weight.html).toBeLessThanOrEqual(html);
    expect(weight.requests).toBeLessThanOrEqual(js === both ? 11 : 10);
    if (address === "/login") expect(weight.total).toBeLessThanOrEqual(5 * KiB);
  });
}

test("lite mode loads no script at all", async ({ signedIn: page, context, app }) => {
  await context.setExtraHTTPHeaders({ "Save-Data": "on" });
  const weight = await weigh(page, `${app.origin}/app/qr-list`);
  expect(weight.js).toBe(0);
});

for (const address of ["/app/qr-list", "/app/machines", "/app/machines/VM-10431?period=90"])
  test(`${address} stays small for small machines`, async ({ signedIn: page, visit }) => {
    await visit(address);
    expect(await page.locator("*").count()).toBeLessThanOrEqual(1500);
  });

/** Bytes of the document, before compression, for a browser that has the style sheet. */
const markup = {
  "/app/qr-list": 45 * KiB,
  "/app/transactions": 33 * KiB,
  "/app/machines": 27 * KiB,
};
for (const [address, bytes] of Object.entries(markup))
  test(`${address} has short markup`, async ({ context, app, sessionCookie }) => {
    await context.addCookies([{ name: "sid", value: sessionCookie, url: app.origin }]);
    await context.request.get(app.origin + address);
    const page = await context.request.get(app.origin + address);
    expect((await page.body()).length).toBeLessThanOrEqual(bytes);
  });
