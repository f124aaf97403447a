import { randomUUID } from "node:crypto";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { db } from "../../app/db/connection.server";
import { claimJobs, settleJobs } from "../../app/db/job-claims.server";
import { listJobs } from "../../app/features/jobs/jobs.server";
import { listFailedMails } from "../../app/features/mail/failed-mails.server";
import { mailJobs } from "../../app/features/mail/mail-jobs.server";
import {
  countOpenMails,
  enqueueMail,
  sendMailNow,
  type NewMail,
} from "../../app/features/mail/outbox.server";
import { smtpTransport } from "../../app/services/mail/smtp-transport.server";
import { useActor } from "../support/actor";
import { freePort } from "../support/free-port";
import { keepCollecting } from "../support/garbage";
import { deliverDueMails } from "../support/mailbox";
import { useDatabase } from "../support/postgres";
import { bodyOf, headerOf, smtpError, startSmtp } from "../support/smtp";

useDatabase();
const { options } = useActor();
beforeEach(async () => {
  await db()("outbox").delete();
});

const timeouts = { connect: 5_000, silence: 5_000, attempt: 5_000 };
const mailFrom = "Promo Console <promo@example.com>";
const transportTo = (smtpUrl: string, limits: Partial<typeof timeouts> = {}) =>
  smtpTransport({ smtpUrl, mailFrom, timeouts: { ...timeouts, ...limits } });

const jobs = mailJobs(
  { send: () => Promise.reject(new Error("nothing is sent")) },
  { shared_code: () => Promise.reject(new Error("nothing is shared")) },
);
const claimDueMail = async () => (await claimJobs(jobs))[0] ?? null;
type Claimed = NonNullable<Awaited<ReturnType<typeof claimDueMail>>>;
const markSent = (mail: Claimed) =>
  settleJobs(jobs, [{ job: mail, outcome: { state: "done", result: {} } }]);

const enqueue = (mail: Partial<NewMail> = {}) =>
  enqueueMail(db(), {
    template: "test",
    data: { askedBy: "ada@example.com" },
    recipient: "boss@example.com",
    dedupKey: randomUUID(),
    ...mail,
  } as NewMail);

const enqueueLink = (path: string) =>
  enqueue({
    template: "password_reset",
    data: { minutes: 10, isKnown: true },
    link: { path, validMinutes: 10 },
  });

type Row = {
  id: string;
  state: string;
  attempts: number;
  last_error: string | null;
  link: Buffer | null;
  waits: number;
};
/** The mails in order, with the time until their next attempt in minutes. */
const rows = (): Promise<Row[]> =>
  db()("outbox")
    .select(
      "id",
      "state",
      "attempts",
      "last_error",
      "link",
      db().raw("extract(epoch from next_attempt_at - now())::float / 60 as waits"),
    )
    .orderBy("id");
const makeDue = () => db()("outbox").update({ next_attempt_at: db().raw("now()") });

describe("a mail in the outbox", () => {
  it("is sent once, as text and HTML, and listed as sent", async () => {
    const smtp = await startSmtp();
    await enqueue();
    await deliverDueMails(transportTo(smtp.url));
    await deliverDueMails(transportTo(smtp.url));
    expect(smtp.received).toHaveLength(1);
    const [mail] = smtp.received;
    expect(mail).toMatchObject({ from: "promo@example.com", recipients: ["boss@example.com"] });
    expect(headerOf(mail!, "Subject")).toBe("Test mail from Promo Console");
    expect(headerOf(mail!, "From")).toBe(mailFrom);
    expect(headerOf(mail!, "To")).toBe("boss@example.com");
    expect(headerOf(mail!, "Message-ID")).toMatch(/^<[0-9a-f-]{36}@example\.com>$/);
    expect(headerOf(mail!, "Auto-Submitted")).toBe("auto-generated");
    const body = bodyOf(mail!);
    expect(body).toContain("because ada@example.com asked for a test.");
    expect(body).toContain("<p>This mail was sent because ada@example.com asked for a test.</p>");
    const { rows, total } = await listJobs({ page: 1, perPage: 25, state: "done", kind: "mail" });
    expect(total).toBe(1);
    expect(rows[0]).toMatchObject({ subject: "boss@example.com", lastError: null });
  });

  it("brings its CSV files along, which the outbox drops once they are sent", async () => {
    const smtp = await startSmtp();
    const content = "\ufeffName,Redeemed\r\nSummer,3\r\n";
    await enqueue({
      template: "report",
      data: {
        title: "Daily report",
        period: "21.11.2026",
        tables: [],
        notes: [],
        path: "/",
        reason: "x",
        attachments: [{ name: "machines-2026-11-21.csv", content }],
      },
    });
    await deliverDueMails(transportTo(smtp.url));
    const { raw } = smtp.received[0]!;
    expect(raw).toMatch(/Content-Type: text\/csv; charset=utf-8;\s+name=machines-2026-11-21.csv/);
    expect(raw).toContain(Buffer.from(content).toString("base64"));
    const [{ data }] = await db()("outbox").select("data");
    expect(data).not.toHaveProperty("attachments");
  });

  it("is not there when its transaction is rolled back", async () => {
    await expect(
      db().transaction(async (trx) => {
        await enqueueMail(trx, {
          template: "test",
          data: { askedBy: "x" },
          recipient: "boss@example.com",
          dedupKey: "a",
        });
        throw new Error("undone");
      }),
    ).rejects.toThrow("undone");
    expect(await rows()).toEqual([]);
  });

  it("is added once for each deduplication key", async () => {
    await enqueue({ dedupKey: "daily 2026-11-22" });
    await enqueue({ dedupKey: "daily 2026-11-22" });
    await enqueue({ dedupKey: "daily 2026-11-23" });
    expect(await rows()).toHaveLength(2);
  });

  it.each([
    "boss@example.com\r\nBcc: x@example.com",
    "boss@example.com, x@example.com",
    "<boss@example.com> x",
    '"a b"@example.com',
    "boss",
    "boss@localhost",
    `${"a".repeat(250)}@example.com`,
    "",
  ])("is rejected for the address %j", async (recipient) => {
    await expect(enqueue({ recipient })).rejects.toMatchObject({ reason: "invalid" });
    expect(await rows()).toEqual([]);
  });

  it("adds no header and no recipient, whatever its data say", async () => {
    const smtp = await startSmtp();
    await enqueue({
      data: { askedBy: "a\r\nBcc: x@example.com\r\n\r\n<script>alert(1)</script>" },
    });
    await deliverDueMails(transportTo(smtp.url));
    const [mail] = smtp.received;
    expect(mail!.recipients).toEqual(["boss@example.com"]);
    expect(headerOf(mail!, "Bcc")).toBeUndefined();
    expect(bodyOf(mail!).split("text/html")[1]).not.toContain("<script>");
  });
});

it("leaves a notice to the later release that has added its kind", async () => {
  await enqueue({ template: "account_notice", data: { kind: "later" } } as object);
  await deliverDueMails(transportTo("smtp://127.0.0.1:1"));
  expect(await rows()).toMatchObject([
    {
      state: "pending",
      attempts: 1,
      last_error:
        "This release does not know this kind of mail. An instance of a later release will send it.",
    },
  ]);
});

describe("the mail server", () => {
  it("is down: the mail waits for a minute, then for two, and arrives later", async () => {
    const nowhere = transportTo(`smtp://127.0.0.1:${await freePort()}`);
    await enqueue();
    await deliverDueMails(nowhere);
    const [first] = await rows();
    expect(first).toMatchObject({ state: "pending", attempts: 1 });
    expect(first!.last_error).toMatch(/^The mail server can't be reached: .*ECONNREFUSED/);
    expect(first!.waits).toBeGreaterThan(0.9);
    expect(first!.waits).toBeLessThan(1.2);
    await makeDue();
    await deliverDueMails(nowhere);
    expect((await rows())[0]!.waits).toBeGreaterThan(1.9);
    await makeDue();
    const smtp = await startSmtp();
    await deliverDueMails(transportTo(smtp.url));
    expect(smtp.received).toHaveLength(1);
    expect(await countOpenMails()).toEqual({ pending: 0, failed: 0 });
  });

  it("is down: the back-off ends at 6 hours, and the mail is given up after 5 days", async () => {
    const nowhere = transportTo(`smtp://127.0.0.1:${await freePort()}`);
    await enqueue();
    await db()("outbox").update({ attempts: 30 });
    await deliverDueMails(nowhere);
    expect((await rows())[0]!.waits).toBeGreaterThan(359);
    expect((await rows())[0]!.waits).toBeLessThan(400);
    await db()("outbox").update({ give_up_at: db().raw("now()") });
    await makeDue();
    await deliverDueMails(nowhere);
    const [mail] = await rows();
    expect(mail!.state).toBe("failed");
    expect(mail!.last_error).toMatch(/ECONNREFUSED.*\. Given up after 5 days\.$/);
  });

  it.each([
    { silence: 50, attempt: 120_000 },
    { silence: 120_000, attempt: 300 },
  ])("hangs: the attempt ends, and other work is not held up (%o)", async (limits) => {
    const smtp = await startSmtp({ onRecipient: () => {} });
    for (let at = 0; at < 5; at++) await enqueue();
    keepCollecting();
    await deliverDueMails(transportTo(smtp.url, limits));
    const mails = await rows();
    expect(mails.map(({ state }) => state)).toEqual(Array(5).fill("pending"));
    // No more than the three that were on their way: the others are tried in a later turn.
    expect(mails.filter(({ attempts }) => attempts > 0)).toHaveLength(3);
    expect(mails.find(({ attempts }) => attempts > 0)!.last_error).toBe(
      "The mail server takes too long to answer.",
    );
  });

  it("rejects one recipient for good: that mail fails at once, the others arrive", async () => {
    const smtp = await startSmtp({
      onRecipient: (address, answer) =>
        answer(address.startsWith("gone") ? smtpError(550, "No such\tuser") : null),
    });
    await enqueue({ recipient: "gone@example.com" });
    await enqueue();
    await deliverDueMails(transportTo(smtp.url));
    expect(smtp.received.map(({ recipients }) => recipients)).toEqual([["boss@example.com"]]);
    const [gone] = await rows();
    expect(gone).toMatchObject({ state: "failed", attempts: 1 });
    expect(gone!.last_error).toBe("The mail server refused the recipient: 550 No such user.");
  });

  it("puts a mail off, as greylisting does: it arrives with the next attempt", async () => {
    let isKnown = false;
    const smtp = await startSmtp({
      onRecipient: (_address, answer) => answer(isKnown ? null : smtpError(451, "Try later")),
    });
    await enqueue();
    await deliverDueMails(transportTo(smtp.url));
    const [mail] = await rows();
    expect(mail).toMatchObject({ state: "pending", attempts: 1 });
    expect(mail!.last_error).toBe("The mail server put off the recipient: 451 Try later.");
    isKnown = true;
    await makeDue();
    await deliverDueMails(transportTo(smtp.url));
    expect(smtp.received).toHaveLength(1);
  });

  it("drops the connection after DATA: the mail is repeated with the same Message-ID", async () => {
    const seen: (string | undefined)[] = [];
    const smtp = await startSmtp({
      onMail(mail, answer, drop) {
        seen.push(headerOf(mail, "Message-ID"));
        if (seen.length === 1) drop();
        else answer();
      },
    });
    await enqueue();
    await deliverDueMails(transportTo(smtp.url));
    expect((await rows())[0]).toMatchObject({ state: "pending", attempts: 1 });
    await makeDue();
    await deliverDueMails(transportTo(smtp.url));
    expect(smtp.received).toHaveLength(1);
    expect(seen).toHaveLength(2);
    expect(seen[1]).toBe(seen[0]);
  });

  it("refuses the sign-in: nothing fails, and the reason has no password", async () => {
    const smtp = await startSmtp({
      options: {
        authOptional: false,
        onAuth: (_auth, _session, answer) => answer(smtpError(535, "Wrong password")),
      },
    });
    await enqueue();
    await deliverDueMails(transportTo(smtp.url.replace("//", "//user:s%40cret@")));
    const [mail] = await rows();
    expect(mail!.state).toBe("pending");
    expect(mail!.last_error).toMatch(/^The mail server refused the sign-in: 535/);
    expect(mail!.last_error).not.toContain("s@cret");
  });
});

it("breaks off what is on its way to the server at a stop, and is due again at once", async () => {
  const smtp = await startSmtp({ onRecipient: () => {} });
  await enqueue();
  const [stopping, breaking] = [new AbortController(), new AbortController()];
  const running = deliverDueMails(transportTo(smtp.url), {
    stopping: stopping.signal,
    breaking: breaking.signal,
  });
  await vi.waitFor(() => expect(smtp.connectionCount()).toBe(1));
  stopping.abort();
  breaking.abort();
  await running;
  expect((await rows())[0]).toMatchObject({ state: "pending", attempts: 0, last_error: null });
  expect(await claimDueMail()).not.toBeNull();
});

describe("a link in a mail", () => {
  const secret = "/password-reset?token=vql_canary";

  it("reaches the recipient, and is nowhere in the database, before or after", async () => {
    const smtp = await startSmtp();
    await enqueueLink(secret);
    const dump = async () => JSON.stringify(await db()("outbox").select());
    const [{ link }] = (await rows()) as [Row];
    expect(link).not.toBeNull();
    expect(await dump()).not.toContain("canary");
    expect(link!.toString("latin1")).not.toContain("canary");
    await deliverDueMails(transportTo(smtp.url));
    expect(bodyOf(smtp.received[0]!)).toContain(`http://localhost:5000${secret}`);
    expect(await dump()).not.toContain("canary");
    expect((await rows())[0]!.link).toBeNull();
  });

  it("that can't be decrypted, as under another row, waits and reaches the recipient once it can be", async () => {
    const smtp = await startSmtp();
    await enqueueLink(secret);
    const { message_id } = await db()("outbox").first<{ message_id: string }>("message_id");
    await db()("outbox").update({ message_id: randomUUID() });
    await deliverDueMails(transportTo(smtp.url));
    expect(smtp.received).toEqual([]);
    expect((await rows())[0]).toMatchObject({
      state: "pending",
      last_error: "Its link can't be decrypted, because APP_SECRET has changed.",
    });
    await db()("outbox").update({ message_id });
    await makeDue();
    await deliverDueMails(transportTo(smtp.url));
    expect(bodyOf(smtp.received[0]!)).toContain(secret);
  });

  it("expires: it is erased, and the mail can't be sent again", async () => {
    const smtp = await startSmtp();
    await enqueueLink(secret);
    await db()("outbox").update({
      link_expires_at: db().raw("now()"),
      give_up_at: db().raw("now()"),
    });
    await deliverDueMails(transportTo(smtp.url));
    expect(smtp.received).toEqual([]);
    const [mail] = await rows();
    expect(mail).toMatchObject({
      state: "failed",
      link: null,
      last_error: "Given up: its link has expired.",
    });
    await expect(sendMailNow(mail!.id, options())).rejects.toMatchObject({ reason: "conflict" });
  });

  it("goes before other mails, because it is waited for", async () => {
    await enqueue();
    await enqueueLink(secret);
    expect((await claimDueMail())!.template).toBe("password_reset");
  });
});

describe("the notice of a failed mail", () => {
  const enqueueIn = async (state: "sent" | "failed" | "pending", mail: Partial<NewMail> = {}) => {
    const id = (await enqueue(mail))!;
    if (state !== "pending")
      await db()("outbox").where({ id }).update({ state, finished_at: db().fn.now() });
    return id;
  };
  const reportOf = (schedule: number, day: number): Partial<NewMail> => ({
    template: "report",
    dedupKey: `report ${schedule} 2026-11-${day} 0`,
  });
  const failedIds = async () => (await listFailedMails("UTC", 10)).map(({ id }) => id);

  it("stays until a later mail of its kind is sent", async () => {
    const failed = await enqueueIn("failed");
    const later = await enqueueIn("pending");
    expect(await failedIds()).toEqual([failed]);
    await db()("outbox").where({ id: later }).update({ state: "sent", finished_at: db().fn.now() });
    expect(await failedIds()).toEqual([]);
  });

  it("is the one of the latest mail of its kind that failed", async () => {
    await enqueueIn("failed");
    const latest = await enqueueIn("failed");
    expect(await failedIds()).toEqual([latest]);
  });

  it("stays after a report of another schedule to the same address", async () => {
    const monthly = await enqueueIn("failed", reportOf(1, 10));
    await enqueueIn("sent", reportOf(2, 11));
    expect(await failedIds()).toEqual([monthly]);
    await enqueueIn("sent", reportOf(1, 12));
    expect(await failedIds()).toEqual([]);
  });

  it("of a report as a test stays after a test of another schedule", async () => {
    const test = (schedule: number): Partial<NewMail> => ({
      template: "report",
      dedupKey: `report test ${schedule} 3 ${randomUUID()}`,
    });
    const first = await enqueueIn("failed", test(1));
    await enqueueIn("sent", test(2));
    expect(await failedIds()).toEqual([first]);
    await enqueueIn("sent", reportOf(1, 12));
    expect(await failedIds()).toEqual([]);
  });
});

describe("sending again", () => {
  it("makes a failed mail due, once, and is audited", async () => {
    await enqueue();
    const [{ id }] = (await rows()) as [Row];
    await db()("outbox").update({ state: "failed", finished_at: db().fn.now(), attempts: 7 });
    expect(await sendMailNow(id, options())).toEqual({ changed: true });
    expect(await sendMailNow(id, options())).toEqual({ changed: false });
    expect((await rows())[0]).toMatchObject({ state: "pending", attempts: 0 });
    const entries = await db()("audit_log").where({ action: "mail.sent_again", subject_id: id });
    expect(entries).toMatchObject([{ details: { recipient: "boss@example.com" } }]);
  });

  it("rejects a mail that was sent, and one that does not exist", async () => {
    await enqueue();
    const [{ id }] = (await rows()) as [Row];
    await markSent((await claimDueMail())!);
    await expect(sendMailNow(id, options())).rejects.toMatchObject({ reason: "conflict" });
    await expect(sendMailNow("999999", options())).rejects.toMatchObject({ reason: "not_found" });
    await expect(sendMailNow("x", options())).rejects.toMatchObject({ reason: "not_found" });
  });
});
