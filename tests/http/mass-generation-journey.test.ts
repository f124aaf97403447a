import { beforeAll, describe, expect, it } from "vitest";
import { db } from "../../app/db/connection.server";
import { insertLobbyCanteenAndCellar } from "../factories/people-and-machines";
import { formsLike, sharedFields, sharedRefusals } from "../support/form-fields";
import { everyNth, naughtyStrings } from "../support/naughty-strings";
import { plainBrowser } from "../support/plain-browser";
import { readZip } from "../support/read-zip";
import { addUser, fingerprint, useServer } from "../support/server";

/** Many codes at once with nothing but HTTP: no browser, no script. */
const server = useServer({ environment: { MAX_CODES: "500" } });
let cookie = "";

beforeAll(async () => {
  cookie = await server.signIn();
  await insertLobbyCanteenAndCellar();
});

const form = formsLike([
  ["name", "Festival"],
  ["num_codes", "30"],
  ["discount_value", "25"],
  ...sharedFields,
]);

const post = (body: [string, string][]) =>
  server.send("/app/qr-generation/mass", { method: "POST", cookie, body });
/** A page as it is read: without the marks that React leaves between two texts. */
async function open(path: string) {
  const answer = await server.send(path, { cookie });
  return { ...answer, body: answer.body.replaceAll("<!-- -->", "") };
}
const idOf = (location: string) => /^\/app\/qr-generation\/(\d+)\?/.exec(location)![1]!;

describe("a mass generation", () => {
  it("is made once however often it is sent, shown, listed and downloaded", async () => {
    const page = await open("/app/qr-generation/mass");
    expect(page.body).toContain("Required. 1 to 500.");
    expect(page.body).toContain("Canteen");
    expect(page.body).not.toContain("Cellar");
    const once: [string, string] = [
      "idempotency_key",
      /name="idempotency_key" value="([^"]+)"/.exec(page.body)![1]!,
    ];

    const answers = await Promise.all([1, 2, 3].map(() => post([...form(), once])));
    answers.push(await post([...form(), once]));
    const ids = new Set(answers.map((answer) => idOf(answer.headers.location!)));
    expect(answers.map((answer) => answer.status)).toEqual([303, 303, 303, 303]);
    expect(ids.size).toBe(1);
    const [id] = ids;
    expect(await db()("mass_generations").pluck("id")).toEqual([id]);
    expect(await db()("promotions").where({ mass_generation_id: id })).toHaveLength(30);
    expect(await db()("assignments")).toHaveLength(2);

    const shown = await open(answers[0]!.headers.location!);
    expect(shown.body).toContain("QR codes generated successfully");
    for (const words of [
      ...["Festival", "25%", "valid until 31.12.2099 23:59", "by admin@example.com", "VM-1"],
      ...[
        "Codes used",
        "Active codes",
        "30 active",
        "1–25 of",
        "Created (30 codes)",
        "Download archive",
      ],
      `href="/app/qr-generation/${id}/archive.zip"`,
      `href="/app/qr-generation/${id}/labels"`,
      'href="/app/qr-list?view=campaigns&amp;type=mass"',
      `href="/app/qr-generation/mass?from=${id}"`,
      `href="/app/qr-list?mass_generation_id=${id}"`,
    ])
      expect(shown.body).toContain(words);
    for (const list of ["qr-list", "transactions"])
      expect((await open(`/app/${list}?mass_generation_id=${id}`)).body).toContain(
        "</span>Mass generation: Festival",
      );
    const codes = new Set(shown.body.match(/[2-9A-Z]{4}(-[2-9A-Z]{4}){2}/g));
    expect(codes.size).toBe(25);

    const archive = await fetch(`${server.origin}/app/qr-generation/${id}/archive.zip`, {
      headers: { Cookie: cookie },
    });
    expect(archive.headers.get("Content-Disposition")).toContain(`mass_generation_${id}.zip`);
    const { entries } = await readZip(Buffer.from(await archive.arrayBuffer()));
    const names = entries.map(({ fileName }) => fileName);
    expect(names).toHaveLength(31);
    for (const code of codes) expect(names).toContain(`${code.replaceAll("-", "")}.png`);

    const former = await server.send("/app/qr-generation/all", { cookie });
    expect(former.status).toBe(301);
    const list = await open(former.headers.location!);
    for (const words of ["30 codes", "0 (0%)", "by admin@example.com", "Active"])
      expect(list.body).toContain(words);
    const [promotion] = await db()("promotions").where({ mass_generation_id: id }).pluck("id");
    for (const path of [`/app/qr-list/${promotion}`, `/app/qr-list/${promotion}/download`])
      expect((await open(path)).body).toContain(`href="/app/qr-generation/${id}"`);
  });

  it("that was sent once with other values is not made again under the same key", async () => {
    const once: [string, string] = ["idempotency_key", "one-key-of-a-mass-form"];
    expect((await post([...form({ name: "First" }), once])).status).toBe(303);
    const before = await fingerprint();
    const second = await post([...form({ name: "Second" }), once]);
    expect(second.status).toBe(409);
    expect(await fingerprint()).toBe(before);
    expect(second.body).toContain('value="Second"');
    const fresh = /name="idempotency_key" value="([^"]+)"/.exec(second.body)![1]!;
    expect((await post([...form({ name: "Second" }), ["idempotency_key", fresh]])).status).toBe(
      303,
    );
  });

  it("is deleted and restored from its own page, and says so", async () => {
    const id = idOf((await post(form({ name: "Wrong batch" }))).headers.location!);
    const page = `/app/qr-generation/${id}`;
    const dialog = await open(`${page}/delete`);
    expect(dialog.body).toContain("Confirm deletion of mass generation");
    expect(dialog.body).toContain("Delete 30 codes");
    const send = (to: string, by = cookie) =>
      server.send(to, { method: "POST", cookie: by, body: {} });
    const deleted = await send(`${page}/delete`);
    expect(deleted.headers.location).toMatch(new RegExp(`^${page}\\?flash=`));
    const shown = await open(deleted.headers.location!);
    expect(shown.body).toContain("Mass Generation successfully deleted");
    expect(shown.body).toContain(
      "This mass generation is deleted. Machines refuse its codes. Restore it to use them again.",
    );
    expect(shown.body).not.toContain(`${page}/archive.zip`);
    expect(shown.body).not.toContain(`${page}/delete`);
    expect((await open(`${page}/archive.zip`)).status).toBe(409);
    const [code] = await db()("promotions").where({ mass_generation_id: id }).pluck("id");
    const options = await open(`/app/qr-list/${code}/download`);
    expect(options.body).toContain("Restore it to download its archive.");

    await addUser("operator@example.com");
    const operator = await server.signIn("operator@example.com");
    const operatorSees = await server.send(page, { cookie: operator });
    expect(operatorSees.body).not.toContain(`${page}/restore`);
    expect((await send(`${page}/restore`, operator)).status).toBe(403);
    const restored = await send(`${page}/restore`);
    const again = await open(restored.headers.location!);
    expect(again.body).toContain("Mass Generation successfully restored");
    expect(again.body).toContain("30 active");
  });

  it("is deactivated, undone, renamed and extended on its own page without scripts", async () => {
    const id = idOf((await post(form({ name: "Fair", num_codes: "3" }))).headers.location!);
    await addUser("undo@example.com");
    const browser = plainBrowser(server, await server.signIn("undo@example.com"));
    const page = await browser.open(`/app/qr-generation/${id}`);
    const off = await page.press("Deactivate");
    expect(off.text).toContain("Mass Generation successfully deactivated");
    expect(off.text).toContain(
      "This mass generation was deactivated. Machines refuse its codes. Reactivate it to use them again.",
    );
    expect(off.hrefOf("3 inactive")).toBe(`/app/qr-list?mass_generation_id=${id}&status=inactive`);
    expect(off.text).toContain("Assigned to 2 machines");
    const [codeId] = await db()("promotions").where({ mass_generation_id: id }).pluck("id");
    const code = await browser.open(`/app/qr-list/${codeId}`);
    expect(code.text).toContain("The mass generation of this promotion was deactivated.");
    expect(code.text).toContain("Assigned to 2 machines");
    expect(code.hasButton("Reactivate")).toBe(false);
    for (const dialog of [`/app/qr-list/${codeId}/machines`, `/app/qr-generation/${id}/machines`])
      expect((await browser.open(dialog)).text).toContain("Assigned to 2 machines");
    const on = await off.press("Reactivate");
    expect(on.text).toContain("Mass Generation successfully reactivated");
    expect(on.text).toContain("Redeemable at 2 machines");

    const back = await on.press("Save changes", { expiration_date: "30/12/2099" });
    expect(back.status).toBe(422);
    expect(back.text).toContain("An expiration can only be moved to a later day");
    const saved = await back.press("Save changes", {
      promotionName: "Trade fair",
      expiration_date: "31/01/2100",
    });
    expect(saved.text).toContain("Mass Generation successfully updated");
    expect(saved.title).toContain("Trade fair");
    expect(saved.text).toContain("valid until 31.01.2100");
    expect(saved.text).toMatch(/Renamed \(3 codes\).*Name: Fair → Trade fair.*Deactivated/s);

    // Only an admin reactivates a generation that an admin deactivated.
    const address = `/app/qr-generation/${id}`;
    const send = (intent: string, by: string) =>
      server.send(address, { method: "POST", cookie: by, body: { intent } });
    await send("deactivate", cookie);
    expect((await browser.open(address)).hasButton("Reactivate")).toBe(false);
    const refused = await send("reactivate", `sid=${browser.cookies.get("sid")}`);
    expect(refused.status).toBe(403);
    expect(refused.body).toContain("You are not allowed to do this.");
  });

  it("is the pattern of another: the same values, no name", async () => {
    const id = idOf(
      (await post(form({ name: "Pattern", num_codes: "7", is_single_use: "true" }))).headers
        .location!,
    );
    const { body } = await open(`/app/qr-generation/mass?from=${id}`);
    expect(body).toContain("A copy of the mass generation Pattern (7 codes)");
    for (const value of ["7", "25", "31/12/2099"]) expect(body).toContain(`value="${value}"`);
    expect(body).not.toContain('value="Pattern"');
    expect(body).toMatch(/<input[^>]*name="is_single_use"[^>]*checked/);
    for (const serial of ["VM-1", "VM-2"])
      expect(body).toMatch(new RegExp(`name="machines" checked="" value="${serial}"`));
  });
});

describe("a form that can't be accepted", () => {
  const refusals: [string, Record<string, string | undefined>, string][] = [
    ["no name", { name: undefined }, "Name is required"],
    ["a NUL", { name: "a\0b" }, "Name contains characters that cannot be stored"],
    ["no number", { num_codes: undefined }, "Number of codes must be at least 1"],
    ["none", { num_codes: "0" }, "Number of codes must be at least 1"],
    ["fewer than none", { num_codes: "-3" }, "Number of codes must be at least 1"],
    ["words", { num_codes: "many" }, "Number of codes must be a whole number"],
    ["half a code", { num_codes: "1.5" }, "Number of codes must be a whole number"],
    [
      "a number in figures of Arabic",
      { num_codes: "١٢" },
      "Number of codes must be a whole number",
    ],
    ["more than MAX_CODES", { num_codes: "501" }, "Number of codes cannot exceed 500"],
    ["far more", { num_codes: "9".repeat(300) }, "Number of codes cannot exceed 500"],
    ["101 %", { discount_value: "101" }, "Percentage cannot exceed 100%"],
    [
      "five drinks at once",
      { discount_type: "free_drink", discount_value: "5", is_single_use: "true" },
      "Number of free drinks must be 1 for single use",
    ],
    ...sharedRefusals,
  ];

  it.each(refusals)(
    "%s: its sentence, 422, nothing lost, nothing made",
    async (_, changes, sentence) => {
      const before = await fingerprint();
      const answer = await post(form(changes));
      expect(answer.status).toBe(422);
      expect(answer.body).toContain(sentence);
      expect(answer.body).toContain("<title>Error: Mass Generation");
      for (const [name, value] of form(changes))
        if (["name", "num_codes", "discount_value", "expiration_date"].includes(name))
          expect(answer.body, name).toContain(`value="${value}"`);
      expect(await fingerprint()).toBe(before);
    },
  );

  it("changes nothing while machines are searched and selected", async () => {
    const before = await fingerprint();
    for (const intent of ["search-machines", "select-all", "unselect-all", "restore", ""]) {
      const answer = await post([...form().slice(0, -1), ["intent", intent]]);
      expect(answer.status).toBe(200);
      expect(answer.body).toContain('value="Festival"');
      expect(answer.body).toContain('value="30"');
    }
    expect(await fingerprint()).toBe(before);
  });
});

describe("hostile input", () => {
  it("as a name is refused or shown unharmed on every page", { timeout: 120_000 }, async () => {
    const names = everyNth(24);
    const made: string[] = [];
    for (const name of names) {
      const answer = await post(form({ name, num_codes: "1" }));
      expect([303, 422], JSON.stringify(name)).toContain(answer.status);
      if (answer.status === 422) continue;
      const [row] = await db()("mass_generations").orderBy("id", "desc").limit(1);
      expect(row).toMatchObject({ name, id: idOf(answer.headers.location!) });
      made.push(String(row.id));
    }
    expect(made.length).toBeGreaterThan(names.length / 2);
    const pages = [
      ...[1, 2].map((page) => `/app/qr-list?view=campaigns&type=mass&per_page=50&page=${page}`),
      ...made.flatMap((id) => [`/app/qr-generation/${id}`, `/app/qr-generation/mass?from=${id}`]),
    ];
    for (const path of pages) {
      const { status, body } = await open(path);
      expect(status, path).toBe(200);
      // Whatever is markup in a name is text in the page: its own scripts all carry the nonce.
      for (const tag of body.match(/<script\b[^>]*>/g) ?? []) expect(tag).toContain("nonce=");
      const tags = body.replaceAll(/="[^"]*"/g, "");
      expect(tags).not.toMatch(/<(img|iframe|svg|a)[^>]*\s(onerror|onload|onclick)\b/i);
    }
  });

  it("in any field is never a fault", { timeout: 120_000 }, async () => {
    const fields = ["num_codes", "discount_type", "discount_value", "expiration_date", "machines"];
    const more = ["machine_search", "intent", "idempotency_key", "is_single_use", "is_renewable"];
    const all = [...fields, ...more];
    for (const [index, text] of everyNth(12, naughtyStrings, 3).entries()) {
      const name = all[index % all.length]!;
      const answer = await post(form({ num_codes: "1", [name]: text }));
      expect(answer.status, `${name}: ${JSON.stringify(text)}`).toBeLessThan(500);
    }
  });

  it("in the address is a page or a 404 inside the shell", async () => {
    for (const id of ["0", "999999", "x", "9223372036854775808", "-1", "1;drop"]) {
      const { status, body } = await open(`/app/qr-generation/${id}`);
      expect(status, id).toBe(404);
      expect(body).toContain("Oops. Looks like the page you&#x27;re looking for no longer exists");
      expect(body).toContain("QR Generation");
    }
    const [id] = await db()("mass_generations").limit(1).pluck("id");
    for (const query of [
      "page=0",
      "page=1e9",
      "after=x",
      "before=9223372036854775808",
      "per_page=7",
    ]) {
      const { status, body } = await open(`/app/qr-generation/${id}?${query}`);
      expect(status).toBe(200);
      expect(body).toContain(`The value of &#x27;${query.split("=")[0]}&#x27; is not valid`);
    }
    expect((await open("/app/qr-generation/mass?from=x")).body).toContain("was not found");
  });
});
