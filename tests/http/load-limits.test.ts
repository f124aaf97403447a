import { once } from "node:events";
import { connect, type AddressInfo, type Socket } from "node:net";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { createHttpServer } from "../../app/server/listen.server";
import { newSecret } from "../../app/features/sign-in/tokens.server";
import { db } from "../../app/db/connection.server";
import { rejections } from "../../app/metrics.server";
import { insertRedeemable, makeKey, request } from "../factories/redemptions";
import { usePipeline } from "../support/pipeline";
import { useDatabase } from "../support/postgres";
import { addUser, apiOf, openSessionOf } from "../support/server";
import { lockTable } from "../support/database-sessions";

useDatabase();
const limits = {
  running: 6,
  redemptions: 2,
  unreadBodiesPerClient: 3,
  runningPerClient: 4,
  signInsPerClient: 2,
  connectionsPerPeer: 40,
};
const pipeline = usePipeline({ limits });
const impatient = usePipeline({
  times: { headersTimeout: 100, requestTimeout: 200, connectionsCheckingInterval: 50 },
});

/** Sends these bytes and leaves the connection open. @returns the socket, and its status line later */
function open(text: string, { origin } = pipeline): { socket: Socket; status: Promise<number> } {
  const socket = connect(Number(new URL(origin).port), "127.0.0.1");
  socket.on("error", () => {});
  onTestFinished(() => void socket.destroy());
  let answer = "";
  const status = new Promise<number>((resolve) => {
    socket.on("data", (chunk: Buffer) => {
      answer += chunk.toString("latin1");
      const match = /^HTTP\/1\.1 (\d{3})/.exec(answer);
      if (match) resolve(Number(match[1]));
    });
    socket.on("close", () => resolve(0));
  });
  socket.write(text);
  return { socket, status };
}

/** A request whose body never arrives as a whole. */
function openSlowBody(path: string, headers: Record<string, string> = {}, to = pipeline) {
  const { host } = new URL(to.origin);
  const lines = Object.entries({
    Host: host,
    Origin: to.origin,
    "Content-Type": "application/json",
    "Content-Length": "1000",
    ...headers,
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  return open(`POST ${path} HTTP/1.1\r\n${lines.join("")}\r\n{`, to);
}

/** Makes loaders wait. @returns what waits for so many of them, their number, and what lets them go on */
function holdLoaders() {
  let release = () => {};
  let waiting = 0;
  const gate = new Promise<void>((resolve) => (release = resolve));
  pipeline.loader = async () => {
    waiting++;
    await gate;
    return new Response("done");
  };
  const reaches = (count: number) => vi.waitFor(() => expect(waiting).toBe(count));
  return { release, reaches, waiting: () => waiting };
}

const get = (address: string) =>
  pipeline.send("/download", { headers: { "X-Forwarded-For": address } });

const call = apiOf(pipeline.send);
const redeem = (token: string, target: Parameters<typeof request>[0]) =>
  call("POST", "/api/redemptions", { token, body: request(target) });

describe("unread bodies", () => {
  it("stop neither pages nor redemptions, and cost a client without a key its own forms only", async () => {
    pipeline.loader = () => new Response("done");
    const { secret } = await makeKey();
    const target = await insertRedeemable();
    const keyless = Array.from({ length: 10 }, () => openSlowBody("/api/redemptions"));
    const wrongKey = Array.from({ length: 10 }, () =>
      openSlowBody("/api/redemptions", { Authorization: `Bearer ${newSecret("vqm_")}` }),
    );
    for (const { status } of [...keyless, ...wrongKey]) expect([401, 429]).toContain(await status);
    const slow = Array.from({ length: 3 }, () => openSlowBody("/login"));
    const refused = await openSlowBody("/login").status;
    expect(refused).toBe(429);

    expect((await get("6.6.6.6")).status).toBe(200);
    expect((await get("127.0.0.1")).status).toBe(200);
    expect((await redeem(secret, target)).status).toBe(201);
    const other = { "X-Forwarded-For": "6.6.6.6" };
    const form = { method: "POST", headers: other, body: { a: "1" } };
    expect((await pipeline.send("/login", form)).status).toBe(200);

    for (const { socket } of slow) socket.destroy();
    await vi.waitFor(async () => {
      const own = await pipeline.send("/login", { method: "POST", body: { a: "1" } });
      expect(own.status).toBe(200);
    });
  });

  it("does not wait for the body of a large file without a session or a key", async () => {
    const file = { "Content-Type": "multipart/form-data; boundary=b", "Content-Length": "2000000" };
    const strangers = [
      openSlowBody("/app/user/edit/profile", file),
      openSlowBody("/app/user/edit/profile", { ...file, Cookie: `sid=${"a".repeat(43)}` }),
      openSlowBody("/file/upload/users/avatar", file),
      openSlowBody("/file/upload/users/avatar", {
        ...file,
        Authorization: `Bearer ${newSecret("vqa_")}`,
      }),
    ];
    for (const { status } of strangers) expect(await status).toBe(401);
  });

  it("does not wait for the body of a redemption whose key is malformed", async () => {
    for (const Authorization of ["", "Bearer vqm_x", "Basic eA=="])
      expect(await openSlowBody("/api/redemptions", { Authorization }).status).toBe(401);
  });

  it("counts bodies of valid keys for nobody", async () => {
    const { secret } = await makeKey();
    const target = await insertRedeemable();
    const slow = Array.from({ length: 10 }, () =>
      openSlowBody("/api/redemptions", { Authorization: `Bearer ${secret}` }),
    );
    expect((await redeem(secret, target)).status).toBe(201);
    expect(await Promise.race([...slow.map(({ status }) => status), "still open"])).toBe(
      "still open",
    );
  });
});

describe("requests that run", () => {
  it("are limited for each client, whose other addresses are those of its IPv6 network", async () => {
    const held = holdLoaders();
    const running = ["2001:db8::1", "2001:db8::2", "2001:db8::3", "2001:db8::4"].map((address) =>
      get(address),
    );
    await held.reaches(4);
    const refused = await get("2001:db8::5");
    expect([refused.status, refused.headers["retry-after"]]).toEqual([429, "2"]);
    expect(refused.headers["ratelimit-policy"]).toBe('"requests";q=4;qu="concurrent-requests"');
    expect(refused.headers.ratelimit).toBe('"requests";r=0;t=2');
    const other = get("2001:db8:0:1::1");
    await held.reaches(5);
    held.release();
    for (const answer of [...running, other]) expect((await answer).status).toBe(200);
    expect((await get("2001:db8::5")).status).toBe(200);
  });

  it("don't share a limit because proxies wrote their addresses in a way that can't be read", async () => {
    const held = holdLoaders();
    const running = [1, 2, 3, 4].map(() => get("unknown"));
    await held.reaches(4);
    expect((await get("unknown")).status).toBe(429);
    const other = get("_hidden");
    await held.reaches(5);
    held.release();
    expect((await other).status).toBe(200);
    await Promise.all(running);
  });

  it("leave machines their places when no page gets one any more", async () => {
    const { secret } = await makeKey();
    const target = await insertRedeemable();
    const held = holdLoaders();
    const running = [1, 2, 3, 4, 5, 6].map((number) => get(`10.0.0.${number}`));
    await held.reaches(6);
    const refused = await get("10.0.0.7");
    expect([refused.status, refused.headers["retry-after"]]).toEqual([503, "2"]);
    expect(pipeline.lines.map((line) => JSON.parse(line) as object)).toMatchObject([
      { req: { path: "/download" }, res: { status: 503, reason: "running" } },
    ]);
    expect((await redeem(secret, target)).status).toBe(201);
    held.release();
    await Promise.all(running);
  });

  it("are counted by the limit that turned them away", async () => {
    const count = async (reason: string) =>
      (await rejections.get()).values.find(({ labels }) => labels.reason === reason)?.value;
    const before = await count("runningPerClient");
    const held = holdLoaders();
    const running = [1, 2, 3, 4].map(() => get("10.0.1.1"));
    await held.reaches(4);
    for (let time = 0; time < 3; time++) expect((await get("10.0.1.1")).status).toBe(429);
    held.release();
    await Promise.all(running);
    expect(await count("runningPerClient")).toBe(before! + 3);
  });

  it("are limited sooner for sign-ins, however their path is written", async () => {
    const held = holdLoaders();
    const signIn = (path: string) =>
      pipeline.send(path, { method: "POST", body: { email: "a", password: "b" } });
    const running = [signIn("/login"), signIn("/LOGIN/")];
    await held.reaches(2);
    for (const path of ["/login", "/%6cogin", "/login?_data=login"])
      expect((await signIn(path)).status).toBe(429);
    expect(held.waiting()).toBe(2);
    const page = get("127.0.0.1");
    await held.reaches(3);
    held.release();
    for (const answer of [...running, page]) expect((await answer).status).toBe(200);
  });

  it("are not blocked for a machine by a client at the same address", async () => {
    const { secret } = await makeKey();
    const target = await insertRedeemable();
    expect((await redeem(secret, target)).status).toBe(201);
    const held = holdLoaders();
    const running = [1, 2, 3, 4].map(() => get("127.0.0.1"));
    await held.reaches(4);
    expect((await get("127.0.0.1")).status).toBe(429);
    expect((await redeem(secret, target)).status).toBe(201);
    held.release();
    await Promise.all(running);
  });
});

describe("keys", () => {
  it("are looked up once for a burst of requests", async () => {
    const { secret } = await makeKey();
    const target = await insertRedeemable();
    const holder = await lockTable("api_keys");
    const burst = [1, 2].map(() => redeem(secret, target));
    const others = Array.from({ length: 6 }, () => redeem(newSecret("vqm_"), target));
    const refused = (await Promise.race(others)).status;
    await holder.rollback();
    expect(refused).toBe(429);
    for (const answer of burst) expect((await answer).status).toBe(201);
    await Promise.all(others);
  });

  it("stop opening the door when they are revoked", async () => {
    const { secret } = await makeKey();
    const target = await insertRedeemable();
    expect((await redeem(secret, target)).status).toBe(201);
    await db()("api_keys").update({ revoked_at: db().fn.now() });
    expect((await redeem(secret, target)).status).toBe(401);
    const slow = openSlowBody("/api/redemptions", { Authorization: `Bearer ${secret}` });
    expect(await slow.status).toBe(401);
  });
});

describe("connections", () => {
  it("are limited for each peer, those of machines aside", async () => {
    const { secret } = await makeKey();
    const { host } = new URL(pipeline.origin);
    const sockets = Array.from({ length: limits.connectionsPerPeer }, () =>
      open(`GET /login HTTP/1.1\r\nHost: ${host}\r\n`),
    );
    await Promise.all(sockets.map(({ socket }) => once(socket, "connect")));
    const surplus = open(`GET /healthz HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
    expect(await surplus.status).toBe(0);

    const { socket, status } = sockets[0]!;
    socket.destroy();
    await status;
    let machine!: ReturnType<typeof openSlowBody>;
    await vi.waitFor(async () => {
      machine = openSlowBody("/api/redemptions", {
        Authorization: `Bearer ${secret}`,
        Expect: "100-continue",
      });
      expect(await machine.status).toBe(100);
    });
    await vi.waitFor(async () => expect((await pipeline.send("/healthz")).status).toBe(200));
    machine.socket.destroy();
  });

  it("keeps a connection open for longer while a picture keeps arriving", async () => {
    const bytes = 300_000;
    await addUser("slow@example.com");
    const headers = {
      Cookie: await openSessionOf("slow@example.com"),
      "Content-Type": "multipart/form-data; boundary=b",
      "Content-Length": String(bytes),
      Expect: "100-continue",
    };
    const picture = openSlowBody("/app/user/edit/profile", headers, impatient);
    expect(await picture.status).toBe(100);
    const form = openSlowBody("/screen", {}, impatient);
    expect(await form.status).toBe(408);
    const answered = Promise.race([once(picture.socket, "data"), once(picture.socket, "close")]);
    picture.socket.write("-".repeat(bytes - 1));
    expect(String(await answered)).toContain("HTTP/1.1 400");
  });

  it("end when a request takes too long to arrive", async () => {
    const server = createHttpServer({ headersTimeout: 100, requestTimeout: 200 });
    server.on("request", (incoming) => incoming.resume());
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    const head = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n";
    await Promise.all(
      ["", head, `${head}\r\n1`].map(async (text) => {
        const socket = connect(port, "127.0.0.1").on("error", () => {});
        socket.resume().write(text);
        // By default they would end after 30 s.
        await vi.waitFor(() => expect(socket.closed).toBe(true), { timeout: 25_000 });
      }),
    );
  });
});
