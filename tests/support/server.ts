import { createHash, randomBytes, randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { request, type IncomingHttpHeaders } from "node:http";
import { hash } from "@node-rs/argon2";
import { afterAll, beforeAll, expect } from "vitest";
import { db } from "../../app/db/connection.server";
import { hashSecret, newSecret } from "../../app/features/sign-in/tokens.server";
import type { Role } from "../../app/features/sign-in/user";
import { insertUser } from "../factories/people-and-machines";
import { startProduct, type RunningApp } from "./app";
import { documented } from "./documented-answers";
import { openClone } from "./postgres";

export type Answer = {
  status: number;
  headers: IncomingHttpHeaders;
  body: string;
  /** From the first byte sent to the last one read, in ms. */
  duration: number;
};

export type Sending = {
  method?: string;
  headers?: Record<string, string>;
  /** A form, or a body as it is. */
  body?: Record<string, string> | [string, string][] | string | Buffer;
  cookie?: string | undefined;
  /** Sent unless it is null: what a page of ours says about itself. */
  origin?: string | null;
};

export const password = "a password of the tests";

export type Send = (target: string, sending?: Sending) => Promise<Answer>;
export type ApiCall = {
  token?: string | null | undefined;
  /** Sent as JSON, unless it is text or bytes. */
  body?: unknown;
  headers?: Record<string, string>;
};

/** Makes a client that calls the API with a token and a body, and reads JSON where the answer has it. */
export const apiOf =
  (send: Send) =>
  async (method: string, path: string, { token, body, headers }: ApiCall = {}) => {
    const isRaw = typeof body === "string" || Buffer.isBuffer(body);
    const answer = await send(path, {
      method,
      headers: {
        ...(token && { Authorization: `Bearer ${token}` }),
        ...(body !== undefined && { "Content-Type": "application/json" }),
        ...headers,
      },
      ...(body !== undefined && { body: isRaw ? body : JSON.stringify(body) }),
    });
    const isJson = answer.headers["content-type"]?.startsWith("application/json");
    return { ...answer, json: isJson && answer.body ? JSON.parse(answer.body) : undefined };
  };

/**
 * Runs the built product for one test file, on a database of its own that `db()` reaches too.
 * Unless the environment names a vending platform, there is none, and the machines stay as a test
 * has made them.
 * Every answer is held against what all answers must have.
 */
export function useServer({
  environment = {},
}: {
  /** Or a function that is called when it starts. */
  environment?: Record<string, string> | (() => Record<string, string>);
} = {}) {
  let product: RunningApp;
  let close = async () => {};

  beforeAll(async () => {
    const clone = await openClone();
    ({ close } = clone);
    const variables = typeof environment === "function" ? environment() : environment;
    product = await startProduct(clone.url, variables);
    // The work at start is over before a test looks at the tables, or refreshes the machines itself.
    while (!(await isSynced())) await new Promise((resolve) => setTimeout(resolve, 10));
    await addUser("admin@example.com", "admin");
  });

  afterAll(async () => {
    await product.stop();
    await close();
  });

  const guardedSend: Send = async (target, sending) => {
    const answer = await send(product.origin, target, sending);
    expectGuardedAnswer(answer);
    return answer;
  };
  const call = apiOf(documented(guardedSend));
  const server = {
    get origin() {
      return product.origin;
    },
    /** Everything the server has printed. */
    output: () => product.output(),
    residentBytes: () => residentBytes(product.pid),
    cpuSeconds: () => cpuSeconds(product.pid),

    send: guardedSend,
    call,
    redeem: (secret: string, body: unknown) =>
      call("POST", "/api/redemptions", { token: secret, body }),

    /** Signs in by password, which costs a hash: for tests of signing in. @returns the cookie of the session */
    async signIn(email: string, secret = password): Promise<string> {
      const answer = await server.send("/login", {
        method: "POST",
        body: { email, password: secret },
      });
      expect(answer.status, answer.body).toBe(303);
      return cookieOf(answer);
    },
  };
  return server;
}

export type Server = ReturnType<typeof useServer>;

let passwordHash: Promise<string> | undefined;

/** Inserts a user who can sign in with the password of the tests. Comparing it costs 0.1 ms: a hash names its own cost. */
export async function addUser(email: string, role: Role = "user") {
  passwordHash ??= hash(password, { memoryCost: 8, timeCost: 1 });
  return insertUser({
    email,
    role,
    password_hash: await passwordHash,
    email_verified_at: db().fn.now(),
  });
}

/** Inserts a user with a session, and returns its cookie. */
export async function signInNewUser(): Promise<string> {
  return openSession((await insertUser()).id);
}

/** Inserts a session, as signing in would cost a password hash. */
export async function insertSession(userId: string): Promise<{ cookie: string; publicId: string }> {
  const secret = randomBytes(32).toString("base64url");
  const expires_at = db().raw("now() + interval '1 hour'");
  const [row] = await db()("sessions")
    .insert({ id_hash: hashSecret(secret), user_id: userId, expires_at })
    .returning<{ public_id: string }[]>("public_id");
  return { cookie: `sid=${secret}`, publicId: row!.public_id };
}

/** Inserts a session, and returns its cookie. */
export const openSession = async (userId: string) => (await insertSession(userId)).cookie;

/** Inserts a session of a user who has an address, by default the admin's, and returns its cookie. */
export const openSessionOf = async (email?: string) => openSession(await idOf(email));

/** Inserts an access token of a user who has an address, by default the admin's, and returns it. */
export async function issueTokenOf(email?: string): Promise<string> {
  const token = newSecret("vqa_");
  await db()("tokens").insert({
    user_id: await idOf(email),
    family_id: randomUUID(),
    hash: hashSecret(token),
    kind: "access",
    expires_at: db().raw("now() + interval '7 days'"),
    password_checked_at: db().fn.now(),
  });
  return token;
}

/** Whether machines were read once, and are not being read now. */
async function isSynced(): Promise<boolean> {
  const { rows } = await db().raw<{ rows: unknown[] }>(
    `select from platform_sync where attempted_at is not null
       and not exists (select from jobs where kind = 'machine_sync' and is_running)`,
  );
  return rows.length > 0;
}

async function idOf(email = "admin@example.com"): Promise<string> {
  return (await db()("users").where({ email }).first<{ id: string }>("id")).id;
}

/** `name=value` of the first cookie that an answer sets. */
export function cookieOf(answer: Answer): string {
  return answer.headers["set-cookie"]?.[0]?.split(";")[0] ?? "";
}

/**
 * One text for the content of all tables, except for the rate limits, which refusals may move, for the log of events,
 * to which what happened before is added later, for jobs, some of which are repeated, and for the alerts, the sums and the
 * deliveries that these write.
 */
export async function fingerprint(): Promise<string> {
  const { rows: tables } = await db().raw<{ rows: { name: string }[] }>(
    `select tablename as name from pg_tables
     where schemaname = 'public'
       and tablename not in ('rate_limits', 'activity_summary', 'event_log', 'events', 'recorded_events', 'jobs', 'alerts',
         'code_counts',
         'webhooks', 'webhook_deliveries')
       and tablename not like 'events!_%' escape '!'
     order by 1`,
  );
  const parts = await Promise.all(
    tables.map(async ({ name }) => {
      const { rows } = await db().raw<{ rows: { hash: string }[] }>(
        "select md5(coalesce(string_agg(t::text, ',' order by t::text), '')) as hash from ?? t",
        [name],
      );
      return `${name} ${rows[0]?.hash}`;
    }),
  );
  return parts.join("\n");
}

/** Sends exactly what is given: a client that adds nothing and follows nothing. */
export function send(
  origin: string,
  target: string,
  { method = "GET", headers = {}, body, cookie, origin: sentOrigin }: Sending = {},
): Promise<Answer> {
  const isForm = body !== undefined && typeof body !== "string" && !Buffer.isBuffer(body);
  const content = isForm
    ? new URLSearchParams(body as [string, string][] | Record<string, string>).toString()
    : (body as string | Buffer | undefined);
  const isSafe = method === "GET" || method === "HEAD";
  const started = performance.now();
  return new Promise((resolve, reject) => {
    const { host, port } = new URL(origin);
    const outgoing = request(
      {
        // Looking up localhost takes as long as a small answer.
        hostname: "127.0.0.1",
        port,
        method,
        path: target,
        agent: false,
        headers: {
          Host: host,
          ...(isForm ? { "Content-Type": "application/x-www-form-urlencoded" } : {}),
          ...(content === undefined ? {} : { "Content-Length": Buffer.byteLength(content) }),
          ...(isSafe || sentOrigin === null ? {} : { Origin: sentOrigin ?? origin }),
          ...(cookie ? { Cookie: cookie } : {}),
          ...headers,
        },
      },
      (incoming) => {
        let text = "";
        incoming.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
        incoming.once("end", () => {
          outgoing.destroy();
          resolve({
            status: incoming.statusCode!,
            headers: incoming.headers,
            body: text,
            duration: performance.now() - started,
          });
        });
        incoming.once("error", reject);
      },
    );
    outgoing.once("error", reject);
    outgoing.end(content);
  });
}

/** Redeems as a machine does. @param body the request */
export const redeemAt = (origin: string, secret: string, body: unknown) =>
  apiOf((path, sending) => send(origin, path, { origin: null, ...sending }))(
    "POST",
    "/api/redemptions",
    { token: secret, body },
  );

/** Asserts that a script or style has few headers: a page waits for ten of them on a slow line. */
function expectLeanHeaders(headers: Answer["headers"]): void {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${String(value)}\r\n`);
  expect(`HTTP/1.1 200 OK\r\n${lines.join("")}\r\n`.length, lines.join("")).toBeLessThanOrEqual(
    300,
  );
}

/** Asserts what holds for every answer, rejections included. */
function expectGuardedAnswer({ status, headers, body }: Answer): void {
  expect(headers["x-content-type-options"]).toBe("nosniff");
  if (headers["cache-control"] === "max-age=31536000, immutable" && !headers.etag)
    return expectLeanHeaders(headers);
  const policy = headers["content-security-policy"] ?? "";
  expect(policy).toContain("default-src 'none'");
  // Pages for customers load nothing at all.
  const isForCustomers = headers["x-robots-tag"] === "noindex";
  if (headers["content-type"] === "image/webp") expect(policy).toBe("sandbox; default-src 'none'");
  else if (isForCustomers)
    expect(policy).toContain(body ? `; style-src '${hashOfStyle(body)}';` : "; style-src 'sha256-");
  else expect(policy).toMatch(/script-src 'self'( 'nonce-[\w+/=]{20,}')?;/);
  expect(policy).not.toMatch(/unsafe|\*/);
  expect(policy).toMatch(/frame-ancestors 'none'|^sandbox;/);
  expect(headers["referrer-policy"]).toBe(isForCustomers ? "no-referrer" : "same-origin");
  expect(headers["cross-origin-resource-policy"]).toBe("same-origin");
  expect(headers["x-powered-by"]).toBeUndefined();
  expect(headers["access-control-allow-origin"]).toBeUndefined();
  expect(headers["x-request-id"]).toMatch(/^[\w-]{36}$/);
  expect(headers["cache-control"]).toMatch(
    /^(private, no-store|private, no-cache|no-cache|max-age=31536000, immutable|max-age=86400)$/,
  );
  const location = headers.location ?? headers["x-remix-redirect"];
  if (location !== undefined) expect(location).toMatch(/^\/(?![/\\])/);
  for (const cookie of headers["set-cookie"] ?? []) {
    expect(cookie).toMatch(/; Path=\/; HttpOnly; SameSite=Lax; Max-Age=\d+(; Secure)?$/);
    expect(headers["cache-control"]).toBe("private, no-store");
  }
  // A statement ends before a tag: looking to the end of the line takes some milliseconds of each page.
  expect(body).not.toMatch(/__subType|node_modules|\bat \S+ \(|\bselect [^<>\n]+ from "/i);
  if (status >= 400) expect(headers.etag).toBeUndefined();
}

function hashOfStyle(html: string): string {
  const style = /<style>(.*?)<\/style>/s.exec(html)?.[1] ?? "";
  return `sha256-${createHash("sha256").update(style).digest("base64")}`;
}

async function residentBytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1] ?? 0) * 1_024;
}

/** Returns the CPU time of a process since its start, in seconds. */
async function cpuSeconds(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
  // The name may hold blanks; user and system time are the 14th and 15th field, in 1/100 s.
  const [user = 0, system = 0] = stat.slice(stat.lastIndexOf(")")).split(" ").slice(12).map(Number);
  return (user + system) / 100;
}
