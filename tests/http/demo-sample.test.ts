import { beforeAll, expect, it } from "vitest";
import { signInNewUser, useServer } from "../support/server";

/** The demo store without a table of its own. */
const server = useServer({ environment: { DEMO_PAGES: "sample" } });
let cookie = "";

beforeAll(async () => {
  cookie = await signInNewUser();
});

it("shows the twelve sample products without create, edit and delete", async () => {
  const { body } = await server.send("/app/ecommerce/management", { cookie });
  expect(body.replaceAll("<!-- -->", "")).toContain("12 products");
  for (const word of ["Create Product", "Edit Boots", "Delete", 'type="checkbox" name="ids"'])
    expect(body).not.toContain(word);
  for (const path of ["create", "edit/1", "delete?ids=1"]) {
    const address = `/app/ecommerce/management/${path}`;
    expect((await server.send(address, { cookie })).status, path).toBe(404);
    const posted = await server.send(address, { method: "POST", cookie, body: { title: "x" } });
    expect(posted.status, path).toBe(404);
  }
});

it("refuses calls that change products", async () => {
  const token = await server.signInToApi();
  const headers = { Authorization: `Bearer ${token}`, "Content-Type": "application/json" };
  expect((await server.send("/products", { headers })).status).toBe(200);
  const created = await server.send("/products", { method: "POST", headers, body: "{}" });
  expect(created.status).toBe(403);
});
