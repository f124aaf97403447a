import { beforeAll, describe, expect, it } from "vitest";
import { isSoak } from "../support/repetitions";
import { fingerprint, openSessionOf, useServer } from "../support/server";
import { addresses, dataAddress, isApiRow } from "./access-matrix";

const server = useServer();
let cookie = "";
let before = "";

beforeAll(async () => {
  cookie = await openSessionOf();
  before = await fingerprint();
});

// Headers that a page of another site or a broken client may send; null sends no Origin.
const senders: [string, string | null, Record<string, string>][] = [
  ["another site", "https://evil.example", { "Sec-Fetch-Site": "cross-site" }],
  ["another site in an old browser", "https://evil.example", {}],
  ["another port", "http://localhost:1", { "Sec-Fetch-Site": "same-site" }],
  ["a sandboxed frame", "null", {}],
  ["a sandboxed frame with our Referer", "null", { Referer: "http://localhost/app" }],
  ["a garbage origin", "http://localhost:5000.evil.example\\@", {}],
  ["nobody", null, {}],
  ["a link that was typed", null, { "Sec-Fetch-Site": "none" }],
  ["a sister site", null, { "Sec-Fetch-Site": "same-site" }],
  ["an old text browser on another site", null, { Referer: "https://evil.example/localhost" }],
  ["a Referer that is no address", null, { Referer: "localhost" }],
  ["a contradiction", "https://evil.example", { "Sec-Fetch-Site": "same-origin" }],
];
const bodies: [string, string][] = [
  ["application/x-www-form-urlencoded", "email=admin%40example.com&name=x"],
  [
    "multipart/form-data; boundary=b",
    '--b\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n--b--\r\n',
  ],
  ["text/plain", '{"email":"admin@example.com"}'],
];

const methods = ["POST", "PUT", "DELETE"];
/** Every body with every method; three that follow one another have each body and each method. */
const combinations = methods.flatMap((_method, shift) =>
  bodies.map((body, index) => ({ body, method: methods[(index + shift) % methods.length]! })),
);

/** Returns some of the combinations, from one of them on; all in the soak. */
function combinationsFrom(first: number, count: number): typeof combinations {
  const start = first % combinations.length;
  return isSoak ? combinations : [...combinations, ...combinations].slice(start, start + count);
}

/**
 * Addresses that every sender tries, because the origin is checked before a route is chosen: with each body and each
 * method, and with all combinations between the senders. The others get two combinations from one sender.
 */
const samples = new Set(["routes/login", "routes/app.qr-generation", "/api/create_promotion"]);
const actions = addresses.filter(([, { action }]) => action !== "none");
const ids = actions.map(([id]) => id);

it("knows the addresses that every sender tries", () => {
  expect([...samples].filter((id) => !ids.includes(id))).toEqual([]);
});

describe.each(actions)("%s", (id, { path }) => {
  const isSample = samples.has(id);
  const targets = [path, dataAddress(id, path)];

  it.each(isSoak || isSample ? senders : senders.slice(0, 1))(
    "changes nothing for %s",
    async (name, origin, headers) => {
      const turn = senders.findIndex(([sender]) => sender === name);
      for (const [offset, target] of targets.entries()) {
        const first = isSample ? 3 * (turn + offset) : 2 * ids.indexOf(id) + offset;
        for (const { body, method } of combinationsFrom(first, isSample ? 3 : 1)) {
          const [contentType, content] = body;
          const answer = await server.send(target, {
            method,
            cookie,
            origin,
            body: content,
            headers: { ...headers, "Content-Type": contentType },
          });
          const status = contentType === "text/plain" ? 415 : 403;
          // The API knows no cookies, so to it this is a stranger without a token.
          if (isApiRow(id)) expect([400, 401, 404, 405, 415]).toContain(answer.status);
          else expect(answer.status, `${method} ${target}`).toBe(status);
          expect(answer.headers["set-cookie"]).toBeUndefined();
        }
      }
    },
  );
});

it("has left every table as it was", async () => {
  expect(await fingerprint()).toBe(before);
});

it("lets in a page of ours, and curl when it says where it belongs", async () => {
  const { port } = new URL(server.origin);
  const save = async (origin: string | null, headers: Record<string, string> = {}) => {
    const body = { lite: "on" };
    const answer = await server.send("/preferences", { method: "POST", origin, headers, body });
    return answer.status;
  };
  for (const origin of [`http://127.0.0.1:${port}`, `http://[::1]:${port}`, server.origin])
    expect(await save(origin)).toBe(303);
  // A text browser sends no Origin.
  expect(await save(null, { Referer: `${server.origin}/login` })).toBe(303);
  expect(await save(null, { "Sec-Fetch-Site": "same-origin" })).toBe(303);
});
