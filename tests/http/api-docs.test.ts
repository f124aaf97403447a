import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, request as forward, type ServerResponse } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { brotliDecompressSync } from "node:zlib";
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { db } from "../../app/db/connection.server";
import { environment } from "../../app/env.server";
import { eventTypes } from "../../app/features/events/event";
import { refusalReasons } from "../../app/features/redemptions/refusal-reason";
import { callAt, readGroups } from "../../app/routes/_api-docs/calls.server";
import * as images from "../factories/images";
import { insertMachine } from "../factories/people-and-machines";
import { insertRedeemable, makeKey } from "../factories/redemptions";
import { insertWebhook } from "../factories/webhooks";
import { freePort } from "../support/free-port";
import { elementsById } from "../support/html";
import { addUser, insertSession, issueTokenOf, redeemAt, send, useServer } from "../support/server";
import { inSoak, repetitions } from "../support/repetitions";

/** Stands before the server under the address that its pages name, loses answers, and answers in its place. */
async function openLossyProxy() {
  let answersToLose = 0;
  let ownAnswers: ((outgoing: ServerResponse) => void)[] = [];
  let askedAt: number[] = [];
  const proxy = createServer((incoming, outgoing) => {
    askedAt.push(performance.now());
    const answerItself = ownAnswers.shift();
    if (answerItself) return answerItself(outgoing);
    const { port } = new URL(server.origin);
    const { method, url: target, headers } = incoming;
    const upstream = forward({ hostname: "127.0.0.1", port, method, path: target, headers });
    incoming.pipe(upstream);
    upstream.on("response", (answer) => {
      if (answersToLose > 0) {
        answersToLose--;
        answer.resume().on("end", () => incoming.socket.resetAndDestroy());
        return;
      }
      outgoing.writeHead(answer.statusCode!, answer.headers);
      answer.pipe(outgoing);
    });
  });
  await new Promise<void>((resolve) => proxy.listen(0, resolve));
  return {
    origin: `http://localhost:${(proxy.address() as AddressInfo).port}`,
    loseAnswers: (count: number) => (answersToLose = count),
    /** Gives these answers to the next requests, and returns the pauses between all that follow, in ms. */
    answerItself(answers: typeof ownAnswers) {
      ownAnswers = answers;
      askedAt = [];
      return () => askedAt.slice(1).map((time, index) => time - askedAt[index]!);
    },
    close: () => proxy.close(),
  };
}

const proxy = await openLossyProxy();
const server = useServer({
  environment: () => ({ APP_ORIGIN: proxy.origin, WEBHOOK_PRIVATE: "1" }),
});
const pages = ["/api/docs", "/api/docs/webhooks", "/api/docs/calls"];
const serialNumber = "VM-10431";
const exampleCode = "K7QM2XWPD4HT";

let folder = "";
/** Texts of the guide and of the page of webhooks, by the ids of their elements. */
let guide: Record<string, string> = {};
let webhooks: Record<string, string> = {};
let machine: { id: string; serial_number: string };
let key: Awaited<ReturnType<typeof makeKey>>;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "api-docs-"));
  const read = async (address: string) =>
    elementsById((await send(proxy.origin, address)).body, "pre");
  guide = await read("/api/docs");
  webhooks = await read("/api/docs/webhooks");
  for (const [file, id] of [
    ["redemptions.mjs", "client-js"],
    ["vend.mjs", "use-js"],
    ["redemptions.py", "client-py"],
  ] as const)
    await writeFile(path.join(folder, file), guide[id]!);
  machine = await insertMachine({ serial_number: serialNumber });
});
afterAll(async () => {
  proxy.close();
  await rm(folder, { recursive: true, force: true });
});
beforeEach(async () => {
  key = await makeKey();
});

const has = (program: string) => {
  try {
    execFileSync(program, ["--version"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
};

/** Runs a program beside the files of the guide, and returns what it printed. */
function run(program: string, args: string[], variables: Record<string, string> = {}) {
  const child = spawn(program, args, {
    cwd: folder,
    env: { ...process.env, API_KEY: key.secret, ...variables },
  });
  return new Promise<string>((resolve, reject) => {
    let output = "";
    child.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()));
    child.stderr.on("data", (chunk: Buffer) => (output += chunk.toString()));
    child.on("error", reject).on("close", () => resolve(output.trim()));
  });
}

/** Sells with the example of the guide; the machine vends or fails. */
async function sell(code: string, doesVend: boolean): Promise<string> {
  const vend = `async (price) => { console.log("vending for", price); return ${doesVend}; }`;
  const program = `import { sell } from "./vend.mjs";
    console.log(await sell(${JSON.stringify(code)}, 250, ${vend}));`;
  await writeFile(path.join(folder, "sale.mjs"), program);
  return run(process.execPath, ["sale.mjs"]);
}

const usesOf = async (id: string) =>
  (await db()("promotions").where({ id }).pluck<number[]>("activation_count"))[0];

describe("the guide", () => {
  it("names every reason of a refusal and every type of event", async () => {
    const { body } = await send(proxy.origin, "/api/docs");
    for (const reason of refusalReasons.filter((each) => each !== "throttled"))
      expect(body).toContain(`<code>${reason}</code>`);
    const page = (await send(proxy.origin, "/api/docs/webhooks")).body;
    for (const type of Object.keys(eventTypes)) expect(page).toContain(`id="${type}"`);
  });

  it("has a redemption in JavaScript that vends once when its answer is lost", async () => {
    const code = await insertRedeemable({ is_single_use: true }, machine);
    proxy.loseAnswers(2);
    expect(await sell(code.code, true)).toBe("vending for 187\nThank you!");
    expect(await usesOf(code.id)).toBe(1);
    expect(await sell(code.code, true)).toBe("This code is used up.");
  });

  inSoak(it)("gives the use of a failed vend back, also when that answer is lost", async () => {
    const code = await insertRedeemable({ is_single_use: true }, machine);
    const selling = sell(code.code, false);
    await expect.poll(() => usesOf(code.id)).toBe(1);
    proxy.loseAnswers(1);
    expect(await selling).toContain("Please try again.");
    expect(await usesOf(code.id)).toBe(0);
    expect(await db()("transactions").where({ promotion_id: code.id }).pluck("status")).toEqual([
      "rolled_back",
    ]);
  });

  /** Answers of a proxy that is restarted, of another one that names a time, and one that breaks off. */
  const answersOfProxies = [
    (outgoing: ServerResponse) =>
      outgoing.writeHead(503, { "Retry-After": new Date().toUTCString() }).end("{}"),
    (outgoing: ServerResponse) =>
      outgoing.writeHead(503, { "Retry-After": "2", "Content-Type": "text/html" }).end("<h1>503"),
    (outgoing: ServerResponse) => {
      outgoing.writeHead(201, { "Content-Length": "500" });
      outgoing.write('{"id": 1', () => outgoing.destroy());
    },
  ];

  it.each([
    [
      "JavaScript",
      "import('./redemptions.mjs').then(async ({ redeem }) => console.log(JSON.stringify(await redeem(BODY))))",
    ],
    ["Python", "import json, redemptions; print(json.dumps(redemptions.redeem(BODY)))"],
  ])(
    "has a client in %s that waits for proxies, and goes on after half an answer",
    async (name, program) => {
      const isPython = name === "Python";
      if (isPython && !has("python3")) return;
      const { code, id } = await insertRedeemable({ is_single_use: true }, machine);
      const body = {
        code,
        serialNumber,
        originalPrice: 250,
        redemptionId: `${name}-behind-proxies`,
      };
      const pauses = proxy.answerItself(answersOfProxies.slice());
      const [command, flag] = isPython ? ["python3", "-c"] : [process.execPath, "-e"];
      const output = await run(command, [flag, program.replace("BODY", JSON.stringify(body))]);
      expect(JSON.parse(output)).toMatchObject({ http: 201, status: "Applied" });
      expect(await usesOf(id)).toBe(1);
      const [afterDate, afterSeconds] = pauses();
      expect(afterDate).toBeGreaterThan(450);
      expect(afterSeconds).toBeGreaterThan(1_950);
    },
  );

  inSoak(it.runIf(has("python3")))("has a client in Python that does the same", async () => {
    const code = await insertRedeemable({ is_single_use: true }, machine);
    const body = { code: code.code, serialNumber, originalPrice: 250, redemptionId: "from-python" };
    const call = (text: string) =>
      run("python3", ["-c", `import json, redemptions; print(json.dumps(redemptions.${text}))`]);
    proxy.loseAnswers(1);
    expect(JSON.parse(await call(`redeem(${JSON.stringify(body)})`))).toMatchObject({
      http: 201,
      status: "Applied",
      discountedPrice: 187,
    });
    expect(await usesOf(code.id)).toBe(1);
    proxy.loseAnswers(1);
    expect(JSON.parse(await call('roll_back("from-python")'))).toMatchObject({
      http: 200,
      status: "Rolled back",
    });
    expect(await usesOf(code.id)).toBe(0);
  });

  it.runIf(has("curl"))("has calls of curl that redeem and roll back", async () => {
    await insertRedeemable({ code: exampleCode }, machine);
    const redeemed = await run("bash", ["-c", guide["redeem-curl"]!]);
    expect(redeemed).toContain("201 Created");
    expect(redeemed).toContain('"discountedPrice":187');
    const rollBack = () => run("bash", ["-c", guide["rollback-curl"]!]);
    expect(await rollBack()).toContain("200 OK");
    expect(await rollBack()).toContain("200 OK");
  });
});

describe.runIf(has("curl"))("the curl of a call", () => {
  /** Runs the example of a call beside files that it may send, and returns the status of its answer. */
  async function runExample(method: string, address: string, id = "1"): Promise<string> {
    const token = await issueTokenOf();
    const curl = callAt(method, address)
      .curl.replace(environment().appOrigin, proxy.origin)
      .replace("/promotion/1", `/promotion/${id}`);
    return run("bash", ["-c", `${curl} -s -o /dev/null -w '%{http_code}'`], {
      API_KEY: token,
      ACCESS_TOKEN: token,
    });
  }

  it("sends a CSV file for an import", async () => {
    await writeFile(
      path.join(folder, "codes.csv"),
      "code,name,discount,uses\nSUMMER01,Summer,20%,single\n",
    );
    expect(await runExample("POST", "/api/imports/codes")).toBe("201");
    for (const kind of ["machines", "groups", "assignments"])
      expect(callAt("POST", `/api/imports/${kind}`).curl).toContain(
        `-H "Content-Type: text/csv" \\\n  --data-binary @${kind}.csv`,
      );
  });

  it.each([
    ["/api/create_promotion", "201"],
    ["/api/generate_codes", "200"],
    ["/users", "201"],
  ])("creates what %s creates, with the values that it shows", async (address, status) => {
    expect(await runExample("POST", address)).toBe(status);
  });

  it("changes a code and assigns a group, with the values that it shows", async () => {
    const { id } = await insertRedeemable({}, machine);
    await db()("machine_groups").insert({ name: "Stations" });
    expect(await runExample("PUT", "/api/promotion/{promotionId}", id)).toBe("200");
    expect(await runExample("POST", "/api/promotion/{promotionId}/add-groups", id)).toBe("200");
  });

  it("sends the photo of an account in a form", async () => {
    await writeFile(path.join(folder, "photo.png"), await images.png());
    expect(await runExample("POST", "/file/upload/users/avatar")).toBe("201");
  });

  it("sends the access token where no key may make the call", () => {
    expect(callAt("PUT", "/api/auth/user").curl).toContain("Bearer $ACCESS_TOKEN");
    expect(callAt("GET", "/api/promotions").curl).toContain("Bearer $API_KEY");
  });
});

describe("a receiver of webhooks", () => {
  const receivers = [
    ["javascript", process.execPath, ["receiver.mjs"], "receiver-js", true],
    ["python", "python3", ["receiver.py"], "receiver-py", has("python3")],
    ["php", "php", ["-S", "127.0.0.1:PORT", "receiver.php"], "receiver-php", has("php")],
  ] as const;

  it.each(receivers.slice(0, repetitions(1, 3)))(
    "in %s takes a signed event once beside calls that break off, and refuses a forged one",
    async (name, program, args, id, isInstalled) => {
      await writeFile(path.join(folder, args.at(-1)!), webhooks[id]!);
      if (!isInstalled) return expect(webhooks[id]).toContain("WEBHOOK_SECRET");
      const port = await freePort();
      const url = `http://127.0.0.1:${port}/`;
      const webhook = await insertWebhook({ url, event_types: ["promotion.redeemed"] });
      const receiver = spawn(
        program,
        args.map((arg) => arg.replace("PORT", String(port))),
        {
          cwd: folder,
          env: { ...process.env, PORT: String(port), WEBHOOK_SECRET: webhook.secret },
        },
      );
      const output = outputOf(receiver);
      await expect
        .poll(() =>
          send(url, "/").then(
            () => true,
            () => false,
          ),
        )
        .toBe(true);

      // One stranger leaves in the middle of a call, and another one never ends theirs.
      const strangers = [beginCall(port), beginCall(port)];
      await Promise.all(strangers.map((socket) => once(socket, "connect")));
      strangers[0]!.destroy();

      const { code } = await insertRedeemable({}, machine);
      const body = { code, serialNumber, originalPrice: 250, redemptionId: `to-${name}` };
      expect((await redeemAt(proxy.origin, key.secret, body)).status).toBe(201);
      await expect.poll(output, { timeout: 20_000 }).toContain(`to-${name}`);
      await expect
        .poll(() => db()("webhook_deliveries").where({ webhook_id: webhook.id }).pluck("state"))
        .not.toContain("pending");

      const [sent] = await db()("webhook_deliveries")
        .where({ webhook_id: webhook.id })
        .pluck<Record<string, string>[]>("request_headers");
      const forged = await send(url, "/", { method: "POST", headers: sent!, body: "{}" });
      expect(forged.status).toBe(401);
    },
  );
});

/** Sends a call but for the end of its body. */
function beginCall(port: number): Socket {
  const socket = connect(port, "127.0.0.1");
  socket.write("POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n{");
  onTestFinished(() => void socket.destroy());
  return socket;
}

function outputOf(child: ChildProcess): () => string {
  let output = "";
  for (const stream of [child.stdout!, child.stderr!])
    stream.on("data", (chunk: Buffer) => (output += chunk.toString()));
  onTestFinished(() => void child.kill());
  return () => output;
}

describe("the pages", () => {
  it("are a link away from where keys and webhooks are made", async () => {
    const cookie = (await insertSession((await addUser("docs@example.com", "admin")).id)).cookie;
    for (const [screen, address] of [
      ["/app/integrations", "/api/docs"],
      ["/app/webhooks", "/api/docs/webhooks"],
      ["/app/profile", "/api/docs"],
    ] as const)
      expect((await send(proxy.origin, screen, { cookie })).body).toContain(`href="${address}"`);
  });

  it.each([
    ["/api/docs", "/app/integrations"],
    ["/api/docs/webhooks", "/app/webhooks"],
  ])("%s has a link to %s for admins alone", async (address, screen) => {
    const hasLink = async (cookie = "") =>
      (await send(proxy.origin, address, { cookie })).body.includes(`href="${screen}"`);
    for (const role of ["admin", "user", "viewer"] as const) {
      const { id } = await addUser(`${role}-of-${screen.slice(5)}@example.com`, role);
      expect(await hasLink((await insertSession(id)).cookie), role).toBe(role === "admin");
    }
    expect(await hasLink()).toBe(false);
  });

  it("have a link to the own API key for all but viewers, who have none", async () => {
    const hasLink = async (cookie = "") =>
      (await send(proxy.origin, "/api/docs", { cookie })).body.includes(
        'href="/app/profile/api-key"',
      );
    for (const role of ["admin", "user", "viewer"] as const) {
      const { id } = await addUser(`${role}-of-keys@example.com`, role);
      expect(await hasLink((await insertSession(id)).cookie), role).toBe(role !== "viewer");
    }
    expect(await hasLink()).toBe(true);
  });

  it("list the errors of all calls, of which 202 is none", async () => {
    const { body } = await send(proxy.origin, "/api/docs");
    const [, section] = /id="errors"(.*?)id="programs"/s.exec(body)!;
    expect(section).toContain("202 is no error");
    const statuses = [...section!.matchAll(/<t[hd][^>]*>(\d{3})</g)].map(([, status]) => status);
    const badRequests = ["400", "401", "403", "404", "405", "409", "413", "415", "422", "429"];
    expect(statuses).toEqual([...badRequests, "503"]);
  });

  it("have no script, and weigh at most 17 KiB for whoever has the styles", async () => {
    const groups = readGroups().map(({ id }) => `/api/docs/calls/${id}`);
    const cookie = (await send(proxy.origin, "/api/docs")).headers["set-cookie"]![0]!.split(";")[0];
    for (const address of [...pages, ...groups]) {
      const headers = { "Accept-Encoding": "br" };
      const { status, body } = await sendBytes(address, { headers, cookie: cookie! });
      expect([address, status]).toEqual([address, 200]);
      expect(body.length).toBeLessThanOrEqual(17 * 1_024);
      expect(brotliDecompressSync(body).toString()).not.toContain("<script");
    }
  });

  it("find a call by its path, and lead to it", async () => {
    const { body } = await send(proxy.origin, "/api/docs/calls?q=/api/auth/refresh");
    expect(body).toContain("1 call");
    expect(body).not.toContain("/api/machines-list");
    const [, href] = /href="(\/api\/docs\/calls\/[^"]+#[^"]+)"/.exec(body)!;
    const [address, id] = href!.split("#");
    expect((await send(proxy.origin, address!)).body).toContain(`id="${id}"`);
  });

  it("answer an unknown group by a page that says so", async () => {
    const { status, headers } = await send(proxy.origin, "/api/docs/calls/nothing");
    expect([status, headers["content-type"]]).toEqual([404, "text/html; charset=utf-8"]);
  });

  it("are in the colours that the visitor chose", async () => {
    const { body } = await send(proxy.origin, "/api/docs", { cookie: "theme=default.dark" });
    expect(body).toContain("mode-dark");
  });
});

/** Sends a request, and returns the bytes of its answer. */
function sendBytes(
  target: string,
  { headers, cookie }: { headers: Record<string, string>; cookie: string },
): Promise<{ status: number; body: Buffer }> {
  const { port, host } = new URL(proxy.origin);
  return new Promise((resolve, reject) => {
    forward(
      { port, path: target, headers: { Host: host, Cookie: cookie, ...headers } },
      (answer) => {
        const chunks: Buffer[] = [];
        answer.on("data", (chunk: Buffer) => chunks.push(chunk));
        answer.on("end", () =>
          resolve({ status: answer.statusCode!, body: Buffer.concat(chunks) }),
        );
      },
    )
      .on("error", reject)
      .end();
  });
}
