import { beforeAll, describe, expect, it } from "vitest";
import { db } from "../../app/db/connection.server";
import { documentedOperations } from "../../app/http/openapi.server";
import { makeKey } from "../factories/redemptions";
import { issueTokenOf, useServer } from "../support/server";

const server = useServer();
let token = "";
let redeemKey = "";

beforeAll(async () => {
  token = await issueTokenOf();
  redeemKey = (await makeKey()).secret;
});

const calls = documentedOperations().map((operation) => {
  // The feed of events would wait for the first one.
  const query = operation.path === "/api/events" ? "?wait=0" : "";
  const path = operation.path.replace(/\{\w+\}/g, "1") + query;
  return { ...operation, path, name: `${operation.method} ${operation.path}` };
});
type Call = (typeof calls)[number];

function tokenFor({ scope }: Call): string | null {
  if (scope === "public") return null;
  return scope === "redeem" ? redeemKey : token;
}
const send = (call: Call, method: string, type?: string, body?: string | Buffer) =>
  server.call(method, call.path, {
    token: tokenFor(call),
    body,
    ...(type && { headers: { "Content-Type": type } }),
  });

const isWriting = ({ method }: Call) => method !== "GET";

describe("every call", () => {
  it.each(calls)("$name names the methods of its address", async (call) => {
    const answer = await send(call, "PATCH");
    expect(answer.status).toBe(405);
    expect(answer.headers.allow?.split(", ")).toContain(call.method);
    expect(answer.json).toEqual({ error: "This method is not supported here." });
  });

  it.each(calls.filter(isWriting))("$name rejects a body that is too large", async (call) => {
    const type = call.upload ? "multipart/form-data; boundary=x" : "application/json";
    const body = Buffer.alloc(call.upload ? 2_400_000 : 300_000, " ");
    const answer = await send(call, call.method, type, body);
    expect(answer.status).toBe(413);
    expect(answer.json).toHaveProperty("error");
  });

  it.each(calls.filter(isWriting))("$name rejects a body of another type", async (call) => {
    const types = ["text/plain"];
    if (call.body)
      types.push("application/x-www-form-urlencoded", "multipart/form-data; boundary=x");
    if (call.upload) types.push("application/x-www-form-urlencoded", "application/json");
    for (const type of types) {
      const body = type.startsWith("multipart")
        ? '--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n--x--\r\n'
        : "a=1";
      const answer = await send(call, call.method, type, body);
      expect(answer.status, type).toBe(415);
      const expected = call.body ? "Content-Type: application/json" : "Send";
      expect(answer.json, type).toHaveProperty("error", expect.stringContaining(expected));
    }
  });
});

describe("lists", () => {
  const lists = calls.filter(({ method, result }) => method === "GET" && result);

  it.each(lists)("$name are sent again only when they differ", async (call) => {
    const first = await send(call, "GET");
    if (first.status === 404) return;
    const headers = { "If-None-Match": first.headers.etag! };
    const again = await server.call("GET", call.path, { token, headers });
    expect([first.status, again.status, again.body]).toEqual([200, 304, ""]);
  });
});

describe("limits", () => {
  it("tell each caller how many requests may run at once", async () => {
    const { headers } = await server.call("GET", "/api/machines-list", { token });
    expect(headers["ratelimit-policy"]).toMatch(/^"requests";q=\d+;qu="concurrent-requests"$/);
    expect(headers.ratelimit).toMatch(/^"requests";r=\d+$/);
  });

  it("tell when to try again after too many wrong passwords", async () => {
    const body = { email: "nobody@example.com", password: "wrong" };
    const wrong = () => server.call("POST", "/auth/signin/local", { body });
    expect((await wrong()).status).toBe(401);
    await db()("rate_limits").whereLike("key", "sign-in-pair:%").update({ points: 5 });
    const { status, headers } = await wrong();
    expect(status).toBe(429);
    expect(headers["ratelimit-policy"]).toBe('"sign-in";q=5;w=900');
    expect(headers.ratelimit).toBe(`"sign-in";r=0;t=${headers["retry-after"]}`);
  });
});

describe("addresses of an older console", () => {
  it("lead to those of this one", async () => {
    for (const [from, to] of [
      ["/admin/users?page=2", "/app/users?page=2"],
      ["/admin/dashboard", "/app/dashboard"],
    ] as const) {
      const { status, headers } = await server.send(from);
      expect([status, headers.location]).toEqual([302, to]);
    }
  });
});
