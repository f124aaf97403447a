import { expect, it } from "vitest";
import { send, signInNewUser, useServer } from "../support/server";

const server = useServer({ environment: { DEMO_PAGES: "1", MAPS_KEY: "test-key-of-maps" } });

it("loads the maps service with a key on the page of its map, and lets no other page do so", async () => {
  const cookie = await signInNewUser();
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
