import { beforeAll, expect, it } from "vitest";
import { demoPages } from "../../app/demo/pages";
import { issueTokenOf, send, signInNewUser, useServer } from "../support/server";
import { inSoak } from "../support/repetitions";

/** The demo area without a store of its own, and with a key of the maps service. */
const server = useServer({ environment: { DEMO_PAGES: "sample", MAPS_KEY: "test-key-of-maps" } });
let cookie = "";

beforeAll(async () => {
  cookie = await signInNewUser();
});

it("shows the twelve sample products with their states, without create, edit and delete", async () => {
  const { body } = await server.send("/app/ecommerce/management?per_page=25", { cookie });
  expect(body.replaceAll("<!-- -->", "")).toContain("12 products");
  for (const state of ["Shipped, 64%", "Delivered, 100%", "Canceled, 0%"])
    expect(body).toContain(state);
  for (const word of ["Create Product", "Edit Boots", "Delete", 'type="checkbox" name="ids"'])
    expect(body).not.toContain(word);
  for (const path of ["create", "edit/1", "delete?ids=1"]) {
    const address = `/app/ecommerce/management/${path}`;
    expect((await server.send(address, { cookie })).status, path).toBe(404);
    const posted = await server.send(address, { method: "POST", cookie, body: { title: "x" } });
    expect(posted.status, path).toBe(404);
  }
});

inSoak(it)("links no page that isn't there", async () => {
  const isChecked = (path: string) => !path.startsWith("/app/maps/");
  const linksOf = async (path: string) => {
    const { body } = await server.send(path, { cookie });
    return [...body.matchAll(/ href="(\/app\/[^"#]*)"/g)].map(([, to]) =>
      to!.replaceAll("&amp;", "&"),
    );
  };
  const pages = (await linksOf("/app/demo")).filter(
    (path) => demoPages.some((page) => page.path === path) && isChecked(path),
  );
  expect(pages.length).toBeGreaterThan(20);
  const links = new Set((await Promise.all(pages.map(linksOf))).flat());
  const missing = [];
  for (const link of [...links].filter(isChecked))
    if ((await server.send(link, { cookie })).status === 404) missing.push(link);
  expect(missing).toEqual([]);
});

it("refuses calls that change products", async () => {
  const token = await issueTokenOf();
  const headers = { Authorization: `Bearer ${token}`, "Content-Type": "application/json" };
  expect((await server.send("/products", { headers })).status).toBe(200);
  const created = await server.send("/products", { method: "POST", headers, body: "{}" });
  expect(created.status).toBe(403);
});

it("loads the maps service with a key on the page of its map, and lets no other page do so", async () => {
  // The checks of `server.send` expect the policy of all other pages.
  const page = await send(server.origin, "/app/maps/google", { cookie });
  expect(page.body).toContain("https://maps.googleapis.com/maps/api/js?key=test-key-of-maps");
  const [, nonce] = /<script nonce="([^"]+)">function startMap/.exec(page.body)!;
  expect(page.headers["content-security-policy"]).toContain(`'nonce-${nonce}' 'strict-dynamic'`);
  expect(page.headers["content-security-policy"]).toContain("https://*.googleapis.com");
  const other = await server.send("/app/maps/vector", { cookie });
  expect(other.headers["content-security-policy"]).not.toContain("googleapis");
  expect(other.body).not.toContain("googleapis");
});
