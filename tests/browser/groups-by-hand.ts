import type { BrowserContext } from "playwright/test";

type App = { origin: string };

async function send(context: BrowserContext, { origin }: App, path: string, fields: object) {
  const form = new URLSearchParams(fields as Record<string, string>);
  return context.request.post(origin + path, {
    headers: { Origin: origin, "Content-Type": "application/x-www-form-urlencoded" },
    data: form.toString(),
    maxRedirects: 0,
  });
}

/**
 * Makes a group as its forms do.
 * @returns its id
 */
export async function makeGroup(
  context: BrowserContext,
  app: App,
  name: string,
  serials: readonly string[] = [],
): Promise<string> {
  const made = await send(context, app, "/app/machine-groups/new", { name, kind: "site" });
  const id = /machine-groups\/(\d+)/.exec(made.headers().location ?? "")![1]!;
  if (serials.length > 0) {
    const fields = { intent: "paste", serials: serials.join("\n") };
    await send(context, app, `/app/machine-groups/${id}`, fields);
  }
  return id;
}

/** Other tests of the same app count on what the sample data has. */
export async function deleteGroups(context: BrowserContext, app: App): Promise<void> {
  const list = await context.request.get(`${app.origin}/app/machine-groups?per_page=100`);
  for (const [, id] of (await list.text()).matchAll(/"\/app\/machine-groups\/(\d+)"/g))
    await send(context, app, `/app/machine-groups/${id}/delete`, {});
}

/** The first serial numbers of the sample machines. */
export async function sampleSerials(context: BrowserContext, app: App): Promise<string[]> {
  const form = await context.request.get(`${app.origin}/app/qr-generation`);
  const values = (await form.text()).matchAll(/name="machines"[^>]*value="([^"]+)"/g);
  return [...values].map(([, serial]) => serial!).sort();
}
