import { request } from "node:http";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { db } from "../../app/db/connection.server";
import { editCaps } from "../../app/features/caps/caps.server";
import { noCaps } from "../../app/features/caps/cap";
import { assign } from "../factories/assignments";
import { insertMachine, insertUser } from "../factories/people-and-machines";
import { insertPromotion } from "../factories/promotions";
import {
  insertRedeemable,
  makeKey,
  newCode,
  request as redemption,
} from "../factories/redemptions";
import { freePort } from "../support/free-port";
import { textOfMain } from "../support/html";
import { useServer } from "../support/server";
import { useSession } from "../support/session";

const port = await freePort();
const payload = `HTTP://LOCALHOST:${port}/R/{code}`;
const server = useServer({
  environment: {
    PORT: String(port),
    QR_PAYLOAD: payload,
    TIME_ZONE: "Europe/Berlin",
    TRUST_PROXY: "1",
  },
});
const admin = useSession(server);

const settings = "/app/settings";
const save = async (fields: Record<string, string>) =>
  (await admin.open(settings)).press("Save settings", fields);

/** Opens the page of a code as a phone does; each client counts for itself. */
async function scan(code: string, headers: Record<string, string> = {}) {
  const answer = await server.send(`/R/${code}`, {
    headers: { "X-Forwarded-For": client(), ...headers },
  });
  return { ...answer, text: textOfMain(answer.body) };
}
let clients = 0;
const client = () => `203.0.113.${(clients += 1) % 250}`;

beforeEach(async () => {
  await db()("rate_limits").whereLike("key", "customer/%").delete();
});

it("is the plain 404 until an admin switches it on, who sees before how it looks", async () => {
  const { code } = await insertRedeemable();
  for (const path of [`/R/${code}`, `/r/${code}`, `/%52/${code}`]) {
    const off = await server.send(path);
    expect([off.status, off.headers["content-type"]]).toEqual([404, "text/html; charset=utf-8"]);
    expect(off.body).toContain("There is nothing at this address.");
  }
  const page = await admin.open(settings);
  expect(page.text).toContain(`QR codes hold the address ${payload}.`);
  const preview = await server.send(page.hrefOf("Deutsch"), { cookie: admin.cookie });
  expect(preview.body).toContain("Preview with a sample code");
  expect(preview.body).toContain("20\u00a0% Rabatt");
  const wrong = await server.send(page.hrefOf("a wrong code"), { cookie: admin.cookie });
  expect(wrong.body).toContain("We don’t know this code.");

  await save({ customerPage: "true" });
  for (const path of [`/R/${code}`, `/r/${code.toLowerCase()}`, `/%52/${code}`])
    expect((await server.send(path)).status).toBe(200);
});

describe("the page of a code", () => {
  beforeAll(async () => {
    await save({
      customerPage: "true",
      customerName: "Kiosk & Co",
      customerColour: "#ffff00",
      customerText: "Enjoy <your> drink",
      customerContact: "the reception",
    });
  });

  it("shows the operator's name, colour and line, and whom to ask", async () => {
    const { code } = await insertRedeemable();
    const { body, text } = await scan(code);
    expect(body).toContain("<title>25% off - Kiosk &amp; Co</title>");
    expect(body).toContain("header{background:#ffff00;color:#000000}");
    expect(body).toContain("<p>Enjoy &lt;your&gt; drink</p>");
    expect(text).toContain("Questions? the reception");
    expect(text).not.toContain("Summer");
  });

  it.each([
    ["en-US", "en", "3 free drinks", "December 31, 2098", "Mon–Fri 8:00 AM–5:30 PM"],
    ["de-DE", "de", "3 Freigetränke", "31. Dezember 2098", "Mo–Fr 08:00–17:30"],
    ["fr", "fr", "3 boissons offertes", "31 décembre 2098", "lun.–ven. 08:00–17:30"],
    ["es-ES", "es", "3 bebidas gratis", "31 de diciembre de 2098", "lun–vie 8:00–17:30"],
  ])("says in %s what it gives, until when and when", async (tag, language, gift, day, hours) => {
    const { code } = await insertRedeemable({
      discount_type: "free_drink",
      discount_value: 3,
      closed_on: "{2001-01-01,2098-12-24}",
      expires_at: new Date("2098-12-31T23:00:00Z"),
      open_minutes: `{${[0, 1, 2, 3, 4].map((at) => `[${at * 1_440 + 480},${at * 1_440 + 1_050})`).join()}}`,
    });
    const { body, headers, text } = await scan(code, { "Accept-Language": `${tag},it;q=0.9` });
    expect(body).toContain(`<html lang="${language}">`);
    expect(headers["content-language"]).toBe(language);
    expect(text).toContain(gift);
    expect(text).toContain(day);
    expect(text).toContain(hours);
    expect(text).toContain("Europe/Berlin");
    // A day that is over is of no use.
    expect(text).toMatch(/2098(?!.*2001)/);
  });

  it("writes the first day of a month in French as people do", async () => {
    const { code } = await insertRedeemable({
      starts_at: new Date("2098-12-31T23:00:00Z"),
      closed_on: "{2099-02-01,2099-02-11}",
    });
    const { text } = await scan(code, { "Accept-Language": "fr-CA" });
    expect(text).toContain("1er janvier 2099");
    expect(text).toContain("1er février 2099 11 février 2099");
  });

  it("says of a window from midnight to midnight that it is a whole day", async () => {
    const { code } = await insertRedeemable({ open_minutes: "{[480,1440),[7200,10080)}" });
    const read = async (language: string) =>
      (await scan(code, { "Accept-Language": language })).text;
    expect(await read("en-US")).toContain("Hours Mon 8:00 AM–12:00 AM Sat–Sun all day");
    expect(await read("de-DE")).toContain("Zeiten Mo 08:00–00:00 Sa–So ganztägig");
  });

  it("names the first 20 machines that accept it, and has at most 6 KiB, no script, no cookie and no cache", async () => {
    const { id, code } = await insertRedeemable({
      closed_on: `{${Array.from({ length: 12 }, (_, day) => `2098-12-${day + 10}`).join()}}`,
      open_minutes: `{${Array.from({ length: 7 }, (_, at) => `[${at * 1_440 + at},${at * 1_440 + 600}),[${at * 1_440 + 700},${at * 1_440 + 1_200 + at})`).join()}}`,
    });
    await assign("promotions", id, {
      machine_id: (await insertMachine({ human_name: "Gone", is_deleted: true })).id,
    });
    for (let at = 10; at < 34; at++)
      await assign("promotions", id, {
        machine_id: (await insertMachine({ human_name: `Building ${at}, floor ${at % 7}` })).id,
      });
    const { status, headers, text, body } = await scan(code, { Cookie: admin.cookie });
    expect(status).toBe(200);
    expect(text).toContain("Building 29, floor 1 and 5 more");
    expect(text).not.toMatch(/Building 30|Gone/);
    expect(text).toContain("December 19, 2098 and 2 more");
    expect(body).not.toMatch(/<script|<link|<img|<form|<a |style="| on\w+="/);
    expect(headers).toMatchObject({
      "cache-control": "private, no-store",
      "referrer-policy": "no-referrer",
      "x-robots-tag": "noindex",
    });
    expect(headers["set-cookie"]).toBeUndefined();
    expect(headers["content-security-policy"]).toMatch(
      /^default-src 'none'; style-src 'sha256-[\w+/=]{44}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'$/,
    );
    expect(await sentBytes(`/R/${code}`)).toBeLessThanOrEqual(6 * 1_024);
  });

  it("has at most 6 KiB with long names, too", async () => {
    const { id, code } = await insertRedeemable();
    const character = (at: number) => String.fromCodePoint(0x4e00 + ((at * at * 7_919) % 20_000));
    for (let at = 0; at < 20; at++) {
      const name = Array.from({ length: 200 }, (_, n) => character(200 * at + n)).join("");
      const { id: machine_id } = await insertMachine({ human_name: name });
      await assign("promotions", id, { machine_id });
    }
    expect((await scan(code)).text).toMatch(/\S{59}…/u);
    expect(await sentBytes(`/R/${code}`)).toBeLessThanOrEqual(6 * 1_024);
  });

  it("says whether it can be used now, and shows its QR code only then", async () => {
    const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000);
    const cases: [string, Record<string, unknown>][] = [
      ["You can use this code now.", {}],
      ["This code can’t be used at the moment.", { is_active: false }],
      ["This code has expired.", { expires_at: inHours(-1) }],
      ["This code has been used.", { is_single_use: true, period_uses: 1, activation_count: 1 }],
      ["This code can be used from ", { starts_at: inHours(48) }],
      ["This code can’t be used at the moment. It can be used again from ", hoursElsewhere()],
    ];
    for (const [sentence, row] of cases) {
      const { code } = await insertRedeemable(row);
      const { text, body } = await scan(code);
      expect(text).toContain(sentence);
      expect(body.includes("<svg"), sentence).toBe(sentence.includes("now."));
      expect(body.includes("Show this QR code to the machine"), sentence).toBe(
        sentence.includes("now."),
      );
    }
    const unassigned = newCode();
    await insertPromotion({ code: unassigned });
    const gone = await insertRedeemable({}, await insertMachine({ is_deleted: true }));
    for (const code of [unassigned, gone.code])
      expect((await scan(code)).text).toContain("No machine accepts this code at the moment.");
    const renewable = await insertRedeemable({
      is_single_use: true,
      is_renewable: true,
      max_uses: 1,
      period_uses: 1,
      activation_count: 1,
      period_key: 999_912,
    });
    expect((await scan(renewable.code)).text).toMatch(
      /for one purchase, every month This code has been used\. It can be used again from \w+ 1, \d{4}\./,
    );
  });

  it("names the first time at which its code can be used: not before its hours, nor after its end", async () => {
    const mondays = { open_minutes: "{[480,1050)}" };
    const startsAt = new Date("2099-01-01T00:00:00Z");
    const late = await insertRedeemable({ ...mondays, starts_at: startsAt });
    expect((await scan(late.code)).text).toContain(
      "This code can be used from January 5, 2099 at 8:00 AM.",
    );
    const { text } = await scan(late.code, { "Accept-Language": "es-MX" });
    expect(text).toMatch(/5 de enero de 2099 a las 8:00\sa\.m\. Válido/);
    const [tomorrow, later] = [1, 3].map((days) => new Date(Date.now() + days * 86_400_000));
    const minute = ((later!.getUTCDay() + 6) % 7) * 1_440;
    const over = await insertRedeemable({
      open_minutes: `{[${minute + 720},${minute + 780})}`,
      expires_at: tomorrow,
    });
    expect((await scan(over.code)).text).toContain(
      "This code can’t be used at the moment. Valid until",
    );
  });

  it("says that a code can't be used while a cap of its campaign is reached", async () => {
    const actor = await insertUser();
    const { id, code, serialNumber } = await insertRedeemable();
    const caps = { ...noCaps, uses: 1, lowestPrice: 100 };
    await editCaps({ type: "promotion", id }, caps, 1, { actor });
    expect((await scan(code)).text).toContain(
      "Some products are excluded or get a smaller discount. You can use this code now.",
    );
    const { secret } = await makeKey();
    expect((await server.redeem(secret, redemption({ code, serialNumber }))).status).toBe(201);
    expect((await scan(code)).text).toContain("This code can’t be used at the moment.");
  });

  it("says how many drinks of several are left", async () => {
    const { code } = await insertRedeemable({
      discount_type: "free_drink",
      discount_value: 3,
      period_uses: 2,
      activation_count: 2,
    });
    expect((await scan(code)).text).toContain("3 free drinks 1 of 3 left");
  });
});

describe("a code that is unknown, deleted or malformed", () => {
  it("gets the same bytes, which say whom to ask", async () => {
    await save({ customerPage: "true", customerContact: "the reception, or 030 12345" });
    const deleted = await insertRedeemable({ is_deleted: true });
    const codes = [newCode(), deleted.code, "0", "%00x".slice(3), "a b", "x".repeat(3_000)];
    const answers = await Promise.all(codes.map((code) => scan(encodeURIComponent(code))));
    const { body, status, text } = answers[0]!;
    expect(status).toBe(404);
    expect(text).toContain("We don’t know this code.");
    expect(text).toContain("Questions? the reception, or 030 12345");
    for (const [at, answer] of answers.entries()) {
      const facts = ({ headers, ...all }: typeof answer) => ({
        status: all.status,
        body: all.body,
        headers: { ...headers, date: "", "x-request-id": "" },
      });
      expect(facts(answer), codes[at]).toEqual(facts(answers[0]!));
    }
    expect(body).not.toContain(deleted.code);
    await save({ customerPage: "true", customerContact: "" });
    expect((await scan(newCode())).text).toContain("Ask whoever gave you the code.");
  });
});

describe("many requests of one client", () => {
  it("are refused for a minute in its language, and neither another client nor a redemption is", async () => {
    const { code, serialNumber } = await insertRedeemable();
    const address = { "X-Forwarded-For": "198.51.100.7", "Accept-Language": "fr" };
    expect((await scan(code, address)).status).toBe(200);
    await db()("rate_limits").where({ key: "customer/198.51.100.7" }).update({ points: 59 });
    expect((await scan(code, address)).status).toBe(200);
    const refused = await scan(code, address);
    expect(refused.status).toBe(429);
    expect(Number(refused.headers["retry-after"])).toBeGreaterThan(0);
    expect(refused.text).toContain("Trop de demandes.");
    expect((await scan(code)).status).toBe(200);
    const { secret } = await makeKey();
    const { json } = await server.call("POST", "/api/redemptions", {
      token: secret,
      body: redemption({ code, serialNumber }),
      headers: { "X-Forwarded-For": address["X-Forwarded-For"] },
    });
    expect(json).toMatchObject({ discount: 63 });
  });
});

it("lets nobody use up more than 60 of the 600 views of an IPv6 /48", async () => {
  const { code } = await insertRedeemable();
  const one = { "X-Forwarded-For": "2001:db8:1:1::1" };
  expect((await scan(code, one)).status).toBe(200);
  await db()("rate_limits").where({ key: "customer/2001:db8:1:1" }).update({ points: 60 });
  await db()("rate_limits").where({ key: "customer/2001:db8:1::/48" }).update({ points: 599 });
  expect((await scan(code, one)).status).toBe(429);
  const neighbour = { "X-Forwarded-For": "2001:db8:1:2::1" };
  expect((await scan(code, neighbour)).status).toBe(200);
  expect((await scan(code, neighbour)).status).toBe(429);
});

it("leaves codes out of the log", async () => {
  const { code } = await insertRedeemable();
  for (const path of [`/R/${code}`, `/r/${code}/more`, `/%72/${code}`, `/R/${code}%`])
    await server.send(path);
  await expect.poll(() => server.output()).toContain('"path":"/r/…"');
  expect(server.output()).not.toContain(code);
});

/** Hours that hold tomorrow alone, whatever the day of the week is. */
function hoursElsewhere() {
  const tomorrow = (new Date().getUTCDay() + 1) % 7;
  return { open_minutes: `{[${tomorrow * 1_440 + 720},${tomorrow * 1_440 + 780})}` };
}

/** Counts the bytes of an answer with its headers, compressed as for a phone. */
function sentBytes(path: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = { Host: `localhost:${port}`, "Accept-Encoding": "br" };
    const outgoing = request(
      { host: "127.0.0.1", port, path, headers, agent: false },
      (incoming) => {
        const { socket } = incoming;
        incoming.resume().once("end", () => resolve(socket.bytesRead));
      },
    );
    outgoing.once("error", reject).end();
  });
}
