import { get, type IncomingMessage } from "node:http";
import { rmSync } from "node:fs";
import { connect as connectSocket } from "node:net";
import path from "node:path";
import { brotliDecompressSync, createBrotliDecompress, gunzipSync } from "node:zlib";
import pg from "pg";
import { describe, expect, it, vi } from "vitest";
import { DomainError } from "../../app/errors";
import { screenRoute } from "../../app/http/answers.server";
import { usePipeline } from "../support/pipeline";
import type { Answer } from "../support/server";

const pipeline = usePipeline();

function open(target: string, headers: Record<string, string> = {}): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    get(pipeline.origin + target, { headers, agent: false }, resolve).once("error", reject);
  });
}

/** A body that never ends and counts what was taken from it. */
function endless() {
  const state = { bytes: 0, isCancelled: false };
  const body = new ReadableStream({
    pull(controller) {
      controller.enqueue(new Uint8Array(64 * 1024));
      state.bytes += 64 * 1024;
    },
    cancel() {
      state.isCancelled = true;
    },
  });
  return { state, body };
}

describe("answers", () => {
  it("stop being made when the client has gone", async () => {
    const { state, body } = endless();
    let signal: AbortSignal | undefined;
    pipeline.loader = ({ request }) => {
      signal = request.signal;
      return new Response(body, { headers: { "Content-Type": "application/zip" } });
    };
    const answer = await open("/download");
    answer.once("data", () => answer.destroy());
    await vi.waitFor(() => expect(state.isCancelled && signal?.aborted).toBe(true));
    expect(pipeline.lines.join("")).not.toContain('"level":50');
  });

  it("are given up when the client takes nothing for too long, and only then", async () => {
    const { state, body } = endless();
    pipeline.loader = () => new Response(body, { headers: { "Content-Type": "application/zip" } });
    const answer = await open("/download");
    // The pace of the reader is what is tried: less than it would take in one go, for longer than
    // the limit.
    for (const end = performance.now() + 2_000; performance.now() < end;) {
      answer.read();
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    expect(state.isCancelled).toBe(false);
    const taken = state.bytes;

    await vi.waitFor(() => expect(state.isCancelled).toBe(true), { timeout: 30_000 });
    expect(state.bytes - taken).toBeLessThan(8 * 1024 * 1024);
    await expect(answer.resume().toArray()).rejects.toThrow("aborted");
    expect(pipeline.lines.join("")).not.toContain('"level":50');
  });

  it("abort a loader that still works when the client has gone", async () => {
    const socket = connectSocket(Number(new URL(pipeline.origin).port), "127.0.0.1");
    const aborted = new Promise<void>((resolve) => {
      pipeline.loader = ({ request }) => {
        request.signal.addEventListener("abort", () => resolve());
        socket.destroy();
        return new Promise(() => {});
      };
    });
    socket.write(`GET /download HTTP/1.1\r\nHost: ${new URL(pipeline.origin).host}\r\n\r\n`);
    await aborted;
  });

  it.each(["application/zip", "text/csv"])("wait for a slow client (%s)", async (contentType) => {
    const { state, body } = endless();
    pipeline.loader = () => new Response(body, { headers: { "Content-Type": contentType } });
    const answer = await open("/download");
    answer.pause();
    let before = -1;
    await vi.waitFor(
      () => {
        const stillGrows = state.bytes !== before;
        before = state.bytes;
        expect(stillGrows).toBe(false);
      },
      { timeout: 30_000, interval: 200 },
    );
    expect(state.bytes).toBeLessThan(16 * 1024 * 1024);
    answer.destroy();
    await vi.waitFor(() => expect(state.isCancelled).toBe(true));
  });

  it("send what there is while the rest is being made, compressed", async () => {
    let finish = () => {};
    pipeline.loader = () =>
      new Response(
        new ReadableStream({
          start(controller) {
            controller.enqueue(new TextEncoder().encode("first\n"));
            finish = () => {
              controller.enqueue(new TextEncoder().encode("last\n"));
              controller.close();
            };
          },
        }),
        { headers: { "Content-Type": "text/csv" } },
      );
    const answer = await open("/download", { "Accept-Encoding": "gzip, br" });
    expect(answer.headers["content-encoding"]).toBe("br");
    expect(answer.headers.vary).toBe("Accept-Encoding");
    let text = "";
    const plain = answer.pipe(createBrotliDecompress());
    plain.on("data", (chunk: Buffer) => (text += chunk));
    await vi.waitFor(() => expect(text).toBe("first\n"));
    finish();
    await new Promise((resolve) => plain.once("end", resolve));
    expect(text).toBe("first\nlast\n");
  });

  it("are compressed as the client likes, where it pays", async () => {
    const data = { rows: "a row of the list ".repeat(200) };
    pipeline.loader = () => Response.json(data);
    const read = async (accept: string) => {
      const answer = await open("/api/x", { "Accept-Encoding": accept });
      const chunks: Buffer[] = [];
      for await (const chunk of answer) chunks.push(chunk as Buffer);
      return { encoding: answer.headers["content-encoding"], body: Buffer.concat(chunks) };
    };
    const brotli = await read("gzip, deflate, br");
    expect(brotli.encoding).toBe("br");
    expect(JSON.parse(brotliDecompressSync(brotli.body).toString())).toEqual(data);
    const gzip = await read("gzip;q=0.5, br;q=0");
    expect(gzip.encoding).toBe("gzip");
    expect(JSON.parse(gunzipSync(gzip.body).toString())).toEqual(data);
    expect((await read("identity")).encoding).toBeUndefined();
    pipeline.loader = () => Response.json({ rows: "few" });
    expect((await read("br")).encoding).toBeUndefined();
    pipeline.loader = () =>
      new Response("x".repeat(5_000), { headers: { "Content-Type": "image/png" } });
    expect((await read("br")).encoding).toBeUndefined();
  });

  it("keep every cookie, and have no body for HEAD", async () => {
    pipeline.loader = () =>
      new Response("text", {
        headers: [
          ["Set-Cookie", "a=1"],
          ["Set-Cookie", "b=2"],
        ],
      });
    const answer = await pipeline.send("/download", { method: "HEAD" });
    expect(answer.headers["set-cookie"]).toEqual(["a=1", "b=2"]);
    expect(answer.body).toBe("");
  });

  it.each(["https://evil.example/", "//evil.example", "/\\evil.example", "javascript:alert(1)"])(
    "never lead to %s",
    async (target) => {
      pipeline.loader = () => new Response(null, { status: 302, headers: { Location: target } });
      for (const address of ["/download", "/screen", "/screen?_data=screen"]) {
        const answer = await pipeline.send(address);
        expect(answer.status).toBe(500);
        expect(answer.headers.location ?? answer.headers["x-remix-redirect"]).toBeUndefined();
      }
    },
  );
});

describe("faults", () => {
  const targets = ["/screen", "/screen?_data=screen", "/download", "/api/x"];

  it.each(targets)("logs an internal error once and shows it to nobody (%s)", async (target) => {
    pipeline.loader = () => {
      throw new TypeError("canary of an error");
    };
    const answer = await pipeline.send(target);
    expect(answer.status).toBe(500);
    expect(answer.body).not.toMatch(/canary|TypeError|http-pipeline/);
    const logged = pipeline.lines.filter((line) => line.includes("canary of an error"));
    expect(logged).toHaveLength(1);
    expect(JSON.parse(logged[0]!)).toMatchObject({
      level: 50,
      requestId: answer.headers["x-request-id"],
    });
  });

  it.each(targets)("answers 503 while the database is away (%s)", async (target) => {
    pipeline.loader = () => {
      throw Object.assign(new Error("connect ECONNREFUSED /canary"), { code: "ECONNREFUSED" });
    };
    const answer = await pipeline.send(target);
    expect(answer.status).toBe(503);
    expect(answer.headers["retry-after"]).toBe("2");
    // Our own scripts must not take the sentence for data.
    expect(answer.headers["x-remix-catch"]).toBe(target.includes("_data") ? "yes" : undefined);
    expect(answer.body).not.toContain("canary");
    expect(answer.headers["x-request-id"]).toBeDefined();
    expect(pipeline.lines).toHaveLength(1);
    expect(JSON.parse(pipeline.lines[0]!)).toMatchObject({
      requestId: answer.headers["x-request-id"],
      res: { status: 503, reason: "database" },
      err: { message: "connect ECONNREFUSED /canary", code: "ECONNREFUSED" },
    });
  });

  describe("of a deadlock", () => {
    const deadlock = Object.assign(new pg.DatabaseError("deadlock detected", 0, "error"), {
      code: "40P01",
    });
    const fault = { level: 50, msg: "A request failed", err: { code: "40P01" } };

    it.each(targets)("are logged, and a 503 (%s)", async (target) => {
      pipeline.loader = () => {
        throw deadlock;
      };
      const answer = await pipeline.send(target);
      expect([answer.status, answer.headers["retry-after"]]).toEqual([503, "2"]);
      expect(pipeline.lines.map((line) => JSON.parse(line) as object)).toEqual([
        expect.objectContaining({ ...fault, err: expect.objectContaining(fault.err) }),
        expect.objectContaining({
          msg: "request errored",
          res: { status: 503, reason: "contention" },
        }),
      ]);
    });

    it("are logged, and a 503, while the body of an answer is made as well", async () => {
      const body = () => new ReadableStream({ start: (stream) => stream.error(deadlock) });
      pipeline.loader = () => new Response(body(), { headers: { "Content-Type": "text/html" } });
      expect((await pipeline.send("/download")).status).toBe(503);
      expect(JSON.parse(pipeline.lines[0]!)).toMatchObject(fault);
    });
  });

  it("that a rule of the product explains are told by the one line of the request", async () => {
    pipeline.loader = screenRoute(() => {
      throw new DomainError("unavailable", "Too many at once.");
    });
    expect((await pipeline.send("/screen")).status).toBe(503);
    expect(pipeline.lines).toHaveLength(1);
    expect(JSON.parse(pipeline.lines[0]!)).toMatchObject({
      res: { status: 503 },
      err: { message: "Too many at once." },
    });
  });

  it("are JSON on the API, also where Remix would say it otherwise", async () => {
    pipeline.loader = () => {
      throw new Error("fault");
    };
    for (const [target, status] of [
      ["/api/x", 500],
      ["/api/nowhere", 404],
    ] as const) {
      const answer = await pipeline.send(target);
      expect(answer.status).toBe(status);
      expect(JSON.parse(answer.body)).toEqual({ error: expect.any(String) });
    }
  });
});

describe("overload", () => {
  it("begins one page in each turn of the event loop, so that redemptions come between", async () => {
    let turn = 0;
    let isCounting = true;
    const count = () => {
      turn += 1;
      if (isCounting) setImmediate(count);
    };
    const turns: number[] = [];
    pipeline.loader = () => {
      turns.push(turn);
      const end = performance.now() + 5;
      while (performance.now() < end);
      return new Response("done");
    };
    count();
    await Promise.all(Array.from({ length: 20 }, () => pipeline.send("/download")));
    isCounting = false;
    expect(turns).toHaveLength(20);
    expect(new Set(turns).size).toBe(20);
  });

  it("turns away what can't be answered in time, and recovers", async () => {
    let release = () => {};
    const gate = new Promise<void>((resolve) => (release = resolve));
    pipeline.loader = async () => {
      await gate;
      return new Response("done");
    };
    const answers = Array.from({ length: 200 }, () => pipeline.send("/download"));
    const wasThrottled = await Promise.race([...answers]);
    expect(wasThrottled.status).toBe(503);
    expect(wasThrottled.headers["retry-after"]).toBe("2");
    expect((await pipeline.send("/healthz")).status).toBe(200);
    release();
    const statuses = (await Promise.all(answers)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(150);
    expect(statuses.filter((status) => status === 503)).toHaveLength(50);
    expect((await pipeline.send("/download")).status).toBe(200);
  });
});

describe("files", () => {
  it("are kept for ever when their name changes with them, else asked about", async () => {
    const asset = await pipeline.send("/assets/a-1.js", {
      headers: { "Accept-Encoding": "br" },
    });
    expect([asset.status, asset.body]).toEqual([200, "brotli"]);
    expect(asset.headers).toMatchObject({
      "cache-control": "max-age=31536000, immutable",
      "content-encoding": "br",
      "content-type": "text/javascript",
      vary: "Accept-Encoding",
    });
    expect((await pipeline.send("/assets/a-1.js")).body).toBe("let a = 1;");
    const worker = await pipeline.send("/service-worker.js");
    expect(worker.headers).toMatchObject({
      "cache-control": "no-cache",
      "content-type": "text/javascript",
      "content-security-policy": expect.stringContaining("default-src 'none';script-src 'self'"),
    });
    const again = await pipeline.send("/service-worker.js", {
      headers: { "If-None-Match": String(worker.headers.etag) },
    });
    expect([again.status, again.body]).toEqual([304, ""]);
    expect((await pipeline.send("/assets/a-1.js", { method: "HEAD" })).body).toBe("");
  });

  it("stay when a new build takes the folder", async () => {
    rmSync(path.join(pipeline.clientFolder, "assets"), { recursive: true });
    expect((await pipeline.send("/assets/a-1.js")).status).toBe(200);
  });

  it("are nothing but the files of the build", async () => {
    for (const target of [
      "/assets/..%2f..%2fetc%2fpasswd",
      "/assets/",
      "/assets/a-1.js.br",
      "/.env",
    ])
      expect((await pipeline.send(target)).status).toBe(404);
  });
});

describe("what is known of a request", () => {
  it("is the client's address, as far as our own proxies tell it", async () => {
    pipeline.loader = ({ context }) => new Response(context.clientAddress);
    const addressFor = async (forwarded: string) =>
      (await pipeline.send("/download", { headers: { "X-Forwarded-For": forwarded } })).body;
    expect(await addressFor("6.6.6.6, 9.9.9.9")).toBe("9.9.9.9");
    expect(await addressFor("2001:db8::1")).toBe("2001:db8::1");
    expect(await addressFor("9.9.9.9:4711")).toBe("9.9.9.9");
    expect(await addressFor("[2001:db8::1]:4711")).toBe("2001:db8::1");
    expect(await addressFor("::ffff:9.9.9.9")).toBe("9.9.9.9");
    expect(await addressFor("")).toBe("127.0.0.1");
  });

  it("holds no proxy header, and no cookie on the API", async () => {
    pipeline.loader = ({ request }) => Response.json([...request.headers.keys()]);
    const headers = {
      "X-Forwarded-Host": "evil.example",
      "X-Forwarded-For": "1.1.1.1",
      Forwarded: "host=evil.example",
      Cookie: "sid=x",
    };
    const api = JSON.parse((await pipeline.send("/api/x", { headers })).body) as string[];
    expect(api.filter((name) => /forward|cookie/.test(name))).toEqual([]);
    const screen = JSON.parse((await pipeline.send("/download", { headers })).body) as string[];
    expect(screen.filter((name) => /forward|cookie/.test(name))).toEqual(["cookie"]);
  });

  it("is logged in one line, without secrets, whatever the client calls itself", async () => {
    pipeline.loader = () => new Response("ok");
    await pipeline.send("/download?token=canary-1&code=canary-2", {
      cookie: "sid=canary-3",
      headers: {
        Authorization: "Bearer canary-4",
        Referer: `${pipeline.origin}/download?token=canary-5`,
        "User-Agent": '\\n{"level":60,"msg":"forged"} \u00ff',
      },
    });
    expect(pipeline.lines).toHaveLength(1);
    expect(pipeline.lines[0]).not.toContain("canary");
    expect(pipeline.lines[0]!.trimEnd()).not.toContain("\n");
    expect(JSON.parse(pipeline.lines[0]!)).toMatchObject({
      level: 30,
      req: { method: "GET", path: "/download" },
      res: { status: 200 },
    });
    await pipeline.send("/service-worker.js");
    await pipeline.send("/healthz");
    expect(pipeline.lines.filter((line) => line.includes("healthz"))).toEqual([]);
  });

  it("tells monitors that add a query whether it lives and is ready", async () => {
    pipeline.isReady = async () => false;
    const statusOf = async (path: string) => (await pipeline.send(path)).status;
    expect(await statusOf("/healthz?t=1")).toBe(200);
    expect(await statusOf("/readyz?t=1")).toBe(503);
    pipeline.isReady = async () => true;
    expect(await statusOf("/readyz?t=1")).toBe(200);
  });

  it("is ready only when the database is", async () => {
    pipeline.isReady = async () => false;
    expect((await pipeline.send("/readyz")).status).toBe(503);
    expect((await pipeline.send("/healthz")).status).toBe(200);
    pipeline.isReady = async () => true;
    expect((await pipeline.send("/readyz")).status).toBe(200);
  });
});

describe("a page without Remix", () => {
  const stylesOf = ({ headers, body }: Answer) => {
    const [, nonce, styles] = /<style nonce="([^"]+)">([^<]+)/.exec(body)!;
    expect(headers["content-security-policy"]).toContain(`'nonce-${nonce}'`);
    return styles!;
  };

  it("for browsers without a connection has its styles within it, and tries its address again", async () => {
    const page = await pipeline.send("/offline.html");
    expect(page.status).toBe(200);
    expect(stylesOf(page)).toContain("prefers-color-scheme:dark");
    expect(page.body).toContain('<a href="">Try again</a>');
    expect(page.body).not.toMatch(/<(script|link|img)/);
  });

  it("has the product's name and the request's id, and looks like the other", async () => {
    const page = await pipeline.send("/a//b");
    expect(page.status).toBe(400);
    expect(page.body).toContain(">Promo Console<");
    expect(page.body).toContain(page.headers["x-request-id"]);
    expect(page.body).not.toContain("Try again");
    const offline = await pipeline.send("/offline.html");
    expect(stylesOf(page)).toBe(stylesOf(offline));
  });

  it("offers to try again what the server could not answer, but not a form", async () => {
    pipeline.loader = () => {
      throw Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" });
    };
    const page = await pipeline.send("/download");
    const form = await pipeline.send("/download", { method: "POST", body: { name: "a" } });
    expect([page.status, form.status]).toEqual([503, 503]);
    expect(page.body).toContain('<a href="">Try again</a>');
    expect(form.body).toContain('<a href="/">Back to Home</a>');
    expect(form.body).not.toContain("Try again");
  });
});
