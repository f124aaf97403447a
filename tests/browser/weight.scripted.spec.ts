import { get } from "node:http";
import { brotliDecompressSync } from "node:zlib";
import type { Page } from "playwright/test";
import { countElements } from "../support/html";
import { isSoak } from "../support/repetitions";
import { adminSecrets } from "./arrange";
import { expect, test } from "./fixtures";

const KiB = 1024;
const list = 104 * KiB;
const form = 122 * KiB;
/** Both a list and a form. */
const both = 129 * KiB;
/** A page that stays small for small machines, too. */
const elements = 1500;

/** The most bytes on the wire, headers included, of a document and of the scripts that it names. */
type Budget = { address: string; js: number; html?: number; elements?: number };
const budgets: Budget[] = [
  { address: "/login", js: 0 },
  { address: "/app/support", js: 0 },
  { address: "/app/dashboard", js: 98 * KiB },
  { address: "/app/qr-list", js: list, elements },
  { address: "/app/qr-list?view=campaigns", js: list },
  { address: "/app/qr-generation", js: form },
  { address: "/app/qr-generation/mass", js: form },
  { address: "/app/qr-generation/1", js: both },
  { address: "/app/machines", js: list, elements },
  { address: "/app/machines/VM-10431?period=90", js: list, elements },
  { address: "/app/machine-groups", js: list },
  { address: "/app/check", js: list },
  { address: "/app/transactions", js: list },
  { address: "/app/users", js: list },
  // The page has two charts, each drawn for three widths.
  { address: "/app/reports", js: list, html: 17 * KiB },
  { address: "/app/integrations", js: both },
  { address: "/app/profile", js: both },
];

for (const { address, js, html: maxHtml = 11 * KiB, elements: maxElements = Infinity } of budgets)
  test(`${address} stays within its weight`, async ({ app }) => {
    const session = address === "/login" ? "" : `sid=${adminSecrets().session}`;
    // A first page brings its styles, and remembers that the browser has their file from then on.
    const first = await download(app.origin + address, session);
    const html = first.body.toString();
    const names = namedFiles(html);
    expect(names.length + 1).toBeLessThanOrEqual(12);

    const files = await Promise.all(names.map((name) => download(app.origin + name)));
    const weigh = (ending: string) =>
      files
        .filter((_, index) => names[index]!.endsWith(ending))
        .reduce((sum, { size }) => sum + size, 0);
    expect(weigh(".js")).toBeLessThanOrEqual(js);
    expect(weigh(".css")).toBeLessThanOrEqual(9 * KiB);

    const known = `sheet=${/kit-[\w-]+\.css/.exec(html)![0]}`;
    const next = await download(app.origin + address, `${session}; ${known}`);
    expect(next.size).toBeLessThanOrEqual(maxHtml);
    expect(countElements(html)).toBeLessThanOrEqual(maxElements);
  });

/** One page of each kind; the soak opens all of them. */
const visited = ["/app/dashboard", "/app/qr-list", "/app/qr-generation/1"];
for (const address of isSoak ? budgets.map((budget) => budget.address) : visited)
  test(`${address} loads the files that it names, and at most 40 KiB more while it is idle`, async ({
    page,
    context,
    app,
  }) => {
    const sid = { name: "sid", value: adminSecrets().session, url: app.origin };
    if (address !== "/login") await context.addCookies([sid]);
    const { html, sizes } = await visit(page, address);
    const names = namedFiles(html);
    // The style sheet follows hydration, which a busy machine can take longer for than the network is quiet.
    await expect.poll(() => names.filter((name) => !sizes.has(name))).toEqual([]);
    const others = [...sizes].filter(([name]) => !names.includes(name));
    expect(others.reduce((sum, [, size]) => sum + size, 0)).toBeLessThanOrEqual(40 * KiB);
  });

test("a first page fetches the file of its styles once it is hydrated, and the next page links it", async ({
  page,
  context,
  app,
}) => {
  await context.addCookies([{ name: "sid", value: adminSecrets().session, url: app.origin }]);
  await page.goto("/app/qr-list");
  await expect
    .poll(async () => (await context.cookies()).map(({ name }) => name))
    .toContain("sheet");
  await page.goto("/app/qr-list");
  const sheet = page.locator("link[rel=stylesheet]");
  await expect(sheet).not.toHaveAttribute("media");
  expect(await page.locator("style").first().textContent()).toBe("/**/");
});

test("lite mode loads no script at all", async ({ signedIn: page, context }) => {
  await context.setExtraHTTPHeaders({ "Save-Data": "on" });
  const { sizes } = await visit(page, "/app/qr-list");
  expect([...sizes.keys()].filter((name) => name.endsWith(".js"))).toEqual([]);
  await context.setExtraHTTPHeaders({});
});

/** Returns the scripts and style sheets that a browser loads for a document. */
const namedFiles = (html: string) => [
  ...new Set([...html.matchAll(/\/assets\/[\w.-]+\.(?:js|css)/g)].map(([file]) => file)),
];

type Download = { body: Buffer; cookies: string[]; size: number };

/** Reads an answer that has to be compressed. `size` is its bytes on the wire, headers included. */
function download(url: string, cookie = ""): Promise<Download> {
  // A browser keeps its connections, too.
  const headers = {
    "Accept-Encoding": "br",
    Connection: "keep-alive",
    ...(cookie && { Cookie: cookie }),
  };
  return new Promise((resolve, reject) => {
    get(url, { agent: false, headers }, async (answer) => {
      const { socket } = answer;
      const chunks = (await answer.toArray()) as Buffer[];
      socket.destroy();
      expect(answer.headers["content-encoding"], url).toBe("br");
      resolve({
        body: brotliDecompressSync(Buffer.concat(chunks)),
        cookies: (answer.headers["set-cookie"] ?? []).map((cookie) => cookie.split(";")[0]!),
        size: socket.bytesRead,
      });
    }).once("error", reject);
  });
}

/** Opens a page with nothing cached. `sizes` has the bytes on the wire of scripts and style sheets by path; later ones are added. */
async function visit(page: Page, address: string) {
  const client = await page.context().newCDPSession(page);
  await client.send("Network.enable");
  await client.send("Network.setCacheDisabled", { cacheDisabled: true });
  const paths = new Map<string, string>();
  client.on("Network.responseReceived", ({ requestId, response }) => {
    const { pathname } = new URL(response.url);
    if (/\.(js|css)$/.test(pathname)) paths.set(requestId, pathname);
  });
  const sizes = new Map<string, number>();
  client.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
    const path = paths.get(requestId);
    if (path) sizes.set(path, encodedDataLength);
  });
  const answer = await page.goto(address, { waitUntil: "networkidle" });
  return { html: await answer!.text(), sizes };
}
