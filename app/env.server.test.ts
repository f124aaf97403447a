import path from "node:path";
import { describe, expect, it } from "vitest";
import { EnvironmentError, readEnvironment } from "./env.server";

describe("readEnvironment", () => {
  it("needs nothing and fills in the embedded defaults", () => {
    expect(readEnvironment({})).toEqual({
      port: 5000,
      host: "localhost",
      appOrigin: "http://localhost:5000",
      databaseUrl: null,
      databaseDirectUrl: null,
      databaseReplicaUrl: null,
      databasePooling: "session",
      dataVolume: false,
      dataDir: path.resolve(".data"),
      appSecret: null,
      adminEmail: "admin@example.com",
      adminPassword: null,
      sampleData: true,
      timeZone: null,
      smartvendUrl: null,
      smartvendApiKey: null,
      smtpUrl: null,
      mailFrom: "promo-console@localhost",
      allowSignup: null,
      drainSeconds: 0,
      demoPages: "on",
      maxCodes: null,
      qrPayload: "{code}",
      mapsKey: null,
      require2fa: null,
      metricsToken: null,
      webhookPrivate: false,
      trustProxy: 0,
    });
  });

  it.each([
    ["https://promo.example.com:8443", "promo.example.com"],
    ["http://[2001:db8::1]:5000", "[IPv6:2001:db8::1]"],
    ["http://192.0.2.1:5000", "[192.0.2.1]"],
  ])("sends mails from an address that mail servers accept at %s", (APP_ORIGIN, domain) => {
    expect(readEnvironment({ APP_ORIGIN })).toMatchObject({ mailFrom: `promo-console@${domain}` });
  });

  it("turns sample data and the demo off beside an existing database", () => {
    const read = readEnvironment({
      DATABASE_URL: "postgresql://promo:50%off%C3%A4@/promo?host=/run/postgresql",
      APP_SECRET: "x".repeat(32),
    });
    expect(read).toMatchObject({ sampleData: false, demoPages: "off" });
  });

  it("takes an empty value for an absent one, as compose files write it", () => {
    expect(readEnvironment({ PORT: "", DATABASE_URL: " " })).toMatchObject({
      port: 5000,
      databaseUrl: null,
    });
  });

  it("takes the password of the admin with the spaces at its ends, and without the end of its line", () => {
    const ADMIN_PASSWORD = " correct horse battery ";
    for (const end of ["", "\n", "\r\n"])
      expect(readEnvironment({ ADMIN_PASSWORD: ADMIN_PASSWORD + end })).toMatchObject({
        adminPassword: ADMIN_PASSWORD,
      });
  });

  it("makes the default origin from the port", () => {
    expect(readEnvironment({ PORT: "8080" }).appOrigin).toBe("http://localhost:8080");
    expect(readEnvironment({ APP_ORIGIN: "https://promo.example.com/" }).appOrigin).toBe(
      "https://promo.example.com",
    );
  });

  it.each([
    ["PORT=http", "must be a whole number from 0 to 65535"],
    ["PORT=65536", "must be a whole number from 0 to 65535"],
    ["PORT=-1", "must be a whole number from 0 to 65535"],
    ["HOST=not a host", "must be a host name or an IP address"],
    [
      "APP_ORIGIN=https://promo.example.com/console",
      "must be an http or https origin without a path, such as https://promo.example.com",
    ],
    [
      "APP_ORIGIN=promo.example.com",
      "must be an http or https origin without a path, such as https://promo.example.com",
    ],
    ["ADMIN_EMAIL=admin", "must be an email address"],
    ["ADMIN_EMAIL=admin@example..com", "must be an email address"],
    ["SAMPLE_DATA=yes", "must be 0 or 1"],
    ["TIME_ZONE=Europe/Atlantis", "must be an IANA time zone such as Europe/Berlin"],
    ["TIME_ZONE=+01:00", "must be an IANA time zone such as Europe/Berlin"],
    ["SMARTVEND_URL=ftp://vend", "must be an http or https address"],
    [
      "MAIL_FROM=nobody",
      "must be an email address, or a name and an address: Promo Console <promo@example.com>",
    ],
    ["ALLOW_SIGNUP=true", "must be 0 or 1"],
    ["DEMO_PAGES=on", "must be 0 or 1 or sample"],
    ["MAX_CODES=0", "must be a whole number from 1 to 1000000"],
    [
      "QR_PAYLOAD=HTTPS://EXAMPLE.COM/R/",
      "must contain {code} once and be at most 500 characters long",
    ],
    ["TRUST_PROXY=true", "must be a whole number from 0 to 10"],
  ])("refuses %s with one sentence", (assignment, rule) => {
    const [name = "", value = ""] = assignment.split(/=(.*)/);
    const message = `${name} is ${JSON.stringify(value)}, but it ${rule}.`;
    expect(() => readEnvironment({ [name]: value })).toThrow(new EnvironmentError(message));
  });

  const smtpRule = "SMTP_URL must be an address such as smtp://user:password@host:587.";
  const encodingRule =
    "DATABASE_URL has a % in its user name, password or database that encodes no character: write %25 for it.";
  const passwordRule = "ADMIN_PASSWORD must be 12 to 128 characters long.";
  it.each([
    [
      "DATABASE_URL=mysql://u:hunter2hunter2@db/x",
      "DATABASE_URL must be a PostgreSQL address such as postgresql://user:password@host:5432/database.",
    ],
    [
      "DATABASE_REPLICA_URL=mysql://u:hunter2hunter2@db/x",
      "DATABASE_REPLICA_URL must be the PostgreSQL address of a streaming replica of the database.",
    ],
    ...["postgresql://u:hunter2%ff@db/x", "postgresql://u:hunter2@db/%c3%28"].map(
      (url) => [`DATABASE_URL=${url}`, encodingRule] as const,
    ),
    ["APP_SECRET=short-and-secret", "APP_SECRET must be at least 32 bytes long."],
    ["ADMIN_PASSWORD=hunter2", passwordRule],
    ["ADMIN_PASSWORD=🦩🦩🦩🦩🦩🦩", passwordRule],
    [`ADMIN_PASSWORD=${"x".repeat(129)}`, passwordRule],
    [
      "ADMIN_PASSWORD=Admin@Example.com",
      "ADMIN_PASSWORD must not be the email address of the admin.",
    ],
    ["SMARTVEND_URL=http://vend", "SMARTVEND_API_KEY must be given together with SMARTVEND_URL."],
    [
      "SMARTVEND_URL=http://u:hunter2@vend",
      'SMARTVEND_URL is "http://…@vend", but it must not hold a user name or a password: the key goes into SMARTVEND_API_KEY.',
    ],
    ...["http://u:hunter2@mail", "smtp://u:hunter2@", "smtp://u:%zz@mail", "smtp://mail/path"].map(
      (url) => [`SMTP_URL=${url}`, smtpRule] as const,
    ),
    ["SMTP_URL=smtps://mail?pool=1", smtpRule],
    ["SMTP_URL=mail", smtpRule],
    ["METRICS_TOKEN=fifteen-letters", "METRICS_TOKEN must be at least 16 characters long."],
  ] as const)("refuses %s without repeating a secret", (assignment, message) => {
    const [name = "", value = ""] = assignment.split(/=(.*)/);
    expect(() => readEnvironment({ [name]: value })).toThrow(new EnvironmentError(message));
  });

  it("asks for APP_SECRET beside DATABASE_URL", () => {
    expect(() => readEnvironment({ DATABASE_URL: "postgresql://db/promo" })).toThrow(
      "APP_SECRET must be given together with DATABASE_URL, and be at least 32 bytes long.",
    );
  });

  it.each([
    [
      { DATABASE_POOLING: "statement" },
      'DATABASE_POOLING is "statement", but it must be session or transaction.',
    ],
    [
      { DATABASE_POOLING: "transaction" },
      "DATABASE_URL must be given together with DATABASE_POOLING.",
    ],
    [
      { DATABASE_DIRECT_URL: "postgresql://db/promo" },
      "DATABASE_URL must be given together with DATABASE_DIRECT_URL.",
    ],
    [
      { DATABASE_REPLICA_URL: "postgresql://replica/promo" },
      "DATABASE_URL must be given together with DATABASE_REPLICA_URL.",
    ],
    [
      { DATABASE_URL: "postgresql://db/promo", DATABASE_REPLICA_URL: "postgresql://db/promo" },
      "DATABASE_REPLICA_URL must be the address of another server than DATABASE_URL.",
    ],
    [
      { DATABASE_URL: "postgresql://pooler/promo", DATABASE_POOLING: "transaction" },
      "DATABASE_DIRECT_URL must be given together with DATABASE_POOLING=transaction: migrations and backups need a session, so it is the address of the database itself.",
    ],
  ])("says what %j lacks", (variables, message) => {
    const read = () => readEnvironment({ APP_SECRET: "x".repeat(32), ...variables });
    expect(read).toThrow(new EnvironmentError(message));
  });

  it("holds sessions on the database itself where a pooler stands before it", () => {
    const variables = { APP_SECRET: "x".repeat(32), DATABASE_URL: "postgresql://pooler/promo" };
    const direct = "postgresql://db/promo";
    const behindPooler = { DATABASE_POOLING: "transaction", DATABASE_DIRECT_URL: direct };
    expect(readEnvironment(variables)).toMatchObject({
      databaseDirectUrl: variables.DATABASE_URL,
      databasePooling: "session",
    });
    expect(readEnvironment({ ...variables, ...behindPooler })).toMatchObject({
      databaseDirectUrl: direct,
      databasePooling: "transaction",
    });
  });

  it("names every wrong value, one a line", () => {
    const read = () => readEnvironment({ PORT: "x", MAX_CODES: "many" });
    expect(read).toThrow(/^PORT .*\.\nMAX_CODES .*\.$/);
  });

  it("accepts every documented value", () => {
    expect(
      readEnvironment({
        PORT: "0",
        HOST: "::1",
        DATA_VOLUME: "1",
        DEMO_PAGES: "sample",
        WEBHOOK_PRIVATE: "1",
        ALLOW_SIGNUP: "1",
        SAMPLE_DATA: "0",
        TIME_ZONE: "America/Santiago",
        MAIL_FROM: "Promo Console <promo@example.com>",
        SMTP_URL: "smtps://user:password@mail.example.com:465",
        QR_PAYLOAD: "HTTPS://EXAMPLE.COM/R/{code}",
        TRUST_PROXY: "1",
      }),
    ).toMatchObject({
      port: 0,
      host: "::1",
      dataVolume: true,
      demoPages: "sample",
      webhookPrivate: true,
      allowSignup: true,
      trustProxy: 1,
    });
  });
});
