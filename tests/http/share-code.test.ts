import { randomUUID } from "node:crypto";
import * as fs from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { db } from "../../app/db/connection.server";
import { noCaps } from "../../app/features/caps/cap";
import { editCaps } from "../../app/features/caps/caps.server";
import { mailCode } from "../../app/features/customer-page/share-code.server";
import { sharedCodeMail } from "../../app/features/customer-page/shared-code-mail.server";
import { insertMachine, insertUser } from "../factories/people-and-machines";
import { insertRedeemable } from "../factories/redemptions";
import { decodeQr } from "../support/decode-qr";
import { freePort } from "../support/free-port";
import { textOfMain } from "../support/html";
import { addUser, openSession, useServer } from "../support/server";
import { expectRejection, sessionOf, useSession } from "../support/session";
import { bodyOf, headerOf } from "../support/smtp";

/** Sharing a code: its address, a mail, which is written to a file, and a card. */
const dataDir = fs.mkdtempSync(path.join(tmpdir(), "promo-shared-codes-"));
const outbox = path.join(dataDir, "outbox");
afterAll(() => fs.rmSync(dataDir, { recursive: true, force: true }));

/** Makes a file that was written so many days before the server starts. */
function addFile(name: string, days: number): string {
  fs.mkdirSync(outbox, { recursive: true });
  fs.writeFileSync(path.join(outbox, name), "");
  const written = Date.now() / 1_000 - days * 86_400;
  fs.utimesSync(path.join(outbox, name), written, written);
  return name;
}
const addMail = (days: number, ending = "eml") =>
  addFile(`2026-10-01T12-00-00-${randomUUID()}.${ending}`, days);
addMail(30.1);
addMail(40, "eml.part");
const keptFiles = [addMail(29.9), addMail(1, "eml.part"), addFile("notes.eml", 40)];

const port = await freePort();
const payload = `HTTP://LOCALHOST:${port}/R/{code}`;
const server = useServer({
  environment: { PORT: String(port), QR_PAYLOAD: payload, DATA_DIR: dataDir },
});
const clerk = useSession(server, "clerk@example.com");
const admin = useSession(server);

const sharePath = ({ id }: { id: string }) => `/app/qr-list/${id}/share`;
const save = async (fields: Record<string, string>) =>
  (await admin.open("/app/settings")).press("Save settings", fields);
const mailsTo = (recipient: string) =>
  db()("outbox").where({ recipient }).select<{ state: string; data: object }[]>("state", "data");

/** Waits for the mail to an address, as the server has written it. */
async function mailTo(address: string) {
  const find = () =>
    fs
      .readdirSync(outbox)
      .filter((name) => name.endsWith(".eml"))
      .map((name) => fs.readFileSync(path.join(outbox, name), "latin1"))
      .find((raw) => raw.includes(`To: ${address}`));
  await expect.poll(find).toBeTruthy();
  return { raw: find()!, from: "", recipients: [address] };
}

it("deletes files of mails after 30 days, as it deletes the rows of sent mails, and no other file", async () => {
  await expect.poll(() => fs.readdirSync(outbox).sort()).toEqual(keptFiles.sort());
});

describe("the page that shares a code", () => {
  it("is reached from the code, and has no address while the page for customers is off", async () => {
    const code = await insertRedeemable();
    const page = await (await clerk.open(`/app/qr-list/${code.id}`)).follow("Share");
    expect(page.address).toBe(sharePath(code));
    expect(page.text).toContain(
      "No address yet. An admin sets up the page for customers in the settings.",
    );
    expect((await (await admin.open(page.address)).follow("settings")).address).toBe(
      "/app/settings",
    );
    await save({ customerPage: "true", customerName: "Kiosk", customerContact: "the reception" });
    const shared = await clerk.open(sharePath(code));
    expect(shared.html).toContain(`value="http://localhost:${port}/r/${code.code}"`);
    expect((await server.send(`/r/${code.code}`)).body).toContain("25% off");
  });

  it("mails a code in a language, to one address, with its QR code and the address of its page", async () => {
    const code = await insertRedeemable({ expires_at: new Date("2098-12-31T23:00:00Z") });
    const form = await clerk.open(sharePath(code));
    const refused = await form.press("Send mail", { email: "ada@", language: "de" });
    expectRejection(refused, 422, "Enter an email address, like name@example.com");
    const sent = await refused.press("Send mail", { email: "ada@example.com", language: "de" });
    expect(sent.text).toContain("The code is being mailed to ada@example.com");

    const mail = await mailTo("ada@example.com");
    expect(headerOf(mail, "Subject")).toContain("Rabatt");
    expect(headerOf(mail, "From")).toContain("Kiosk");
    const body = bodyOf(mail);
    const shown = code.code.replace(/(.{4})(?=.)/g, "$1-");
    for (const text of [
      "Kiosk sendet Ihnen einen Code",
      "25\u00a0% Rabatt",
      shown,
      "31. Dezember 2098",
      "Fragen? the reception",
      `http://localhost:${port}/r/${code.code}`,
      '<html lang="de">',
    ])
      expect(body).toContain(text);
    const png = /Content-Type: image\/png[\s\S]+?\r?\n\r?\n([\w+/=\r\n]+)/.exec(mail.raw)![1]!;
    expect(decodeQr(Buffer.from(png, "base64"))).toBe(payload.replace("{code}", code.code));
  });

  it("says in a sentence of its own that the code is not for all products", async () => {
    const { id } = await insertRedeemable();
    const caps = { ...noCaps, lowestPrice: 100 };
    await editCaps({ type: "promotion", id }, caps, 1, { actor: await insertUser() });
    const mail = await sharedCodeMail({ id, language: "en" });
    expect(mail!.paragraphs).toEqual(
      expect.arrayContaining(["25% off", "Some products are excluded or get a smaller discount."]),
    );
  });

  it("holds the id of the code in the outbox, notes the recipient in the history, and hides it from viewers", async () => {
    const { id, code } = await insertRedeemable();
    const page = await clerk.open(`/app/qr-list/${id}/share`);
    await page.press("Send mail", { email: "bob@example.com" });
    await page.press("Send mail", { email: "bob@example.com" });
    const mails = await mailsTo("bob@example.com");
    expect(mails).toEqual([{ state: expect.any(String), data: { id, language: "en" } }]);
    expect(JSON.stringify(mails)).not.toContain(code);
    expect((await clerk.open(`/app/qr-list/${id}`)).text).toContain("Recipient: bob@example.com");
    const viewer = await addUser("viewer@example.com", "viewer");
    const session = sessionOf(server, await openSession(viewer.id));
    const seen = await session.page(`/app/qr-list/${id}`);
    expect(seen).toContain("Shared");
    expect(seen).not.toMatch(/bob@|\/share"/);
    for (const rest of ["share", "card"])
      expect((await session.get(`/app/qr-list/${id}/${rest}`)).status).toBe(403);
  });

  it("stops at 20 mails a day and person, and says so in the form", async () => {
    const { id } = await insertRedeemable();
    const user = await insertUser();
    const session = sessionOf(server, await openSession(user.id));
    await db()("rate_limits").insert({
      key: `share/${user.id}`,
      points: 19,
      expire: db().raw("(extract(epoch from now()) * 1000)::bigint + 7200000"),
    });
    const send = async (email: string) =>
      (await session.open(`/app/qr-list/${id}/share`)).press("Send mail", { email });
    expect((await send("last@example.com")).status).toBe(200);
    const refused = await send("next@example.com");
    expectRejection(refused, 429, "You have mailed 20 codes within a day. Try again in 2 hours.");
    expect(refused.valuesOf("email")).toEqual(["next@example.com"]);
    expect(await mailsTo("next@example.com")).toEqual([]);
    const entries = await db()("audit_log").where({
      action: "promotion.shared",
      actor_id: user.id,
    });
    expect(entries).toHaveLength(1);
  });

  it("shares no deleted code, and mails none that was deleted after it was shared", async () => {
    const { id } = await insertRedeemable();
    expect(await sharedCodeMail({ id, language: "fr" })).toMatchObject({
      subject: expect.stringMatching(/^25\s% de réduction/),
    });
    await db()("promotions").where({ id }).update({ is_deleted: true, deleted_at: new Date() });
    expect(await sharedCodeMail({ id, language: "fr" })).toBeNull();
    for (const rest of ["share", "card"])
      expect((await clerk.get(`/app/qr-list/${id}/${rest}`)).status).toBe(404);
    const actor = await insertUser();
    await expect(
      mailCode(id, { email: "ada@example.com", language: "en" }, { actor }),
    ).rejects.toThrow("This code does not exist, or it is deleted");
    expect((await clerk.page(`/app/qr-list/${id}`)).includes("/share")).toBe(false);
  });
});

it("prints a card with the QR code, what it gives, until when, where and whom to ask", async () => {
  const code = await insertRedeemable(
    { is_single_use: true },
    await insertMachine({ human_name: "Comedor" }),
  );
  const page = await clerk.open(sharePath(code));
  const card = await server.send(page.hrefOf("Open card in Español"), { cookie: clerk.cookie });
  expect(card.headers["set-cookie"]).toBeUndefined();
  expect(card.body).toContain('<html lang="es">');
  expect(card.body).toContain("<svg");
  const text = textOfMain(card.body);
  const parts = ["25 % de descuento", "para una compra", "Sin fecha de fin", "Comedor"];
  for (const part of [...parts, "the reception"]) expect(text).toContain(part);
  expect(text).toContain(`localhost:${port}/r/${code.code}`);
});

it("prints on the card why a code can't be used, and nothing of that while it can", async () => {
  for (const [row, isUsable] of [
    [{}, true],
    [{ is_active: false }, false],
  ] as const) {
    const { id } = await insertRedeemable(row);
    const card = await clerk.get(`/app/qr-list/${id}/card`);
    const text = textOfMain(card.body);
    expect(text).not.toContain("You can use this code now.");
    expect(text.includes("This code can’t be used at the moment.")).toBe(!isUsable);
  }
});

it("keeps off the paper what is true of an active code for hours alone", async () => {
  const tomorrow = (new Date().getUTCDay() + 1) % 7;
  const closed = { open_minutes: `{[${tomorrow * 1_440 + 720},${tomorrow * 1_440 + 780})}` };
  const readState = async (row: Record<string, unknown>) => {
    const { id } = await insertRedeemable(row);
    const { body } = await clerk.get(`/app/qr-list/${id}/card`);
    return /<p class="(state[^"]*)">[^<]*<\/p>/.exec(body)?.[1];
  };
  expect(await readState(closed)).toBe("state no note");
  expect(await readState({ is_active: false })).toBe("state no");
  const { id } = await insertRedeemable(closed);
  expect((await clerk.get(`/app/qr-list/${id}/card`)).body).toContain(
    "@media print{.note{display:none}",
  );
});
