import path from "node:path";
import { pathToFileURL } from "node:url";
import type { ServerBuild } from "@remix-run/node";
import { beforeAll, describe, expect, it } from "vitest";
import { db } from "../../app/db/connection.server";
import { hashSecret, newSecret } from "../../app/features/sign-in/tokens.server";
import { revokeKey } from "../../app/features/integrations/integrations.server";
import { insertGroup } from "../factories/machine-groups";
import { insertMachine, insertUser } from "../factories/people-and-machines";
import { insertGeneration } from "../factories/promotions";
import { insertRedeemable, makeKey, request } from "../factories/redemptions";
import { freePort } from "../support/free-port";
import { isSoak } from "../support/repetitions";
import {
  addUser,
  type Answer,
  issueTokenOf,
  openSessionOf,
  type Sending,
  useServer,
} from "../support/server";
import { accessMatrix, addresses, dataAddress, isApiRow, type Who } from "./access-matrix";
import { ago, rowById } from "../factories/rows";

const port = await freePort();
const customerPages = { PORT: String(port), QR_PAYLOAD: `http://localhost:${port}/r/{code}` };
const server = useServer({ environment: { DEMO_PAGES: "1", ...customerPages } });
const actors = ["nobody", "viewer", "user", "admin", "disabled", "expired"] as const;
type Actor = (typeof actors)[number];
const ended: readonly Actor[] = ["disabled", "expired"];
const cookies = {} as Record<Actor, string | undefined>;
const tokens = {} as Record<Actor, string | undefined>;
let routes: ServerBuild["routes"];

beforeAll(async () => {
  const file = pathToFileURL(path.resolve("build/server/index.js")).href;
  routes = ((await import(/* @vite-ignore */ file)) as ServerBuild).routes;
  expect([await insertGeneration(), await insertGroup([])]).toEqual(["1", "1"]);
  await db()("site_settings").update({ customer_page: true });
  for (const actor of ["user", "disabled", "expired"]) await addUser(`${actor}@example.com`);
  await addUser("viewer@example.com", "viewer");
  for (const actor of actors.slice(1)) {
    cookies[actor] = await openSessionOf(`${actor}@example.com`);
    tokens[actor] = await issueTokenOf(`${actor}@example.com`);
  }
  // The instance reads its settings again every 2 s.
  while (!(await server.send("/r/nowhere")).headers["x-robots-tag"])
    await new Promise((resolve) => setTimeout(resolve, 50));
  await db()("users").where({ email: "disabled@example.com" }).update({ is_disabled: true });
  const expired = db()("users").select("id").where({ email: "expired@example.com" });
  const past = ago("1 second");
  await db()("sessions").whereIn("user_id", expired).update({ expires_at: past });
  await db()("tokens").whereIn("user_id", expired).update({ expires_at: past });
});

it("states a rule for every route, and for no other", () => {
  expect(Object.keys(accessMatrix).sort()).toEqual(Object.keys(routes).sort());
  for (const [id, { module }] of Object.entries(routes)) {
    expect(accessMatrix[id]?.loader !== "none", `${id} loader`).toBe(Boolean(module.loader));
    expect(accessMatrix[id]?.action !== "none", `${id} action`).toBe(Boolean(module.action));
  }
});

/** Signing out ends what the other rows need. */
async function renew(id: string, actor: Actor): Promise<void> {
  if (!roles.includes(actor)) return;
  if (id === "routes/logout") cookies[actor] = await openSessionOf(`${actor}@example.com`);
  if (["/auth/signout", "/auth/password-update"].includes(id))
    tokens[actor] = await issueTokenOf(`${actor}@example.com`);
}

type Verdict = "let in" | "sign in" | "sent home" | "forbidden" | "unauthorised" | "unsupported";

/** Roles of those who can sign in, each of which may do what those before it may. */
const roles: readonly string[] = ["viewer", "user", "admin"];

function verdictFor(who: Who, actor: Actor): Verdict {
  const isSignedIn = roles.includes(actor);
  if (who === "none") return "unsupported";
  if (who === "anyone") return "let in";
  if (who === "visitor") return isSignedIn ? "sent home" : "let in";
  if (!isSignedIn) return who.startsWith("api") ? "unauthorised" : "sign in";
  const least = who === "api" ? "viewer" : who.replace("api ", "");
  return roles.indexOf(actor) >= roles.indexOf(least) ? "let in" : "forbidden";
}

function verdictOf({ status, headers }: Answer, home: boolean): Verdict {
  const target = headers.location ?? headers["x-remix-redirect"];
  if (target?.toString().startsWith("/login?returnTo=")) return "sign in";
  if (home && target === "/") return "sent home";
  if (status === 403) return "forbidden";
  if (status === 401 && headers["www-authenticate"] === "Bearer") return "unauthorised";
  if (status === 405) return "unsupported";
  return "let in";
}

/** Addresses that are asked by every transport: all transports of a route meet the same guard. */
const samples = new Set([
  "routes/login",
  "routes/app.users",
  "routes/app.qr-generation",
  "/api/promotions",
]);

it("knows the addresses that are asked by every transport", () => {
  const ids = addresses.map(([id]) => id);
  expect([...samples].filter((id) => !ids.includes(id))).toEqual([]);
});

/**
 * Returns one transport that reads and one that writes. Data alone is read and written past the guards of the layouts
 * around a page, and without the cost of drawing it.
 */
function cheapestOf(transports: Transport[], isApi: boolean): Transport[] {
  const names = isApi ? ["document", "POST"] : ["_data", "POST _data"];
  return transports.filter(([name]) => names.includes(name));
}

/** Name, address, what is sent, and who is let in. */
type Transport = [string, string, Sending, Who];

describe.each(addresses)("%s", (id, { path: address, loader, action }) => {
  const isApi = isApiRow(id);
  const data = dataAddress(id, address);
  const transports: Transport[] = [
    ["document", address, {}, loader],
    ["HEAD", address, { method: "HEAD" }, loader],
    ["_data", data, {}, loader],
    ["POST", address, { method: "POST", body: { a: "1" } }, action],
    ["POST _data", data, { method: "POST", body: { a: "1" } }, action],
  ];

  // The address of a layout is its child's, which has an action and a row of its own.
  const isLayout = id === "root" || id === "routes/app";
  const possible = transports.filter(([transport]) => !(isLayout && transport === "POST"));
  const tried = isSoak || samples.has(id) ? possible : cheapestOf(possible, isApi);

  // A session that has ended is nobody's wherever it is sent.
  const asking =
    isSoak || samples.has(id) ? actors : actors.filter((actor) => !ended.includes(actor));

  it.each(tried)("%s", async (_transport, target, sending, who) => {
    for (const actor of asking) {
      const answer = await server.send(target, {
        ...sending,
        cookie: cookies[actor],
        headers: tokens[actor] && isApi ? { Authorization: `Bearer ${tokens[actor]}` } : {},
      });
      await renew(id, actor);
      // The answers of the API have tests of their own; this one asserts only that the caller was let in.
      const verdict = verdictOf(answer, who === "visitor");
      const wanted = verdictFor(who, actor);
      const isAnswered = isApi && wanted === "let in" && verdict === "unsupported";
      // A screen that says itself what went wrong asks who is there first: its shell does.
      const isAskedFirst =
        who === "none" && verdict === "sign in" && verdictFor("viewer", actor) === "sign in";
      const shown = isAnswered ? "let in" : isAskedFirst ? "unsupported" : verdict;
      expect(shown, `${actor}: ${answer.status}`).toBe(wanted);
      expect(answer.status, answer.body).toBeLessThan(500);
    }
  });

  if (action.startsWith("api"))
    it("takes no cookie for a bearer", async () => {
      const answer = await server.send(address, { method: "POST", cookie: cookies.admin });
      expect(answer.status).toBe(401);
    });
});

it("answers a post without a body and without a type, wherever it is sent", async () => {
  for (const [id, { path: address, action }] of addresses) {
    if (action === "none" || id === "routes/logout") continue;
    const target = isSoak || isApiRow(id) ? address : dataAddress(id, address);
    const answer = await server.send(target, { method: "POST", cookie: cookies.admin });
    expect(answer.status, `${address}: ${answer.body}`).toBeLessThan(500);
  }
});

/** Handlers outside Remix, which have no route that could state a rule. */
describe("the plain handlers", () => {
  const calls = ["/api/redemptions", "/api/redemptions/r-1/rollback"];
  const keys = {} as Record<string, string>;
  let body = "";

  beforeAll(async () => {
    const target = await insertRedeemable();
    body = JSON.stringify(request(target));
    const [revoked, expired, unbound, scopeless] = await Promise.all(
      Array.from({ length: 4 }, () => makeKey()),
    );
    await revokeKey(revoked!.integrationId, revoked!.id, { actor: revoked!.actor });
    await rowById("api_keys", expired!.id).update({ expires_at: db().raw("now()") });
    await rowById("api_keys", scopeless!.id).update({ scopes: "{}" });
    const elsewhere = await makeKey((await insertMachine()).serial_number);
    const personal = newSecret("vqk_");
    await db()("api_keys").insert({
      hash: hashSecret(personal),
      last_four: personal.slice(-4),
      user_id: (await insertUser()).id,
      expires_at: db().raw("now() + interval '1 day'"),
    });
    Object.assign(keys, {
      revoked: revoked!.secret,
      expired: expired!.secret,
      unbound: unbound!.secret,
      scopeless: scopeless!.secret,
      elsewhere: elsewhere.secret,
      personal,
      user: tokens.user,
      admin: tokens.admin,
      disabled: tokens.disabled,
      mistyped: `${unbound!.secret.slice(0, -1)}-`,
    });
  });

  const call = (path: string, headers: Record<string, string>, sent: Sending = {}) =>
    server.send(path, {
      method: "POST",
      body,
      ...sent,
      headers: { "Content-Type": "application/json", ...headers },
    });

  it.each(calls)("%s is for keys of integrations", async (path) => {
    const statusWith = async (key: string) =>
      (await call(path, { Authorization: `Bearer ${keys[key]}` })).status;
    const before = await db()("redemption_attempts").count();
    for (const key of ["revoked", "expired", "disabled", "mistyped"])
      expect(await statusWith(key), key).toBe(401);
    for (const key of ["user", "admin", "personal", "scopeless"])
      expect(await statusWith(key), key).toBe(403);
    // A key can't tell whether another machine's redemption exists.
    expect(await statusWith("elsewhere")).toBe(path === calls[0] ? 403 : 404);
    expect(await db()("redemption_attempts").count()).toEqual(before);
    expect(await statusWith("unbound")).toBe(path === calls[0] ? 201 : 404);
  });

  it.each(calls)("%s takes a key from nowhere but its header", async (path) => {
    for (const answer of [
      await call(path, {}),
      await call(path, {}, { cookie: cookies.admin }),
      await call(`${path}?api_key=${keys.unbound}&access_token=${keys.unbound}`, {}),
      await call(path, { Authorization: `Basic ${keys.unbound}` }),
      await call(path, { Authorization: keys.unbound! }),
      await call(path, { "X-Api-Key": keys.unbound! }),
      await call(path, {}, { cookie: `token=${keys.unbound}` }),
    ]) {
      expect(answer.status, answer.body).toBe(401);
      expect(answer.headers["www-authenticate"]).toBe("Bearer");
      expect(JSON.parse(answer.body)).toEqual({ error: "Sign in first." });
    }
    expect(server.output()).not.toContain(keys.unbound);
  });

  it.each(calls)("%s tells nobody about the body without a key", async (path) => {
    for (const sent of ["", "{", "null", "{}", '{"code": 1}'])
      expect((await call(path, {}, { body: sent })).status).toBe(401);
    expect((await call(path, { "Content-Type": "application/x-www-form-urlencoded" })).status).toBe(
      401,
    );
  });

  it("such a key opens nothing else", async () => {
    for (const { path, action } of addresses.map(([, access]) => access)) {
      if (action !== "api" && action !== "api user") continue;
      for (const method of ["GET", "POST"]) {
        const withKey = (key: string) =>
          server.send(path, { method, headers: { Authorization: `Bearer ${keys[key]}` } });
        const answer = await withKey("unbound");
        if (answer.status === 405) continue;
        expect(answer.status, `${method} ${path}`).toBe(403);
        expect(JSON.parse(answer.body)).toHaveProperty("error");
        expect((await withKey("revoked")).status, `${method} ${path}`).toBe(401);
      }
    }
  });

  it.each(calls)("%s answers nothing but POST", async (path) => {
    for (const method of ["GET", "HEAD", "PUT", "PATCH", "DELETE"]) {
      const answer = await server.send(path, {
        method,
        headers: { Authorization: `Bearer ${keys.unbound}` },
      });
      expect(answer.status, method).toBe(405);
      expect(answer.headers.allow).toBe("POST");
    }
  });
});
