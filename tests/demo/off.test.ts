import { beforeAll, expect, it } from "vitest";
import { demoIndex, demoPages } from "../../app/demo/pages";
import { insertUser } from "../factories/people-and-machines";
import { openSession, signInNewUser, useServer } from "../support/server";

const server = useServer({ environment: { DEMO_PAGES: "0" } });
let cookie = "";
let viewer = "";

beforeAll(async () => {
  cookie = await signInNewUser();
  viewer = await openSession((await insertUser({ role: "viewer" })).id);
});

it("answers every path of the demo area with 404 while it is off", async () => {
  const pictures = `${demoIndex}/pictures/bali.svg`;
  for (const path of [demoIndex, pictures, "/products", ...demoPages.map((page) => page.path)])
    expect((await server.send(path, { cookie })).status, path).toBe(404);
});

it.each(["create", "edit/1", "delete"])("answers a form of a viewer with 404: %s", async (name) => {
  const sending = { method: "POST", cookie: viewer, body: { intent: "save" } };
  const answer = await server.send(`/app/ecommerce/management/${name}`, sending);
  expect(answer.status).toBe(404);
});

it("shows no entry in the sidebar while it is off", async () => {
  expect((await server.send("/app/faq", { cookie })).body).not.toContain("Demo pages");
});
