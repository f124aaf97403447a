import { beforeAll, describe, expect, it } from "vitest";
import { insertMachine, insertUser } from "../factories/people-and-machines";
import { insertCodes, insertGeneration, insertPromotion } from "../factories/promotions";
import { insertTransaction } from "../factories/transactions";
import { plainBrowser, type PlainPage } from "../support/plain-browser";
import { openSession, openSessionOf, signInNewUser, useServer } from "../support/server";

const server = useServer();
const code = "ABCDEFGHJKMN";
let promotionId: string;
let browser: ReturnType<typeof plainBrowser>;
let topBar: PlainPage;

beforeAll(async () => {
  browser = plainBrowser(server, await openSessionOf());
  topBar = await browser.open("/app/faq");
  const machine = await insertMachine({ serial_number: "VM-7", human_name: "Hospital lobby" });
  promotionId = await insertPromotion({ name: "Harbour festival", code });
  const generation = await insertGeneration({ name: "Harbour tour", num_codes: 3 });
  await insertCodes(generation, 3, { name: "Harbour tour" });
  await insertTransaction({
    promotion_id: promotionId,
    machine_id: machine.id,
    redemption_id: "till-4/77",
  });
});

/** Sends the form in the top bar. */
const find = (text: string) => topBar.press("Search everything", { q: text });

describe("the search in the top bar, without scripts", () => {
  it.each([
    ["a code", "abcd-efgh-jkmn", () => `/app/qr-list/${promotionId}`],
    ["a serial number", "vm-7", () => "/app/machines/VM-7"],
    ["a serial number from a chat", "\u200eVM-7\u200b", () => "/app/machines/VM-7"],
    [
      "a code in a long address",
      `https://example.com/r/?of=${"x-".repeat(100)}&code=${code}`,
      () => `/app/qr-list/${promotionId}`,
    ],
    ["a redemption id", "till-4/77", () => "/app/transactions?redemption=till-4%2F77"],
  ])("leads to the page of %s at once", async (_, text, address) => {
    expect((await find(text)).address).toBe(address());
  });

  it("leads admins to a person by the mail address", async () => {
    const { id, email } = await insertUser({ email: "pat.harbour@example.com" });
    expect((await find(email.toUpperCase())).address).toBe(`/app/users/${id}/edit`);
  });

  it("says that one or two characters are the beginning of a code", async () => {
    expect((await find("qz")).text).toContain("match only the beginning of a code");
  });

  it("lists what has the text in its name, a mass generation once", async () => {
    const { rowHeaders, text, hrefOf } = await find("harbo");
    expect(rowHeaders.map((row) => row.split(" ").slice(0, 2).join(" "))).toEqual(
      expect.arrayContaining(["Harbour tour", "Harbour festival"]),
    );
    expect(rowHeaders.filter((row) => row.startsWith("Harbour tour"))).toHaveLength(1);
    expect(text).toContain("Show all 2 campaigns in QR List");
    expect(hrefOf("Show all 2 campaigns in QR List")).toBe(
      "/app/qr-list?view=campaigns&text=harbo",
    );
    const one = await find("harbour fest");
    expect(one.text).toContain(" Show in QR List");
    expect((await find("lobby")).rowHeaders).toEqual(["VM-7"]);
  });

  it("offers to check what is not found as a code, and asks for a text if there is none", async () => {
    const nothing = await find("<b>nothing</b>");
    expect(nothing.text).toContain('Nothing found for "<b>nothing</b>"');
    expect((await nothing.follow("Check as a code")).title).toContain("Check a code");
    const empty = await find("");
    expect(empty.address).toBe("/app/search?q=");
    expect(empty.text).toContain("Search for");
    expect((await find("n".repeat(300))).text).toContain(`Nothing found for "${"n".repeat(200)}"`);
  });

  it("tells viewers, who find no code by a part of it, what to search for instead", async () => {
    const viewer = plainBrowser(
      server,
      await openSession((await insertUser({ role: "viewer" })).id),
    );
    const { text } = await viewer.open(`/app/search?q=${code.slice(0, 4)}`);
    expect(text).toContain("Search for a whole code, its last 4 characters, or a part of a name.");
    expect(text).not.toContain("Search for a part of it");
    const short = await viewer.open(`/app/search?q=${code.slice(0, 2)}`);
    expect(short.text.match(/its last 4 characters/g)).toHaveLength(1);
  });

  it("shows people to admins alone", async () => {
    await insertUser({ email: "found@example.com" });
    expect((await find("found@")).rowHeaders).toEqual(["found@example.com"]);
    const other = plainBrowser(server, await signInNewUser());
    for (const text of ["found@", "found@example.com"])
      expect((await other.open(`/app/search?q=${text}`)).text).toContain("Nothing found");
    expect((await browser.open("/app/search")).text).toContain("email address");
    expect((await other.open("/app/search")).text).not.toContain("email address");
  });

  it("finds a redemption of any age by its id in the list of transactions", async () => {
    const list = await browser.open("/app/transactions");
    const found = await list.press("Apply", { redemption: "till-4/77" });
    expect(found.text).toContain("Redemption ID: till-4/77");
    expect(found.text).toContain("1–1 of 1");
    expect((await list.press("Apply", { redemption: "till" })).text).toContain("Nothing matches");
  });
});
