import { isIPv4 } from "node:net";
import path from "node:path";
import * as z from "zod";
import { isEmailAddress } from "./format/email-address";

/** A variable of the environment can't be used; the message consists of whole sentences. */
export class EnvironmentError extends Error {
  override name = "EnvironmentError";
}

const text = (isValid: (text: string) => boolean, message: string) =>
  z.string().refine(isValid, message);

const wholeNumber = (from: number, to: number) =>
  text(
    (value) => /^\d{1,9}$/.test(value) && Number(value) >= from && Number(value) <= to,
    `must be a whole number from ${from} to ${to}`,
  ).transform(Number);

const oneOf = <const Choice extends string>(...choices: Choice[]) =>
  z.enum(choices, { error: `must be ${choices.join(" or ")}` });

const url = (protocols: string[], message: string) =>
  text((value) => protocols.includes(parseUrl(value)?.protocol ?? ""), message);

const databaseUrl = (message: string) =>
  url(["postgres:", "postgresql:"], message).refine(
    isEncoded,
    "has a % in its user name, password or database that encodes no character: write %25 for it",
  );

const key = z
  .string()
  .regex(/^[\x21-\x7e]{1,1000}$/, "must be printable characters without spaces");

/** Variables whose values no message repeats. */
const secretVariables = {
  DATABASE_URL: databaseUrl(
    "must be a PostgreSQL address such as postgresql://user:password@host:5432/database",
  ),
  DATABASE_DIRECT_URL: databaseUrl(
    "must be the PostgreSQL address of the database itself, without a pooler in transaction mode",
  ),
  DATABASE_REPLICA_URL: databaseUrl(
    "must be the PostgreSQL address of a streaming replica of the database",
  ),
  APP_SECRET: text((value) => Buffer.byteLength(value) >= 32, "must be at least 32 bytes long"),
  ADMIN_PASSWORD: z.string().regex(/^.{12,128}$/su, "must be 12 to 128 characters long"),
  SMARTVEND_API_KEY: key,
  SMTP_URL: text(isSmtpUrl, "must be an address such as smtp://user:password@host:587"),
  MAPS_KEY: key,
  METRICS_TOKEN: key.min(16, "must be at least 16 characters long"),
};

const schema = z
  .object({
    ...secretVariables,
    /** 0 lets the system choose a free one. */
    PORT: wholeNumber(0, 65_535),
    HOST: z.string().regex(/^[\w.:-]{1,253}$/, "must be a host name or an IP address"),
    APP_ORIGIN: text(
      isOrigin,
      "must be an http or https origin without a path, such as https://promo.example.com",
    ).transform((value) => new URL(value).origin),
    DATA_DIR: text(
      (value) => !value.includes("\0") && value.length <= 1_000,
      "must be the path of a folder",
    ),
    /** 1 in the image, where data in the container would be lost with it. */
    DATA_VOLUME: oneOf("0", "1"),
    /** `transaction`: a pooler gives each transaction another session of the server. */
    DATABASE_POOLING: oneOf("session", "transaction"),
    ADMIN_EMAIL: z.string().toLowerCase().refine(isEmailAddress, "must be an email address"),
    SAMPLE_DATA: oneOf("0", "1"),
    TIME_ZONE: text(isTimeZone, "must be an IANA time zone such as Europe/Berlin"),
    SMARTVEND_URL: url(["http:", "https:"], "must be an http or https address").refine(
      (value) => !/^\w+:\/\/[^/?#]*@/.test(value),
      "must not hold a user name or a password: the key goes into SMARTVEND_API_KEY",
    ),
    MAIL_FROM: z
      .string()
      .regex(
        /^([^\r\n<>]{1,200} ?<[^\s@<>]+@[^\s@<>]+>|[^\s@<>]+@[^\s@<>]+)$/,
        "must be an email address, or a name and an address: Promo Console <promo@example.com>",
      ),
    ALLOW_SIGNUP: oneOf("0", "1"),
    /** `sample`: the demo's product screens run on sample products, read-only. */
    DEMO_PAGES: oneOf("0", "1", "sample"),
    MAX_CODES: wholeNumber(1, 1_000_000),
    /** `{code}` stands for the code. */
    QR_PAYLOAD: text(
      (value) => value.split("{code}").length === 2 && value.length <= 500,
      "must contain {code} once and be at most 500 characters long",
    ),
    REQUIRE_2FA: oneOf("admin", "all"),
    WEBHOOK_PRIVATE: oneOf("0", "1"),
    /** The number of trusted proxies in front. */
    TRUST_PROXY: wholeNumber(0, 10),
    DRAIN_SECONDS: wholeNumber(0, 300),
  })
  .partial();

export const variableNames = Object.keys(schema.shape);

export type Environment = ReturnType<typeof readEnvironment>;

/**
 * Checks every environment variable and fills in the defaults. An empty value counts as absent.
 * @throws EnvironmentError with one sentence for each wrong value
 */
export function readEnvironment(source: Record<string, string | undefined>) {
  const rawValues: Record<string, string> = {};
  for (const name of variableNames) {
    const value = source[name];
    // A password is typed with the spaces at its ends, but a file that it is read from may end with a new line.
    const trimmed = name === "ADMIN_PASSWORD" ? value?.replace(/[\r\n]+$/, "") : value?.trim();
    if (trimmed) rawValues[name] = trimmed;
  }

  const { data: values, error } = schema.safeParse(rawValues);
  if (error) {
    const messages = new Map<string, string>();
    for (const issue of error.issues) {
      const name = String(issue.path[0]);
      const subject =
        name in secretVariables ? name : `${name} is ${quote(rawValues[name]!)}, but it`;
      if (!messages.has(name)) messages.set(name, `${subject} ${issue.message}.`);
    }
    throw new EnvironmentError([...messages.values()].join("\n"));
  }

  const isEmbedded = values.DATABASE_URL === undefined;
  if (!isEmbedded && values.APP_SECRET === undefined)
    throw new EnvironmentError(
      "APP_SECRET must be given together with DATABASE_URL, and be at least 32 bytes long.",
    );
  const alone = (["DATABASE_DIRECT_URL", "DATABASE_POOLING", "DATABASE_REPLICA_URL"] as const).find(
    (name) => values[name],
  );
  if (isEmbedded && alone)
    throw new EnvironmentError(`DATABASE_URL must be given together with ${alone}.`);
  if (values.DATABASE_POOLING === "transaction" && values.DATABASE_DIRECT_URL === undefined)
    throw new EnvironmentError(
      "DATABASE_DIRECT_URL must be given together with DATABASE_POOLING=transaction: migrations and backups need a session, so it is the address of the database itself.",
    );
  if (!isEmbedded && values.DATABASE_REPLICA_URL === values.DATABASE_URL)
    throw new EnvironmentError(
      "DATABASE_REPLICA_URL must be the address of another server than DATABASE_URL.",
    );
  if (values.SMARTVEND_URL !== undefined && values.SMARTVEND_API_KEY === undefined)
    throw new EnvironmentError("SMARTVEND_API_KEY must be given together with SMARTVEND_URL.");
  const adminEmail = values.ADMIN_EMAIL ?? "admin@example.com";
  if (values.ADMIN_PASSWORD?.toLowerCase() === adminEmail)
    throw new EnvironmentError("ADMIN_PASSWORD must not be the email address of the admin.");

  const port = values.PORT ?? 5000;
  const appOrigin = values.APP_ORIGIN ?? `http://localhost:${port}`;
  const demoPages = { "0": "off", "1": "on", sample: "sample" } as const;
  return {
    port,
    host: values.HOST ?? "localhost",
    appOrigin,
    /** null: the embedded database. */
    databaseUrl: values.DATABASE_URL ?? null,
    /** Address for migrations and backups, which hold a session. */
    databaseDirectUrl: values.DATABASE_DIRECT_URL ?? values.DATABASE_URL ?? null,
    /** null: everything reads from the primary. */
    databaseReplicaUrl: values.DATABASE_REPLICA_URL ?? null,
    databasePooling: values.DATABASE_POOLING ?? "session",
    dataDir: path.resolve(values.DATA_DIR ?? ".data"),
    /** Whether the embedded database needs a data folder on a mounted volume. */
    dataVolume: values.DATA_VOLUME === "1",
    /** null: created once and kept in the data folder. */
    appSecret: values.APP_SECRET ?? null,
    adminEmail,
    /** null: a random one, printed once. */
    adminPassword: values.ADMIN_PASSWORD ?? null,
    sampleData: (values.SAMPLE_DATA ?? (isEmbedded ? "1" : "0")) === "1",
    /** null: the one kept in the database, at first the system's. */
    timeZone: values.TIME_ZONE ?? null,
    /** null: the built-in sample platform. */
    smartvendUrl: values.SMARTVEND_URL ?? null,
    smartvendApiKey: values.SMARTVEND_API_KEY ?? null,
    /** null: mails are written to the data folder and the terminal. */
    smtpUrl: values.SMTP_URL ?? null,
    /** The name of the site stands before an address alone. */
    mailFrom: values.MAIL_FROM ?? `promo-console@${mailDomain(appOrigin)}`,
    /** null: the setting. */
    allowSignup: values.ALLOW_SIGNUP === undefined ? null : values.ALLOW_SIGNUP === "1",
    demoPages: demoPages[values.DEMO_PAGES ?? (isEmbedded ? "1" : "0")],
    /** null: the setting. */
    maxCodes: values.MAX_CODES ?? null,
    qrPayload: values.QR_PAYLOAD ?? "{code}",
    mapsKey: values.MAPS_KEY ?? null,
    /** null: nobody has to have a second factor. */
    require2fa: values.REQUIRE_2FA ?? null,
    /** null: /metrics is off. */
    metricsToken: values.METRICS_TOKEN ?? null,
    /** Whether webhooks may be sent into private networks, and by http. */
    webhookPrivate: values.WEBHOOK_PRIVATE === "1",
    trustProxy: values.TRUST_PROXY ?? 0,
    /** How long requests are still accepted after SIGTERM, while /readyz answers 503. */
    drainSeconds: values.DRAIN_SECONDS ?? (isEmbedded ? 0 : 5),
  };
}

let current: Environment | undefined;

/** Reads the environment of this process again, at each start. */
export function loadEnvironment(): Environment {
  return (current = readEnvironment(process.env));
}

/** Returns the environment as it was read last. */
export function environment(): Environment {
  return (current ??= readEnvironment(process.env));
}

/** Stores the port that the system chose for PORT=0, and updates an origin that contains it. */
export function rememberPort(port: number): void {
  const before = environment();
  const hasDefaultOrigin = before.appOrigin === `http://localhost:${before.port}`;
  const appOrigin = hasDefaultOrigin ? `http://localhost:${port}` : before.appOrigin;
  current = { ...before, port, appOrigin };
}

/** Whether PostgreSQL and JavaScript read it as the same zone; they differ about '+01:00'. */
export function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z][A-Za-z0-9_+/-]{1,63}$/.test(name)) return false;
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

/** Returns the host of an origin as mail servers take it behind an @: an IP address stands in brackets. */
function mailDomain(origin: string): string {
  const { hostname } = new URL(origin);
  if (isIPv4(hostname)) return `[${hostname}]`;
  return hostname.replace(/^\[/, "[IPv6:");
}

function isOrigin(value: string): boolean {
  const parsed = parseUrl(value);
  return /^https?:$/.test(parsed?.protocol ?? "") && parsed?.href === `${parsed?.origin}/`;
}

/** Characters with a meaning in an address must be percent-encoded in user name and password. */
function isSmtpUrl(value: string): boolean {
  const parsed = URL.canParse(value) ? new URL(value) : null;
  if (!parsed || !/^smtps?:$/.test(parsed.protocol) || parsed.hostname === "") return false;
  if (!isDecodable(parsed.username + parsed.password)) return false;
  return /^\/?$/.test(parsed.pathname) && parsed.search === "" && parsed.hash === "";
}

/** Whether pg can decode an address. It takes a % without two digits for itself. */
function isEncoded(value: string): boolean {
  const { username = "", password = "", pathname = "" } = parseUrl(value) ?? {};
  return isDecodable([username, password, pathname].join("/").replace(/%(?![0-9a-f]{2})/gi, "%25"));
}

function isDecodable(value: string): boolean {
  try {
    decodeURIComponent(value);
    return true;
  } catch {
    return false;
  }
}

function parseUrl(value: string): URL | null {
  // PostgreSQL writes a Unix socket as user:password@/name?host=/folder, but URL needs a host.
  const withHost = value.replace("@/", "@localhost/");
  return URL.canParse(withHost) ? new URL(withHost) : null;
}

function quote(value: string): string {
  const open = value.replace(/\/\/[^/?#]*@/, "//…@");
  return JSON.stringify(open.length > 100 ? `${open.slice(0, 100)}…` : open);
}
