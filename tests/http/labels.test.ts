import { get as httpGet, type IncomingMessage } from "node:http";
import { beforeAll, describe, expect, it } from "vitest";
import { db } from "../../app/db/connection.server";
import { formatCode } from "../../app/format/promotion";
import { codesOf as ids, insertMassGeneration } from "../factories/mass-generations";
import { insertPromotion } from "../factories/promotions";
import { plainBrowser } from "../support/plain-browser";
import { linesOfPage, openPdf } from "../support/read-labels";
import { inSoak } from "../support/repetitions";
import { signInNewUser, useServer } from "../support/server";
import { expectRejection, useSession } from "../support/session";

const server = useServer();
const expiresAt = new Date("2026-12-31T23:00:00Z");
const session = useSession(server);
const { get } = session;
let small = "";
let large = "";
let deleted = "";
const labels = (id: string, rest = "") => `/app/qr-generation/${id}/labels${rest}`;

beforeAll(async () => {
  small = await insertMassGeneration({ num_codes: 25, expires_at: expiresAt });
  large = await insertMassGeneration({ num_codes: 10_001, name: "Large" });
  deleted = await insertMassGeneration({ num_codes: 1, is_deleted: true });
});

async function fetchPdf(target: string) {
  const answer = await fetch(server.origin + target, { headers: { Cookie: session.cookie } });
  const bytes = new Uint8Array(await answer.arrayBuffer());
  return { answer, bytes, document: openPdf(bytes) };
}

async function codesOf(id: string): Promise<string[]> {
  const codes = await db()("promotions")
    .where("mass_generation_id", id)
    .orderBy("id")
    .pluck("code");
  return codes.map((code: string) => formatCode(code));
}

/** Returns what the buttons of PDF files send as `part`. */
async function partsOf(target: string): Promise<string[]> {
  const buttons = (await session.page(target)).matchAll(/<button[^>]* name="part"[^>]*>/g);
  return Array.from(buttons, ([button]) => /value="([^"]*)"/.exec(button)![1]!);
}

const printedCodes = (lines: string[]) => lines.filter((line) => /^(\w{4}-){2}\w{4}$/.test(line));

describe("labels.pdf", () => {
  it("holds all codes in their order, and is sent again only when it differs", async () => {
    const { answer, document, bytes } = await fetchPdf(labels(small, ".pdf"));
    expect(answer.status).toBe(200);
    expect(answer.headers.get("content-type")).toBe("application/pdf");
    expect(answer.headers.get("cache-control")).toBe("private, no-cache");
    expect(answer.headers.get("content-disposition")).toBe(
      `attachment; filename="mass_generation_${small}_labels.pdf"`,
    );
    expect(document.countPages()).toBe(2);
    const lines = [0, 1].flatMap((page) => linesOfPage(document, page));
    expect(printedCodes(lines)).toEqual(await codesOf(small));
    expect(lines.filter((line) => line.startsWith("valid until "))).toHaveLength(25);

    const etag = answer.headers.get("etag")!;
    expect(etag).toMatch(/^"[\w-]{22}"$/);
    const again = await get(labels(small, ".pdf"), { headers: { "If-None-Match": etag } });
    expect([again.status, again.body, again.headers.etag]).toEqual([304, "", etag]);
    expect(Buffer.compare((await fetchPdf(labels(small, ".pdf"))).bytes, bytes)).toBe(0);
    expect(server.output()).not.toContain("MaxListenersExceededWarning");
  });

  it("sends the file again unless If-None-Match names exactly its tag", async () => {
    const own = await insertMassGeneration({ num_codes: 1 });
    const { headers } = await get(labels(own, ".pdf"));
    const tag = headers.etag!.slice(1, -1);
    for (const [known, status] of [
      [`"x${tag}"`, 200],
      [`"${tag}x"`, 200],
      [`"other", W/"${tag}"`, 304],
      ["*", 304],
    ] as const) {
      const headers = { "If-None-Match": known };
      expect((await get(labels(own, ".pdf"), { headers })).status, known).toBe(status);
    }
  });

  it("differs as soon as the expiration of one code does", async () => {
    const own = await insertMassGeneration({ num_codes: 2, expires_at: expiresAt });
    const before = await get(labels(own, ".pdf"));
    await db()("promotions")
      .where("mass_generation_id", own)
      .limit(1)
      .update({
        expires_at: new Date("2027-03-31T22:00:00Z"),
        has_own_expiration: true,
      });
    const after = await get(labels(own, ".pdf"), {
      headers: { "If-None-Match": before.headers.etag! },
    });
    expect(after.status).toBe(200);
    expect(after.headers.etag).not.toBe(before.headers.etag);
  });

  it("has the date of an extension that has not reached its codes yet", async () => {
    const own = await insertMassGeneration({
      num_codes: 2,
      expires_at: new Date("2026-01-31T23:00:00Z"),
    });
    await db()("mass_generations").where({ id: own }).update({ expires_at: expiresAt });
    const { document } = await fetchPdf(labels(own, ".pdf"));
    const dates = linesOfPage(document, 0).filter((line) => line.startsWith("valid until "));
    expect(dates).toEqual(["valid until 31.12.2026", "valid until 31.12.2026"]);
  });

  it("comes in parts of whole sheets with at most 10,000 labels", async () => {
    const [, last] = await partsOf(labels(large));
    const { answer, document } = await fetchPdf(labels(large, `.pdf?part=${last}`));
    expect(answer.headers.get("content-disposition")).toBe(
      `attachment; filename="mass_generation_${large}_labels_codes_9997-10001.pdf"`,
    );
    expect(document.countPages()).toBe(1);
    // 476 sheets of 21 labels are a file.
    const codes = await codesOf(large);
    expect(printedCodes(linesOfPage(document, 0))).toEqual(codes.slice(9_996));
    const text = await session.text(labels(large));
    expect(text).toContain("Sheets 1 to 476: 9,996 labels");
    expect(text).toContain("Sheet 477, from code 9,997: 5 labels");
  });

  inSoak(it)(
    "loses no label where a code is redeemed between the downloads of two parts",
    async () => {
      const own = await insertMassGeneration({ num_codes: 10_000 });
      const parts = await partsOf(labels(own, "?first=5"));
      const [redeemed] = await ids(own);
      await db()("promotions").where({ id: redeemed! }).update({ is_active: false });
      const [first, last] = await Promise.all(
        parts.map((part) => fetchPdf(labels(own, `.pdf?first=5&part=${part}`))),
      );
      const codes = await codesOf(own);
      expect(printedCodes(linesOfPage(last!.document, 0))).toEqual(codes.slice(9_992));
      const { document } = first!;
      expect(printedCodes(linesOfPage(document, 0))).toEqual(codes.slice(1, 18));
      const lastPage = printedCodes(linesOfPage(document, document.countPages() - 1));
      expect(lastPage).toEqual(codes.slice(9_972, 9_992));
    },
  );

  it("is never the beginning of more labels than one file has", async () => {
    expectRejection(await get(labels(large, ".pdf")), 409, "These are more than 10,000 labels");
    const browser = plainBrowser(server, session.cookie, { Accept: "text/html" });
    const page = await browser.open(labels(large, "?to_code=9"));
    const changed = await page.press("Download PDF", { to_code: "" });
    expect(changed.text).toContain("Nothing was downloaded. These are more than 10,000 labels");
    expect(changed.hasButton("Download PDF part 2")).toBe(true);
    const emptied = await changed.press("Download PDF part 2", { to_code: "9" });
    expect(emptied.text).toContain("Nothing was downloaded. This part has no labels any more");
    expect(emptied.hasButton("Download PDF")).toBe(true);
  });

  it("begins again at a sheet, and prints one sheet alone", async () => {
    const codes = await codesOf(large);
    for (const [query, sheets] of [
      ["from_sheet=476", "sheets_476-477"],
      ["from_sheet=476&to_sheet=476", "sheet_476"],
    ] as const) {
      const { answer, document } = await fetchPdf(labels(large, `.pdf?first=5&${query}`));
      expect(answer.headers.get("content-disposition")).toContain(`_labels_${sheets}.pdf`);
      const start = 475 * 21 - 4;
      expect(printedCodes(linesOfPage(document, 0))).toEqual(codes.slice(start, start + 21));
    }
    const page = await session.text(labels(large, "?first=5&from_sheet=476"));
    expect(page).toContain("Sheet 476 Codes 9,972 to 9,992");
    expect(page).toContain("30 labels on 2 sheets: sheets 476 to 477 of 477");
  });

  it("prints the codes of a range, by their numbers in the archive", async () => {
    const { document } = await fetchPdf(labels(small, ".pdf?from_code=22&to_code=23"));
    expect(printedCodes(linesOfPage(document, 0))).toEqual((await codesOf(small)).slice(21, 23));
    expect(await session.text(labels(small, "?from_code=22&to_code=23"))).toContain(
      "2 codes, numbers 22 to 23 of 25",
    );
  });

  inSoak(it)("has whole sheets in a part that is not the last", async () => {
    const id = await insertMassGeneration({ num_codes: 20_001 });
    const [, second] = await partsOf(labels(id, "?format=l7651"));
    const { document } = await fetchPdf(labels(id, `.pdf?part=${second}&format=l7651`));
    expect(document.countPages()).toBe(153);
    expect(printedCodes(linesOfPage(document, 0))[0]).toBe((await codesOf(id))[153 * 65]);
  });

  /** Begins to read a large file. */
  async function beginDownload(cookie: string): Promise<IncomingMessage> {
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      const headers = { Cookie: cookie };
      httpGet(
        server.origin + labels(large, ".pdf?format=57x32"),
        { headers, agent: false },
        resolve,
      ).once("error", reject);
    });
    await new Promise((resolve) => answer.once("data", resolve));
    return answer.pause();
  }

  inSoak(it)(
    "is refused to a user who has ten downloads that don't end, and pages are not",
    async () => {
      const { cookie } = session;
      const stalled = await Promise.all(Array.from({ length: 10 }, () => beginDownload(cookie)));
      const eleventh = await get(labels(small, ".pdf"));
      expectRejection(eleventh, 429, "You have 10 downloads running.");
      expect(eleventh.headers.ratelimit).toBe('"downloads";r=0;t=2');
      expect((await get("/app/qr-list")).status).toBe(200);
      const other = await server.send(labels(small, ".pdf"), { cookie: await signInNewUser() });
      expect(other.status).toBe(200);
      for (const answer of stalled) answer.destroy();
      await expect.poll(async () => (await get(labels(small, ".pdf"))).status).toBe(200);
    },
  );

  it("ends its work when the client leaves", async () => {
    // Nobody else's download counts for a user.
    const cookie = await signInNewUser();
    const logged = server.output().length;
    const answer = await beginDownload(cookie);
    answer.destroy();
    // The next request is answered at once, because the other thousands of labels are not drawn.
    const next = await server.send(labels(small, ".svg"), { cookie });
    expect(next.status).toBe(200);
    expect(server.output().slice(logged)).not.toMatch(/"level":(50|60)/);
  });
});

describe("codes that are printed", () => {
  let mixed = "";
  beforeAll(async () => {
    mixed = await insertMassGeneration({ num_codes: 6 });
    const [, inactive, expired, usedUp] = await ids(mixed);
    const change = (id: string, row: object) => db()("promotions").where({ id }).update(row);
    await change(inactive!, { is_active: false });
    await change(expired!, { expires_at: new Date(0), has_own_expiration: true });
    await change(usedUp!, { activation_count: 2, period_uses: 2 });
  });

  it("are redeemable, or all, and the screen says which are left out and why", async () => {
    const codes = await codesOf(mixed);
    const printed = async (query: string) =>
      printedCodes(linesOfPage((await fetchPdf(labels(mixed, `.pdf${query}`))).document, 0));
    expect(await printed("")).toEqual([codes[0], codes[4], codes[5]]);
    expect(await printed("?codes=all")).toEqual(codes);
    expect(await printed("?from_code=3&to_code=5")).toEqual([codes[4]]);
    const text = await session.text(labels(mixed));
    expect(text).toContain("Left out 3 codes: 1 expired, 1 inactive, 1 used up");
    expect(text).toContain("3 labels on 1 sheet");
    expect(await session.text(labels(mixed, "?codes=all"))).toContain("6 labels on 1 sheet");
  });

  it("are none where no code of the range is redeemable", async () => {
    const query = "?from_code=2&to_code=4";
    const sentence = "None of these codes is redeemable, so there is nothing to print.";
    expectRejection(await get(labels(mixed, `.pdf${query}`)), 422, sentence);
    expectRejection(await get(labels(mixed, query)), 200, sentence);
  });

  it("is the code of a page alone, single or of a campaign", async () => {
    const single = await insertPromotion({ name: "Alone" });
    const [, second] = await ids(small);
    for (const id of [single, second!]) {
      expect(await session.page(`/app/qr-list/${id}`)).toContain(`"/app/qr-list/${id}/labels"`);
      const { answer, document } = await fetchPdf(`/app/qr-list/${id}/labels.pdf`);
      expect(answer.headers.get("content-disposition")).toContain(`promotion_${id}_labels.pdf`);
      const { code } = await db()("promotions").where({ id }).first();
      expect(printedCodes(linesOfPage(document, 0))).toEqual([formatCode(code)]);
      const svg = await get(`/app/qr-list/${id}/labels.svg`);
      expect(svg.body).toContain(formatCode(code));
    }
    const text = await session.text(`/app/qr-list/${single}/labels`);
    expect(text).toContain("Labels: Alone");
    expect(text).toContain("1 label on 1 sheet");
    expect(text).not.toContain("First code");
    const gone = await insertPromotion({ is_deleted: true });
    expectRejection(
      await get(`/app/qr-list/${gone}/labels`),
      409,
      "This code is deleted. An admin can restore it.",
    );
  });
});

it("sends the form as it is to the file, and comes back with what was entered if it is wrong", async () => {
  const browser = plainBrowser(server, session.cookie, { Accept: "text/html" });
  const page = await browser.open(labels(small));
  const file = await page.press("Download SVG", { format: "57x32", from_code: "25" });
  expect(file.html).toContain('width="57mm"');
  const [, last] = (await codesOf(small)).slice(23);
  expect(file.html).toContain(last);

  const wrong = await page.press("Download PDF", { format: "5163", from_sheet: "4", to_code: "9" });
  expect(wrong.address).toMatch(/\/labels\?/);
  expect(wrong.title).toMatch(/^Error: /);
  expect(wrong.text).toContain("There is only 1 sheet. Leave this empty or enter 1");
  for (const [field, value] of [
    ["format", "5163"],
    ["from_sheet", "4"],
    ["to_code", "9"],
  ] as const)
    expect(wrong.valuesOf(field)).toEqual([value]);
});

describe("labels.svg", () => {
  it("is one sheet in millimetres", async () => {
    const answer = await get(labels(small, ".svg?from_sheet=2&cut=lines"));
    expect(answer.status).toBe(200);
    expect(answer.headers["content-type"]).toBe("image/svg+xml; charset=utf-8");
    expect(answer.headers["cache-control"]).toBe("private, no-cache");
    expect(answer.headers["content-disposition"]).toBe(
      `attachment; filename="mass_generation_${small}_labels_sheet_2.svg"`,
    );
    expect(answer.body).toContain('width="210mm" height="297mm" viewBox="0 0 210 297"');
    const codes = [...answer.body.matchAll(/>((?:\w{4}-){2}\w{4})</g)].map(([, code]) => code);
    expect(codes).toEqual((await codesOf(small)).slice(21));
    const known = { "If-None-Match": answer.headers.etag! };
    const again = await get(labels(small, ".svg?from_sheet=2&cut=lines"), { headers: known });
    expect(again.status).toBe(304);
    const other = await get(labels(small, ".svg?from_sheet=1&cut=lines"), { headers: known });
    expect(other.status).toBe(200);
  });

  it("holds a name as text, whatever it is", async () => {
    const name = `</text><script>alert(1)</script>&amp;"'\u0001 夏`;
    const id = await insertMassGeneration({ num_codes: 1, name });
    const { body } = await get(labels(id, ".svg?format=100x50"));
    expect(body).not.toContain("<script");
    expect(body).not.toContain("\u0001");
    expect(body).toContain("&lt;script&gt;");
    expect(body).toContain("夏");
  });
});

describe("imported codes of several lengths", () => {
  let imported = "";
  beforeAll(async () => {
    imported = await insertMassGeneration({
      num_codes: 80,
      name: "A caption that is shown on short codes",
    });
    const long = (await ids(imported)).slice(70);
    const code = db().raw("rpad(code, 32, 'LONGER')");
    await db()("promotions").whereIn("id", long).update({ code });
  });

  it("have the warnings about the longest, wherever its sheet is", async () => {
    const low = "?format=grid&columns=5&rows=14";
    const warning = "Labels of longer codes, such as code 71, have no room for the name";
    expect(await session.text(labels(imported, low))).toContain(warning);
    const range = "&from_code=71";
    expect(await session.text(labels(imported, low + range))).toContain(
      "These labels have no room for the name",
    );
    const short = await session.text(labels(imported, `${low}&to_sheet=1`));
    expect(short).not.toContain("no room");
    expect(short).not.toContain("longer codes");
  });
});

it("warns where the dates of later codes alone leave no room for the name", async () => {
  const own = await insertMassGeneration({ num_codes: 2 });
  const target = labels(own, "?format=single&width=20&height=20");
  expect(await session.text(target)).not.toContain("no room");
  const [, last] = await ids(own);
  const ownEnd = { expires_at: expiresAt, has_own_expiration: true };
  await db()("promotions").where({ id: last! }).update(ownEnd);
  expect(await session.text(target)).toContain("These labels have no room for the name.");
});

describe("refusals", () => {
  it.each(["", ".pdf", ".svg"])("labels%s need a live generation that exists", async (kind) => {
    const sentence = "This campaign is deleted. An admin can restore it.";
    const gone = await get(labels(deleted, kind));
    expectRejection(gone, 409, sentence);
    for (const id of ["999999", "99999999999999999999"])
      expect((await get(labels(id, kind))).status).toBe(404);
  });

  // Each message is tested with its rule.
  it("refuse a file, and show the screen with the message and the format of its preview", async () => {
    const sentence = "Choose a label format";
    for (const kind of [".pdf", ".svg"]) {
      const answer = await get(labels(small, `${kind}?format=golden`));
      expect([answer.status, answer.body]).toEqual([422, sentence]);
    }
    const screen = await get(labels(small, "?format=golden"));
    expectRejection(screen, 200, sentence);
    expect(screen.body).toContain("<title>Error: Labels");
    expect(screen.body).toMatch(
      /<option[^>]* selected="" value="l7160"|<option value="l7160" selected=""/,
    );
  });

  it.each([
    [".pdf?part=2", 422],
    [".pdf?part=x", 422],
    [".svg?from_sheet=-1", 422],
    [".svg?from_sheet=3", 422],
    [".pdf?part=26-", 409],
  ])("%s: %i", async (rest, status) => {
    expect((await get(labels(small, rest))).status).toBe(status);
  });
});
