import { beforeAll, describe, expect, it } from "vitest";
import { db } from "../../app/db/connection.server";
import { formatCode } from "../../app/format/promotion";
import { insertMachine } from "../factories/people-and-machines";
import { insertRedeemable } from "../factories/redemptions";
import { everyNth, naughtyStrings } from "../support/naughty-strings";
import { addUser, useServer } from "../support/server";

const server = useServer({ environment: { QR_PAYLOAD: "HTTPS://EXAMPLE.COM/R/{code}" } });
let cookie = "";
let target: Awaited<ReturnType<typeof insertRedeemable>>;

beforeAll(async () => {
  await addUser("clerk@example.com");
  cookie = await server.signIn("clerk@example.com");
  const machine = await insertMachine({ serial_number: "VM-1", human_name: "Lobby" });
  target = await insertRedeemable(
    { name: "Summer", is_single_use: true, max_uses: 1, expires_at: "2099-12-31T23:00:00Z" },
    machine,
  );
  await insertMachine({ serial_number: "<b>VM&2" });
});

const check = (query: Record<string, string>) =>
  server.send(`/app/check?${new URLSearchParams(query)}`, { cookie });

const textOf = (html: string) =>
  html
    .slice(html.indexOf("<main"), html.indexOf("</main>"))
    .replaceAll("<!-- -->", "")
    .replace(/<[^>]+>/g, " ")
    .replaceAll("&#x27;", "'")
    .replace(/\s+/g, " ");

describe("Check a code", () => {
  it("opens with an empty field that has the focus", async () => {
    const { status, body } = await server.send("/app/check", { cookie });
    expect(status).toBe(200);
    const field = body.match(/<input[^>]*>/g)?.find((tag) => tag.includes(' id="code"'));
    expect(field).toMatch(/ autofocus=""/i);
    expect(body).toContain('<option value="VM-1">Lobby</option>');
    expect(body).toContain("<title>Check a code - Promo Console</title>");
  });

  it("says what a machine would say, and everything about the code", async () => {
    const { body } = await check({ code: formatCode(target.code).toLowerCase(), machine: "VM-1" });
    const text = textOf(body);
    expect(body).toContain(
      "<title>Would be accepted at VM-1 now - Check a code - Promo Console</title>",
    );
    expect(text).toContain("Would be accepted at VM-1 now");
    expect(text).toContain(`${formatCode(target.code)} Active`);
    expect(text).toContain("Uses left 1");
    expect(text).toMatch(/valid until 31\.12\.2099 23:59 \(\w+/);
    expect(text).toContain("Machines Redeemable at 1 machine Lobby VM-1");
    expect(body).toContain(`href="/app/qr-list/${target.id}"`);
    // The next scan finds an empty field where no script selects it.
    expect(body).toMatch(/<input(?![^>]* value=)[^>]* id="code"/);
  });

  it("names the machine that refuses, and why", async () => {
    const { body } = await check({ code: target.code, machine: "<b>VM&2" });
    expect(textOf(body)).toContain(
      "Would be refused at &lt;b&gt;VM&amp;2 now: this promotion is not valid at this machine.",
    );
    const nowhere = await check({ code: target.code, machine: "VM-999" });
    expect(textOf(nowhere.body)).toContain(
      "Would be refused at VM-999 now: this machine is unknown.",
    );
  });

  it("asks whether another machine is meant when the serial number differs in case only", async () => {
    for (const code of [target.code, "ABCDEFGH2349"]) {
      const text = textOf((await check({ code, machine: "vm-1" })).body);
      expect(text).toContain("Would be refused at vm-1 now: this machine is unknown.");
      expect(text).toContain("No machine has the serial number vm-1. Did you mean VM-1?");
    }
  });

  it("takes the code out of what a scanner reads", async () => {
    for (const scanned of [
      `HTTPS://EXAMPLE.COM/R/${target.code}`,
      `https://example.com/r/${target.code.toLowerCase()}`,
      `HTTP://OLD.EXAMPLE.ORG/${target.code}?from=label`,
      ` ${target.code}\r\n`,
    ])
      expect(textOf((await check({ code: scanned })).body), scanned).toContain(
        `${formatCode(target.code)} Active`,
      );
  });

  it("finds deleted codes, and says that they are", async () => {
    const gone = await insertRedeemable({ is_deleted: true, name: "Gone" }, target.machine);
    const text = textOf((await check({ code: gone.code, machine: "VM-1" })).body);
    expect(text).toContain("Would be refused at VM-1 now: this promotion is deleted.");
    expect(text).toContain("Gone");
  });

  it("says what is wrong with a code that is none, and what it may have been", async () => {
    await insertRedeemable({ code: "ABCDEFGH2345" }, target.machine);
    const misread = await check({ code: "ABCD-EFGH-234S", machine: "VM-1" });
    expect(textOf(misread.body)).toContain("The code ABCD-EFGH-234S does not exist");
    expect(misread.body).toContain('href="/app/check?code=ABCD-EFGH-2345&amp;machine=VM-1"');
    const impossible = textOf((await check({ code: "ABCD-EFGH-23O5" })).body);
    expect(impossible).toContain(
      "A code has 12 characters and never 0, O, 1, I or L. This one has O: compare it with the printed code.",
    );
    expect(impossible).toContain("Did you mean this one? ABCD-EFGH-2345");
    expect(textOf((await check({ code: "ABC" })).body)).toContain("This one has 3:");
  });

  it("consumes nothing and notes nothing, however often it is asked", async () => {
    const count = () =>
      db().raw<{ rows: object[] }>(
        `select (select sum(activation_count) from promotions) as uses,
           (select count(*) from transactions) as transactions,
           (select count(*) from redemption_attempts) as attempts,
           (select max(last_qr_used_at) from machines) as last_used`,
      );
    const before = (await count()).rows;
    for (let i = 0; i < 10; i++) await check({ code: target.code, machine: "VM-1" });
    for (let i = 0; i < 40; i++) await check({ code: "ABCDEFGH2349", machine: "VM-1" });
    expect((await count()).rows).toEqual(before);
  });

  it("answers the naughty strings as what they are: no codes", { timeout: 120_000 }, async () => {
    for (const text of everyNth(12, naughtyStrings, 1)) {
      const answer = await check({ code: text, machine: text });
      expect(answer.status, text).toBe(200);
      expect(answer.body).not.toContain("<script>alert");
      if (text.trim() !== "") expect(answer.body, text).toMatch(/A code has 12 characters/);
    }
    expect((await server.send("/app/check?code=%ff%fe&machine=%", { cookie })).status).toBe(200);
  });

  it("suggests machines only while they are few", async () => {
    await db().raw(
      `insert into machines (serial_number, human_name)
       select 'many-' || n, 'Hall' from generate_series(1, 200) n`,
    );
    const { body } = await server.send("/app/check", { cookie });
    expect(body).not.toContain("<datalist");
    expect(body).not.toContain('list="machines"');
  });
});
