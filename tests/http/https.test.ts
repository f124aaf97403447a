import { beforeAll, expect, it } from "vitest";
import { db } from "../../app/db/connection.server";
import { createLinkToken } from "../../app/features/sign-in/link-tokens.server";
import { addUser, cookieOf, password, useServer } from "../support/server";

/** Behind a proxy that speaks https to the browsers. */
const server = useServer({ environment: { APP_ORIGIN: "https://promo.example" } });
const ours = { Host: "promo.example" };

beforeAll(() => addUser("person@example.com"));

it("marks its cookies as secure and as of this host alone", async () => {
  const answer = await server.send("/login", {
    method: "POST",
    origin: "https://promo.example",
    headers: ours,
    body: { email: "person@example.com", password },
  });
  expect(answer.headers["set-cookie"]).toEqual([
    expect.stringMatching(
      /^__Host-sid=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=604800; Secure$/,
    ),
  ]);
  const page = await server.send("/app/dashboard", { headers: ours, cookie: cookieOf(answer) });
  expect(page.status).toBe(200);
  const tossed = cookieOf(answer).replace("__Host-", "");
  expect((await server.send("/app/dashboard", { headers: ours, cookie: tossed })).status).toBe(302);

  const theme = await server.send("/preferences", {
    method: "POST",
    origin: "https://promo.example",
    headers: ours,
    body: { theme: "success" },
  });
  expect(theme.headers["set-cookie"]?.[0]).toMatch(/^theme=success\.system; .*; Secure$/);
});

it("takes the cookie of a mailed link from this host alone", async () => {
  const { id } = (await db()("users")
    .where({ email: "person@example.com" })
    .first<{ id: string }>())!;
  const secret = await createLinkToken(db(), "password_reset", id);
  const moved = await server.send(`/password-reset?token=${secret}`, { headers: ours });
  expect(moved.headers["set-cookie"]).toEqual([
    `__Host-link-password_reset=${secret}; Path=/; HttpOnly; SameSite=Lax; Max-Age=3600; Secure`,
  ]);
  const open = (cookie: string) => server.send("/password-reset", { headers: ours, cookie });
  expect((await open(cookieOf(moved))).body).toContain("Set a new password");
  const tossed = cookieOf(moved).replace("__Host-", "");
  expect((await open(tossed)).body).not.toContain("Set a new password");
});

it("asks browsers to stay with https", async () => {
  const answer = await server.send("/login", { headers: ours });
  expect(answer.headers["strict-transport-security"]).toMatch(/^max-age=31536000/);
  expect(answer.headers["content-security-policy"]).toContain("upgrade-insecure-requests");
});

it("has one name only", async () => {
  const { host } = new URL(server.origin);
  for (const name of [host, "localhost", "promo.example:8080", "www.promo.example"])
    expect((await server.send("/login", { headers: { Host: name } })).status).toBe(400);
  expect((await server.send("/login", { headers: { Host: "PROMO.example:443" } })).status).toBe(
    200,
  );
  const wrong = { method: "POST", headers: ours, body: { theme: "default" } };
  for (const origin of ["http://promo.example", server.origin])
    expect((await server.send("/preferences", { ...wrong, origin })).status).toBe(403);
});
