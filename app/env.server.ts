import path from "node:path";
import * as z from "zod";

/** A variable of the environment can't be used; the message consists of whole sentences. */
export class EnvironmentError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "EnvironmentError";
  }
}

/** Everything an operator can set, checked and with its defaults filled in. */
export type Environment = {
  /** 0 lets the system choose a free one. */
  port: number;
  host: string;
  /** Without a path or a slash at the end. */
  appOrigin: string;
  /** null: the embedded database. */
  databaseUrl: string | null;
  /** Absolute. */
  dataDir: string;
  /** null: created once and kept in the data folder. */
  appSecret: string | null;
  adminEmail: string;
  /** null: a random one, printed once. */
  adminPassword: string | null;
  sampleData: boolean;
  /** IANA name; null: the one kept in the database, at first the system's. */
  timeZone: string | null;
  /** null: the built-in sample platform. */
  smartvendUrl: string | null;
  smartvendApiKey: string | null;
  /** null: mails are written to the data folder and the terminal. */
  smtpUrl: string | null;
  mailFrom: string | null;
  allowSignup: boolean;
  /** `sample`: the demo's product screens run on sample products, read-only. */
  demoPages: "off" | "on" | "sample";
  /** The maximum number of codes of one mass generation. */
  maxCodes: number;
  /** The content of a QR code; `{code}` stands for the 12 characters. */
  qrPayload: string;
  mapsKey: string | null;
  /** The number of trusted proxies in front. */
  trustProxy: number;
};

const secretNames = new Set([
  "APP_SECRET",
  "ADMIN_PASSWORD",
  "DATABASE_URL",
  "SMARTVEND_API_KEY",
  "SMTP_URL",
  "MAPS_KEY",
]);

const wholeNumber = (from: number, to: number) =>
  z
    .string()
    .refine(
      (text) => /^\d{1,9}$/.test(text) && Number(text) >= from && Number(text) <= to,
      `must be a whole number from ${from} to ${to}`,
    )
    .transform(Number);

const oneOf = <const Word extends string>(...words: Word[]) =>
  z.enum(words, { error: `must be ${words.join(" or ")}` });

const url = (protocols: string[], hint: string) =>
  z.string().refine((text) => protocols.includes(parseUrl(text)?.protocol ?? ""), hint);

const schema = z.object({
  PORT: wholeNumber(0, 65_535).optional(),
  HOST: z
    .string()
    .regex(/^[A-Za-z0-9._:-]{1,253}$/, "must be a host name or an IP address")
    .optional(),
  APP_ORIGIN: z
    .string()
    .refine(
      isOrigin,
      "must be an http or https origin without a path, such as https://promo.example.com",
    )
    .transform((text) => new URL(text).origin)
    .optional(),
  DATABASE_URL: url(
    ["postgres:", "postgresql:"],
    "must be a PostgreSQL address such as postgresql://user:password@host:5432/database",
  ).optional(),
  DATA_DIR: z
    .string()
    .refine((text) => !text.includes("\0") && text.length <= 1_000, "must be the path of a folder")
    .optional(),
  APP_SECRET: z
    .string()
    .refine((text) => Buffer.byteLength(text) >= 32, "must be at least 32 bytes long")
    .optional(),
  ADMIN_EMAIL: z
    .string()
    .max(254, "must be an email address")
    .regex(/^[^\s@]+@[^\s@]+\.[^\s@]+$/, "must be an email address")
    .transform((text) => text.toLowerCase())
    .optional(),
  ADMIN_PASSWORD: z
    .string()
    .refine((text) => text.length >= 12 && text.length <= 128, "must be 12 to 128 characters long")
    .optional(),
  SAMPLE_DATA: oneOf("0", "1").optional(),
  TIME_ZONE: z
    .string()
    .refine(isTimeZone, "must be an IANA time zone such as Europe/Berlin")
    .optional(),
  SMARTVEND_URL: url(["http:", "https:"], "must be an http or https address")
    .refine(
      (text) => !/^\w+:\/\/[^/?#]*@/.test(text),
      "must not hold a user name or a password: the key goes into SMARTVEND_API_KEY",
    )
    .optional(),
  SMARTVEND_API_KEY: z
    .string()
    .regex(/^[\x21-\x7e]{1,1000}$/, "must be printable characters without spaces")
    .optional(),
  SMTP_URL: url(
    ["smtp:", "smtps:"],
    "must be an address such as smtp://user:password@host:587",
  ).optional(),
  MAIL_FROM: z
    .string()
    .regex(
      /^([^\r\n<>]{1,200} ?<[^\s@<>]+@[^\s@<>]+>|[^\s@<>]+@[^\s@<>]+)$/,
      "must be an email address, or a name and an address: Promo Console <promo@example.com>",
    )
    .optional(),
  ALLOW_SIGNUP: oneOf("0", "1").optional(),
  DEMO_PAGES: oneOf("0", "1", "sample").optional(),
  MAX_CODES: wholeNumber(1, 1_000_000).optional(),
  QR_PAYLOAD: z
    .string()
    .refine(
      (text) => text.split("{code}").length === 2 && text.length <= 500,
      "must contain {code} once and be at most 500 characters long",
    )
    .optional(),
  MAPS_KEY: z
    .string()
    .regex(/^[\x21-\x7e]{1,1000}$/, "must be printable characters without spaces")
    .optional(),
  TRUST_PROXY: wholeNumber(0, 10).optional(),
});

/**
 * Checks every environment variable and fills in the defaults. An empty value counts as absent.
 * @throws EnvironmentError with one sentence for each wrong value
 */
export function readEnvironment(source: Record<string, string | undefined>): Environment {
  const given: Record<string, string> = {};
  for (const name of Object.keys(schema.shape)) {
    const value = source[name]?.trim();
    if (value) given[name] = value;
  }

  const result = schema.safeParse(given);
  if (!result.success) {
    const sentences = new Map<string, string>();
    for (const issue of result.error.issues) {
      const name = String(issue.path[0]);
      const shown = secretNames.has(name) ? "" : ` is ${quote(given[name] ?? "")}, but it`;
      if (!sentences.has(name)) sentences.set(name, `${name}${shown} ${issue.message}.`);
    }
    throw new EnvironmentError([...sentences.values()].join("\n"));
  }

  const values = result.data;
  const isEmbedded = values.DATABASE_URL === undefined;
  if (!isEmbedded && values.APP_SECRET === undefined) {
    throw new EnvironmentError(
      "APP_SECRET must be given together with DATABASE_URL, and be at least 32 bytes long.",
    );
  }
  if (values.SMARTVEND_URL !== undefined && values.SMARTVEND_API_KEY === undefined) {
    throw new EnvironmentError("SMARTVEND_API_KEY must be given together with SMARTVEND_URL.");
  }
  if (values.ADMIN_PASSWORD?.toLowerCase() === (values.ADMIN_EMAIL ?? "admin@example.com")) {
    throw new EnvironmentError("ADMIN_PASSWORD must not be the email address of the admin.");
  }

  const port = values.PORT ?? 5000;
  const demoPages = values.DEMO_PAGES ?? (isEmbedded ? "1" : "0");
  return {
    port,
    host: values.HOST ?? "localhost",
    appOrigin: values.APP_ORIGIN ?? `http://localhost:${port}`,
    databaseUrl: values.DATABASE_URL ?? null,
    dataDir: path.resolve(values.DATA_DIR ?? ".data"),
    appSecret: values.APP_SECRET ?? null,
    adminEmail: values.ADMIN_EMAIL ?? "admin@example.com",
    adminPassword: values.ADMIN_PASSWORD ?? null,
    sampleData: (values.SAMPLE_DATA ?? (isEmbedded ? "1" : "0")) === "1",
    timeZone: values.TIME_ZONE ?? null,
    smartvendUrl: values.SMARTVEND_URL ?? null,
    smartvendApiKey: values.SMARTVEND_API_KEY ?? null,
    smtpUrl: values.SMTP_URL ?? null,
    mailFrom: values.MAIL_FROM ?? null,
    allowSignup: values.ALLOW_SIGNUP === "1",
    demoPages: demoPages === "sample" ? "sample" : demoPages === "1" ? "on" : "off",
    maxCodes: values.MAX_CODES ?? 100_000,
    qrPayload: values.QR_PAYLOAD ?? "{code}",
    mapsKey: values.MAPS_KEY ?? null,
    trustProxy: values.TRUST_PROXY ?? 0,
  };
}

let current: Environment | undefined;

/** Returns the environment of this process, which is read once. */
export function environment(): Environment {
  return (current ??= readEnvironment(process.env));
}

/** Stores the port that the system chose for PORT=0, and updates an origin that contains it. */
export function rememberPort(port: number): void {
  const before = environment();
  const hasOwnOrigin = before.appOrigin !== `http://localhost:${before.port}`;
  current = {
    ...before,
    port,
    appOrigin: hasOwnOrigin ? before.appOrigin : `http://localhost:${port}`,
  };
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

function isOrigin(text: string): boolean {
  const parsed = parseUrl(text);
  return (
    parsed !== null &&
    (parsed.protocol === "http:" || parsed.protocol === "https:") &&
    parsed.pathname === "/" &&
    parsed.search === "" &&
    parsed.hash === "" &&
    parsed.username === "" &&
    parsed.password === ""
  );
}

function parseUrl(text: string): URL | null {
  try {
    // PostgreSQL writes a Unix socket as user:password@/name?host=/folder, but URL needs a host.
    return new URL(text.replace("@/", "@localhost/"));
  } catch {
    return null;
  }
}

function quote(value: string): string {
  const open = value.replace(/\/\/[^/?#]*@/, "//…@");
  const shown = open.length > 100 ? `${open.slice(0, 100)}…` : open;
  return JSON.stringify(shown);
}
