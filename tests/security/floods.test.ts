import { connect as connectSocket } from "node:net";
import { describe, expect, it } from "vitest";
import { useServer, type Sending } from "../support/server";

const server = useServer();
const form = "application/x-www-form-urlencoded";

/** Sends exactly these bytes and reads the status, or 0 when the connection is just closed. */
async function raw(text: string, more?: Iterable<Buffer>): Promise<number> {
  const { port } = new URL(server.origin);
  const socket = connectSocket(Number(port), "127.0.0.1");
  socket.on("error", () => {});
  socket.write(text);
  let answer = "";
  const status = new Promise<number>((resolve) => {
    socket.on("data", (chunk) => {
      answer += chunk.toString("latin1");
      const match = /^HTTP\/1\.1 (\d{3})/.exec(answer);
      if (match) resolve(Number(match[1]));
    });
    socket.on("close", () => resolve(0));
  });
  for (const chunk of more ?? []) {
    if (socket.destroyed || answer) break;
    if (!socket.write(chunk))
      await new Promise<void>((resolve) => {
        socket
          .once("drain", resolve)
          .once("close", resolve)
          .once("data", () => resolve());
      });
  }
  const result = await status;
  socket.destroy();
  return result;
}

function* megabytes(count: number, frame: (chunk: Buffer) => Buffer = (chunk) => chunk) {
  const chunk = frame(Buffer.alloc(1024 * 1024, "a"));
  for (let sent = 0; sent < count; sent += 1) yield chunk;
  throw new Error("All of it was sent");
}

describe("bodies", () => {
  const multipart = { "Content-Type": "multipart/form-data; boundary=b" };
  const hugeParts = Buffer.from(`${"--b\r\n\r\n\r\n".repeat(20_000)}--b--\r\n`);
  const cases: [string, number, Sending][] = [
    ["a name that makes an array of 100 million", 400, { body: "x[100000000]=1" }],
    ["a name that reaches the prototype", 400, { body: "__proto__[x]=1" }],
    ["a name that reaches a constructor", 400, { body: "constructor.prototype.x=1" }],
    ["a name 2,000 levels deep", 400, { body: `${"a.".repeat(2_000)}a=1` }],
    ["a long name", 400, { body: `${"a".repeat(201)}=1` }],
    ["30,000 fields", 400, { body: "a=1&".repeat(30_000) }],
    ["a form of 300 kB", 413, { body: `a=${"1".repeat(300_000)}` }],
    ["20,000 parts", 400, { body: hugeParts, headers: multipart }],
    ["60,000 parts", 413, { body: Buffer.concat(Array(3).fill(hugeParts)), headers: multipart }],
    [
      "20,000 parts behind a boundary in quotes",
      415,
      { body: hugeParts, headers: { "Content-Type": 'multipart/form-data; boundary="\\b"' } },
    ],
    [
      "parts without a boundary",
      400,
      { body: "x", headers: { "Content-Type": "multipart/form-data" } },
    ],
    [
      "parts that never end",
      400,
      {
        body: '--b\r\nContent-Disposition: form-data; name="a"\r\n\r\n1',
        headers: multipart,
      },
    ],
    ["plain text", 415, { body: "{}", headers: { "Content-Type": "text/plain" } }],
    ["no type", 415, { body: "{}", headers: { "Content-Type": "" } }],
    ["a compressed form", 415, { body: "a=1", headers: { "Content-Encoding": "gzip" } }],
  ];
  it.each(cases)("refuses %s with %i", async (_name, status, sending) => {
    for (const target of ["/login", "/preferences", "/app/qr-generation"]) {
      const answer = await server.send(target, {
        method: "POST",
        ...sending,
        headers: { "Content-Type": form, ...sending.headers },
      });
      expect(answer.status).toBe(status);
    }
  });

  it("takes a form that chooses 2,000 machines of 2,000", async () => {
    const body = Array.from({ length: 2_000 }, (_, index): [string, string][] => [
      ["machines", String(1_000_000 + index)],
      ["machine_shown", String(1_000_000 + index)],
    ]).flat();
    const answer = await server.send("/preferences", { method: "POST", body });
    expect(answer.status).toBe(303);
  });

  const head = (extra: string) =>
    `POST /login HTTP/1.1\r\nHost: ${new URL(server.origin).host}\r\nOrigin: ${server.origin}\r\nContent-Type: ${form}\r\n${extra}\r\n\r\n`;

  it("refuses 200 MB before they are sent, and while they are, without keeping them", async () => {
    const before = await server.residentBytes();
    expect(await raw(head(`Content-Length: ${200 * 1024 * 1024}`), megabytes(200))).toBe(413);
    const asChunk = (chunk: Buffer) =>
      Buffer.concat([Buffer.from("100000\r\n"), chunk, Buffer.from("\r\n")]);
    expect(await raw(head("Transfer-Encoding: chunked"), megabytes(200, asChunk))).toBe(413);
    expect((await server.residentBytes()) - before).toBeLessThan(20 * 1024 * 1024);
  });

  it("refuses what two servers could read differently", async () => {
    expect(await raw(`${head("Content-Length: 3\r\nContent-Length: 4")}a=1`)).toBe(400);
    expect(await raw(`${head("Content-Length: 3\r\nTransfer-Encoding: chunked")}a=1`)).toBe(400);
    expect(await raw(`${head("Transfer-Encoding: chunked")}zz\r\n`)).toBe(400);
    expect(await raw(head(`X: ${"a".repeat(20_000)}`))).toBe(431);
    expect(await raw(`GET /login HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n`)).toBe(400);
  });
});

describe("request lines and hosts", () => {
  const { send } = server;
  it.each([
    ["//evil.example", 400],
    ["/a//b", 400],
    ["/\\evil.example", 400],
    ["/%E0%A4%A", 400],
    ["/%C0%80", 400],
    ["/a%00b", 400],
    ["http://evil.example/", 400],
    ["/..;/", 404],
    ["/__manifest?p=/app&version=1", 404],
    ["/app/nowhere.data", 302],
    ["/_root.data", 404],
  ])("answers %s with %i", async (target, status) => {
    const answer = await send(target);
    expect(answer.status).toBe(status);
    expect(answer.headers["content-type"] ?? "").not.toContain("x-script");
  });

  it.each(["TRACE", "PROPFIND", "QUERY"])("refuses %s", async (method) => {
    const answer = await send("/login", { method });
    expect([400, 405]).toContain(answer.status);
  });

  // Django's poisoned hosts, tests/requests_tests/tests.py (BSD-3-Clause), and some of our own.
  it.each([
    "example.com@evil.tld",
    "example.com:dr.frankenstein@evil.tld",
    "example.com:dr.frankenstein@evil.tld:80",
    "example.com:80/badpath",
    "example.com: recovermypassword.com",
    "evil.example",
    "localhost",
    "localhost:1",
    "localhost.evil.example",
    "a b",
  ])("refuses the host %j", async (host) => {
    const answer = await send("/login", { headers: { Host: host } });
    expect(answer.status).toBe(400);
  });

  it.each([
    "X-Forwarded-Host",
    "X-Forwarded-Port",
    "X-Forwarded-Proto",
    "X-Forwarded-For",
    "Forwarded",
  ])("believes no %s", async (name) => {
    const answer = await send("/app", { headers: { [name]: "evil.example:99999" } });
    expect(answer.status).toBe(302);
    expect(JSON.stringify([answer.headers, answer.body])).not.toContain("evil.example");
  });

  it("answers health checks under any host", async () => {
    for (const target of ["/healthz", "/readyz"])
      expect((await send(target, { headers: { Host: "10.0.0.1" } })).status).toBe(200);
  });
});
