import { beforeAll, describe, expect, it } from "vitest";
import { db } from "../../app/db/connection.server";
import { insertMassGeneration } from "../factories/mass-generations";
import { insertLobbyCanteenAndCellar } from "../factories/people-and-machines";
import { insertCodes, insertGeneration } from "../factories/promotions";
import { formsLike, sharedFields, sharedRefusals } from "../support/form-fields";
import { textOfMain } from "../support/html";
import { readZip } from "../support/read-zip";
import { fingerprint, useServer, type Answer } from "../support/server";
import { expectRejection, useSession } from "../support/session";

/** Many codes at once with nothing but HTTP: no browser, no script. */
const server = useServer({ environment: { MAX_CODES: "500" } });
const session = useSession(server);
const operator = useSession(server, "operator@example.com");
beforeAll(insertLobbyCanteenAndCellar);

const form = formsLike([
  ["name", "Festival"],
  ["num_codes", "30"],
  ["discount_value", "25"],
  ...sharedFields,
]);

const post = (body: [string, string][]) => session.post("/app/qr-generation/mass", body);
const idOf = ({ headers }: Answer) => /^\/app\/qr-generation\/(\d+)\?/.exec(headers.location!)![1]!;
const withoutMachines = (fields: [string, string][]) =>
  fields.filter(([name]) => name !== "machines");
const keyIn = (html: string) => /name="idempotency_key" value="([^"]+)"/.exec(html)![1]!;

describe("a mass generation", () => {
  it("is made once however often it is sent, shown, listed and downloaded", async () => {
    const page = await session.page("/app/qr-generation/mass");
    expect(page).toContain("Required. 1 to 500.");
    expect(page).toContain("Canteen");
    expect(page).not.toContain("Cellar");
    const once: [string, string] = ["idempotency_key", keyIn(page)];

    const answers = await Promise.all([1, 2, 3].map(() => post([...form(), once])));
    answers.push(await post([...form(), once]));
    const ids = new Set(answers.map(idOf));
    expect(answers.map((answer) => answer.status)).toEqual([303, 303, 303, 303]);
    expect(ids.size).toBe(1);
    const [id] = ids;
    expect(await db()("mass_generations").pluck("id")).toEqual([id]);
    expect(await db()("promotions").where({ mass_generation_id: id })).toHaveLength(30);
    expect(await db()("assignments")).toHaveLength(2);

    const shown = await session.follow(answers[0]!);
    for (const words of [
      "QR codes generated successfully",
      "Festival",
      "25%",
      "valid until 31.12.2099 23:59",
      "by admin@example.com",
      "VM-1",
      "Codes used",
      "Active codes",
      "30 active",
      "1–25 of",
      "Created (30 codes)",
      "Download archive",
      `href="/app/qr-generation/${id}/archive.zip"`,
      `href="/app/qr-generation/${id}/labels"`,
      'href="/app/qr-list?view=campaigns&type=mass"',
      `href="/app/qr-generation/mass?from=${id}"`,
      `href="/app/qr-list?mass_generation_id=${id}"`,
    ])
      expect(shown).toContain(words);
    expect(textOfMain(shown)).toMatch(/Hours Always Expiration valid until [^)]+\) Caps None/);
    for (const list of ["qr-list", "transactions"])
      expect(await session.page(`/app/${list}?mass_generation_id=${id}`)).toContain(
        "</span>Campaign: Festival",
      );
    const codes = new Set(shown.match(/[2-9A-Z]{4}(-[2-9A-Z]{4}){2}/g));
    expect(codes.size).toBe(25);

    const archive = await fetch(`${server.origin}/app/qr-generation/${id}/archive.zip`, {
      headers: { Cookie: session.cookie },
    });
    expect(archive.headers.get("Content-Disposition")).toContain(`mass_generation_${id}.zip`);
    const { entries } = await readZip(Buffer.from(await archive.arrayBuffer()));
    const names = entries.map(({ fileName }) => fileName);
    expect(names).toHaveLength(31);
    for (const code of codes) expect(names).toContain(`${code.replaceAll("-", "")}.png`);

    const former = await session.get("/app/qr-generation/all");
    expect(former.status).toBe(301);
    const list = await session.follow(former);
    for (const words of ["30 codes", "0 (0%)", "Mass Gen", "Active"]) expect(list).toContain(words);
    const [promotion] = await db()("promotions").where({ mass_generation_id: id }).pluck("id");
    expect(await session.text(`/app/qr-list/${promotion}`)).toContain("Mass Gen, one of 30 codes");
    for (const path of [`/app/qr-list/${promotion}`, `/app/qr-list/${promotion}/download`])
      expect(await session.page(path)).toContain(`href="/app/qr-generation/${id}"`);
  });

  it("without machines says so before anything is printed, and doesn't start the archive", async () => {
    const assigned = await post(form({ name: "Assigned" }));
    expect(assigned.headers.location).toContain("download=1");
    const made = await post(withoutMachines(form({ name: "Nowhere" })));
    expect(made.headers.location).not.toContain("download");
    const page = await session.follow(made);
    const warning = "No machine accepts these 30 codes yet. Assign machines first.";
    expect(page).toContain(warning);
    expect(page.indexOf("Assign machines<")).toBeLessThan(page.indexOf("Download archive<"));
    const id = idOf(made);
    expect(await session.page(`/app/qr-generation/${id}/labels`)).toContain(warning);
    expect(await session.page(`/app/qr-generation/${idOf(assigned)}/labels`)).not.toContain(
      warning,
    );
  });

  it("that was sent once with other values is not made again under the same key", async () => {
    const once: [string, string] = ["idempotency_key", "one-key-of-a-mass-form"];
    const first = await post([...form({ name: "First" }), once]);
    expect(first.status).toBe(303);
    const before = await fingerprint();
    const second = await post([...form({ name: "Second" }), once]);
    expect(second.status).toBe(409);
    expect(await fingerprint()).toBe(before);
    expect(second.body).toContain('value="Second"');
    expect(second.body).toMatch(
      new RegExp(`The first attempt made 30 codes of [^}]*"/app/qr-generation/${idOf(first)}"`),
    );
    const fresh: [string, string] = ["idempotency_key", keyIn(second.body)];
    expect((await post([...form({ name: "Second" }), fresh])).status).toBe(303);
  });

  it("is deleted and restored from its own page, and says so", async () => {
    const page = `/app/qr-generation/${idOf(await post(form({ name: "Wrong batch" })))}`;
    const dialog = await session.page(`${page}/delete`);
    expect(dialog).toContain("Confirm deletion of mass generation");
    expect(dialog).toContain("Delete all 30 codes");
    const deleted = await session.post(`${page}/delete`);
    expect(deleted.headers.location).toMatch(new RegExp(`^${page}\\?flash=`));
    const shown = await session.follow(deleted);
    expect(shown).toContain("Mass Generation successfully deleted");
    expect(shown).toContain(
      "This campaign is deleted. Machines refuse its codes. Restore it to use them again.",
    );
    for (const link of ["archive.zip", "delete"]) expect(shown).not.toContain(`${page}/${link}`);
    const [code] = await db()("promotions").where({ name: "Wrong batch" }).pluck("id");
    expect(await session.page(`/app/qr-list/${code}/download`)).toContain(
      "Restore it to download its archive.",
    );

    expect(await operator.page(`/app/qr-list/${code}/download`)).toContain(
      "Only an admin can restore it.",
    );
    expect(await operator.page(page)).not.toContain(`${page}/restore`);
    const again = await session.follow(await session.post(`${page}/restore`));
    expect(again).toContain("Campaign successfully restored");
    expect(again).toContain("30 active");
  });

  it("is deactivated, undone, renamed and extended on its own page without scripts", async () => {
    const id = idOf(await post(form({ name: "Fair", num_codes: "3" })));
    const address = `/app/qr-generation/${id}`;
    const page = await operator.open(address);
    const off = await page.press("Deactivate all 3 codes");
    expect(off.text).toContain("Campaign successfully deactivated: 3 codes");
    expect(off.text).toContain(
      "This campaign was deactivated. Machines refuse its codes. Reactivate it to use them again.",
    );
    expect(off.hrefOf("3 inactive")).toBe(`/app/qr-list?mass_generation_id=${id}&status=inactive`);
    expect(off.text).toContain("Assigned to 2 machines");
    const [codeId] = await db()("promotions").where({ mass_generation_id: id }).pluck("id");
    const code = await operator.open(`/app/qr-list/${codeId}`);
    expect(code.text).toContain("The campaign of this code was deactivated.");
    expect(code.text).toContain("Assigned to 2 machines");
    expect(code.hasButton("Reactivate")).toBe(false);
    for (const path of [`/app/qr-list/${codeId}/machines`, `/app/qr-generation/${id}/machines`]) {
      const dialog = await operator.open(path);
      expect(dialog.title).toMatch(/^Manage Machines - /);
      expect(dialog.text).toContain("Assigned to 2 machines");
    }
    const on = await off.press("Reactivate");
    expect(on.text).toContain("Campaign successfully reactivated");
    expect(on.text).toContain("Redeemable at 2 machines");

    const back = await on.press("Save changes", { expiration_date: "30/12/2099" });
    expect(back.status).toBe(422);
    expect(back.text).toContain("An expiration can only be moved to a later day");
    const saved = await back.press("Save changes", {
      promotionName: "Trade fair",
      expiration_date: "31/01/2100",
    });
    expect(saved.text).toContain("Campaign successfully updated");
    expect(saved.title).toContain("Trade fair");
    expect(saved.text).toContain("valid until 31.01.2100");
    expect(saved.text).toMatch(/Renamed \(3 codes\).*Name: Fair → Trade fair.*Deactivated/s);

    // Only an admin reactivates a generation that an admin deactivated.
    await session.post(address, { intent: "deactivate" });
    expect((await operator.open(address)).hasButton("Reactivate")).toBe(false);
    const refused = await operator.post(address, { intent: "reactivate" });
    expectRejection(refused, 403, "Only admins can do this now. Ask one of them.");
  });

  it("keeps a code inactive that was so before its deactivation, when an admin undoes that", async () => {
    const id = await insertGeneration({ num_codes: 2 });
    const [leaked] = await insertCodes(id, 2);
    await db()("promotions").where({ id: leaked }).update({ is_active: false });
    const page = await session.open(`/app/qr-generation/${id}`);
    const off = await page.press("Deactivate all 2 codes");
    const undone = await off.press("Undo");
    expect(undone.text).toContain("Campaign successfully reactivated: 1 code");
    const inactive = db()("promotions").where({ mass_generation_id: id, is_active: false });
    expect(await inactive.pluck("id")).toEqual([leaked]);
  });

  it("is called inactive already, without an undo, on a page that was opened before", async () => {
    const id = await insertGeneration({ num_codes: 2 });
    await insertCodes(id, 2);
    const page = await session.open(`/app/qr-generation/${id}`);
    await (await operator.open(`/app/qr-generation/${id}`)).press("Deactivate all 2 codes");
    const off = await page.press("Deactivate all 2 codes");
    expect(off.text).toContain("This campaign is already inactive.");
    expect(off.hasButton("Undo")).toBe(false);
  });

  it("is reactivated on its own page when all its codes were deactivated by themselves", async () => {
    const id = idOf(await post(form({ name: "One by one", num_codes: "2" })));
    const address = `/app/qr-generation/${id}`;
    await db()("promotions").where({ mass_generation_id: id }).update({ is_active: false });
    const off = await session.open(address);
    expect(off.text).toContain("All codes were deactivated. Machines refuse them. Reactivate them");
    const on = await off.press("Reactivate");
    expect(on.text).toContain("Campaign successfully reactivated");
    expect(on.text).toContain("2 active");
    expect(on.text).toContain("Reactivated (2 codes)");
    expect((await operator.open(address)).hasButton("Reactivate")).toBe(false);
  });

  it("is the pattern of another: the same values, no name", async () => {
    const id = idOf(await post(form({ name: "Pattern", num_codes: "7", is_single_use: "true" })));
    const body = await session.page(`/app/qr-generation/mass?from=${id}`);
    expect(body).toContain("A copy of the campaign Pattern (7 codes)");
    for (const value of ["7", "25", "31/12/2099"]) expect(body).toContain(`value="${value}"`);
    expect(body).not.toContain('value="Pattern"');
    expect(body).toMatch(/<input[^>]*name="is_single_use"[^>]*checked/);
    for (const serial of ["VM-1", "VM-2"])
      expect(body).toMatch(new RegExp(`name="machines" checked="" value="${serial}"`));
  });

  it("gets more codes of its pattern from a form, whose files can be had alone", async () => {
    const pattern = { code_prefix: "fest-", code_length: "16" };
    const id = idOf(await post(form({ num_codes: "3", ...pattern })));
    const page = await session.open(`/app/qr-generation/${id}/add-codes`);
    expect(page.text).toContain("1 to 497, in addition to the 3 codes it has");
    const added = await page.press("Add codes", { num_codes: "2" });
    expect(added.text).toContain("2 codes added");
    const other = await page.press("Add codes", { num_codes: "3" });
    expect(other.status).toBe(409);
    expect(other.html).toMatch(
      new RegExp(`<a href="/app/qr-generation/${id}">The first attempt made 2 codes of `),
    );
    expect(added.text).toContain("2 codes, numbers 4 to 5");
    const codes = await db()("promotions").where({ mass_generation_id: id }).pluck("code");
    expect(codes.join()).toMatch(/^(FEST[2-9A-Z]{12},?){5}$/);
    expect(added.text).toMatch(/Download archive of (\d\d\.\d\d\.\d{4}.*), Labels of \1/);
    const [, query] = /archive\.zip(\?added=\d+)"/.exec(added.html)!;
    const archive = await session.get(`/app/qr-generation/${id}/archive.zip${query}`);
    expect(archive.headers["content-disposition"]).toContain(`mass_generation_${id}_4-5.zip`);
    const labels = await session.text(`/app/qr-generation/${id}/labels${query}`);
    expect(labels).toMatch(/Choose from.*All codes.*The 2 codes added on/);
    expect(added.text).toContain("Codes: 3 → 5");
    expect(labels).toContain("2 codes, numbers 4 to 5 of 5");

    await db()("mass_generations").where({ id }).update({ expires_at: "2020-01-01" });
    const ended = await session.text(`/app/qr-generation/${id}/add-codes`);
    expect(ended).toContain("This campaign has ended. Extend its expiration first.");
    expectRejection(await post(form({ ...pattern, code_length: "14" })), 422, "from 15 to 32");
  });
});

describe("the form that adds codes", () => {
  it("adds once when it is sent again, although fewer are left by then", async () => {
    const id = await insertMassGeneration({ num_codes: 300 });
    const path = `/app/qr-generation/${id}/add-codes`;
    const fields = { num_codes: "150", idempotency_key: keyIn(await session.page(path)) };
    const answers = [await session.post(path, fields), await session.post(path, fields)];
    expect(answers.map(({ status }) => status)).toEqual([303, 303]);
    expect(await db()("mass_generations").where({ id }).pluck("num_codes")).toEqual([450]);
  });

  it("says how many are left", async () => {
    const id = await insertMassGeneration({ num_codes: 300 });
    const refused = await session.post(`/app/qr-generation/${id}/add-codes`, { num_codes: "201" });
    expectRejection(refused, 422, "Number of codes cannot exceed 200");
  });
});

describe("a form that can't be accepted", () => {
  // Each message of the form's own fields is tested with its rules.
  const refusals: [string, Record<string, string | undefined>, string][] = [
    ["no name", { name: undefined }, "Name is required"],
    ["words for a number", { num_codes: "many" }, "Number of codes must be a whole number"],
    ["more than MAX_CODES", { num_codes: "501" }, "Number of codes cannot exceed 500"],
    ...sharedRefusals,
  ];

  it.each(refusals)(
    "comes back filled with the message for %s, and makes nothing",
    async (...row) => {
      const [, changes, message] = row;
      const before = await fingerprint();
      const answer = await post(form(changes));
      expectRejection(answer, 422, message);
      expect(answer.body).toContain("<title>Error: Mass Generation");
      for (const [name, value] of form(changes))
        if (["name", "num_codes", "discount_value", "expiration_date"].includes(name))
          expect(answer.body, name).toContain(`value="${value}"`);
      expect(await fingerprint()).toBe(before);
    },
  );

  it("is told all that is wrong at once", async () => {
    const wrong = { name: undefined, num_codes: "501", expiration_date: "01/01/2020" };
    const answer = await post(form(wrong));
    for (const message of ["Name is required", "cannot exceed 500", "Date cannot be in the past"])
      expectRejection(answer, 422, message);
  });

  it("changes nothing while machines are searched and selected", async () => {
    const before = await fingerprint();
    for (const intent of ["search-machines", "select-all", "unselect-all", "restore", ""]) {
      const answer = await post([...form().slice(0, -1), ["intent", intent]]);
      expect(answer.status).toBe(200);
      for (const value of ["Festival", "30"]) expect(answer.body).toContain(`value="${value}"`);
    }
    expect(await fingerprint()).toBe(before);
  });
});

describe("hostile input", () => {
  it("in the address is a page or a 404 inside the shell", async () => {
    for (const id of ["0", "999999", "x", "9223372036854775808", "-1", "1;drop"]) {
      const { status, body } = await session.get(`/app/qr-generation/${id}`);
      expect(status, id).toBe(404);
      expect(body).toContain("Oops. Looks like the page you're looking for no longer exists");
      expect(body).toContain("QR Generation");
    }
    const [id] = await db()("mass_generations").limit(1).pluck("id");
    const queries = ["page=0", "page=1e9", "after=x", "before=9223372036854775808", "per_page=7"];
    for (const query of queries) {
      const { status, body } = await session.get(`/app/qr-generation/${id}?${query}`);
      expect(status).toBe(200);
      expect(body).toContain(`The value of '${query.split("=")[0]}' is not valid`);
    }
    expect(await session.page("/app/qr-generation/mass?from=x")).toContain("was not found");
  });
});
