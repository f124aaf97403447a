import { request as httpRequest } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import { beforeAll, describe, expect, it } from "vitest";
import { db } from "../../app/db/connection.server";
import { assign } from "../factories/assignments";
import { insertMachine } from "../factories/people-and-machines";
import { insertPromotion } from "../factories/promotions";
import { documentedCall, expectDocumented } from "../support/generated-requests";
import { textOfMain } from "../support/html";
import { encodeForm } from "../support/multipart";
import { addUser, issueTokenOf, openSessionOf, useServer } from "../support/server";
import { expectRejection, sessionOf, useSession } from "../support/session";

const server = useServer();
const session = useSession(server);
let token = "";

beforeAll(async () => {
  await insertMachine({ serial_number: "VM-1", human_name: "Lobby" });
  token = await issueTokenOf();
});

let serial = 0;
const newCodes = (count: number) =>
  Array.from({ length: count }, () => `SCREEN${String(++serial).padStart(4, "0")}`);
const fileOf = (codes: string[], name = "Summer") =>
  [
    "code,name,discount,uses,machines",
    ...codes.map((code) => `${code},${name},20%,single,VM-1`),
  ].join("\n");

async function upload(file: string, fields: Record<string, string> = {}) {
  const form = new FormData();
  form.set("kind", "codes");
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  form.set("file", new File([file], "codes.csv", { type: "text/csv" }));
  return session.post("/app/imports/new", {}, await encodeForm(form));
}

/** Waits for the background job. @returns the path of the import's page, with its text */
async function settled(location: string) {
  const [path = ""] = location.split("?");
  let text = "";
  await expect
    .poll(async () => (text = textOfMain((await session.get(path)).body)), { timeout: 20_000 })
    .not.toMatch(/of \d+ rows? done\./);
  return { path, text };
}

const call = (method: string, path: string, body?: string, headers: Record<string, string> = {}) =>
  fetch(`${server.origin}/api/imports/codes${path}`, {
    method,
    headers: {
      Authorization: `Bearer ${token}`,
      ...(body !== undefined && { "Content-Type": "text/csv" }),
      ...headers,
    },
    ...(body !== undefined && { body }),
  });

describe("a file of machine groups", () => {
  it("names what stays when it is undone, and is new when it is uploaded again", async () => {
    const file = "group,machines\nAssigned,VM-1\nFree,VM-1";
    const { path } = await settled((await upload(file, { kind: "groups" })).headers.location!);
    await (await session.open(path)).press("Import 2 rows");
    await settled(path);
    const group = await db()("machine_groups").where({ name: "Assigned" }).first<{ id: string }>();
    await assign("promotions", await insertPromotion(), { group_id: group!.id });
    await (await session.open(`${path}/undo`)).press("Undo import");
    expect((await settled(path)).text).toContain(
      "Undone. The imported groups and members are removed. Not undone: 1 group.",
    );
    const again = await settled((await upload(file, { kind: "groups" })).headers.location!);
    expect(again.text).toContain("All 2 rows can be imported.");
    expect(again.text).not.toContain("restored");
  });
});

describe("a file of printed codes", () => {
  it("announces a file of one row in the singular", async () => {
    const checked = await settled((await upload(fileOf(newCodes(1)))).headers.location!);
    expect(checked.text).toContain("Nothing is imported yet. Its 1 row can be imported.");
  });

  it("is uploaded, looked at, imported and undone on its page", async () => {
    const codes = newCodes(3);
    const posted = await upload(fileOf(codes));
    expect(posted.status).toBe(303);
    const checked = await settled(posted.headers.location!);
    expect(checked.text).toContain("Nothing is imported yet. All 3 rows can be imported.");
    expect(checked.text).toContain("1 mass generation with 3 codes");
    expect(await db()("promotions").where({ code: codes[0] }).first()).toBeUndefined();

    const page = await session.open(checked.path);
    await page.press("Import 3 rows");
    const imported = await settled(checked.path);
    expect(imported.text).toContain("Imported: 1 mass generation with 3 codes.");
    const list = await session.text(`/app/qr-list?q=${codes[0]}`);
    expect(list).toContain("Summer");
    expect(await session.text("/app/imports")).toMatch(/codes\.csv.*Printed codes.*3.*Imported/);

    const asked = await (await session.open(checked.path)).follow("Undo import");
    expect(asked.text).toContain("This deletes 1 mass generation with 3 codes.");
    await asked.follow("Cancel");
    expect(await session.text(checked.path)).toContain("Imported: 1 mass generation");
    const askedTwice = await session.open(`${checked.path}/undo`);
    expect((await asked.press("Undo import")).html).toContain("The import is being undone");
    expect((await askedTwice.press("Undo import")).html).toMatch(
      /This import is already (being )?undone\./,
    );
    expect((await settled(checked.path)).text).toContain("Undone. The imported codes are deleted");
    expect(await session.text("/app/audit")).toMatch(/Undone.*Confirmed/);
    const later = await session.open(`${checked.path}/undo`);
    expect(later.text).toContain("This import is already undone.");
    expect(later.hasButton("Undo import")).toBe(false);
    const same = await settled((await upload(fileOf(codes))).headers.location!);
    expect(same.text).toContain("They belong to an undone import, and are restored.");
  });

  it("is listed by the first 100 campaigns that it brought, which says so", async () => {
    const [heading, ...lines] = fileOf(newCodes(101)).split("\n");
    const named = lines.map((line, index) => line.replace("Summer", `Summer ${index}`));
    const { path } = await settled(
      (await upload([heading, ...named].join("\n"))).headers.location!,
    );
    await (await session.open(path)).press("Import 101 rows");
    const { text } = await settled(path);
    expect(text).toContain("The first 100 are shown.");
    // Lists the codes by name, as they are made.
    expect(text).toContain("Summer 98");
    expect(text).not.toContain("Summer 99");
  });

  it("is imported once from two tabs, the second of which says so", async () => {
    const { path } = await settled((await upload(fileOf(newCodes(2)))).headers.location!);
    const [first, second] = [await session.open(path), await session.open(path)];
    await first.press("Import 2 rows");
    await settled(path);
    const late = await second.press("Import 2 rows");
    expect([late.status, late.title]).toEqual([200, expect.not.stringMatching(/^Error/)]);
    expect(late.html).toContain("This import has started already");
    expect(late.text).toContain("Imported: 1 mass generation");
  });

  it("is shown with what is wrong, and can't be imported then", async () => {
    const posted = await upload(
      `code,name,discount,uses\nSHORT,Name,20%,single\n${newCodes(1)},Name,20%,single`,
    );
    const { path, text } = await settled(posted.headers.location!);
    expect(text).toContain("1 of 2 rows can't be imported, so nothing was.");
    expect(text).toContain("2 SHORT Code must have 8 to 32 letters and digits");
    expect(text).not.toContain("Import 2 rows");
    const verdicts = await session.get(`${path}/verdicts.csv`);
    expect(verdicts.body).toContain("2,SHORT,Wrong,Code must have");
    const confirmed = await session.post(path, { intent: "confirm" });
    expect(confirmed.status).toBe(409);
    await db()("import_rows").delete();
    expect((await session.open(path)).text).not.toContain("Download verdicts");
    expect((await session.get(`${path}/verdicts.csv`)).status).toBe(409);
  });

  it("says on its page that it can't be imported a day later", async () => {
    const { path } = await settled((await upload(fileOf(newCodes(2)))).headers.location!);
    const page = await session.open(path);
    await db()("imports").update({ created_at: db().raw("now() - interval '25 hours'") });
    const refused = await page.press("Import 2 rows");
    expectRejection(refused, 409, "This file was uploaded more than a day ago. Upload it again.");
    expect(refused.title).toMatch(/^Error: /);
  });

  it.each([
    ["", {}, "Choose a CSV file that is not empty"],
    ["code,price\n", {}, "Columns are missing"],
    ["code\n", { kind: "coffee" }, "Choose what the file holds"],
    ["code\n", { kind: "coffee" }, "Choose the file again"],
  ])("%j is refused in the form", async (file, fields, message) => {
    const refused = await upload(file, fields);
    expect(refused.status).toBe(422);
    expect(textOfMain(refused.body)).toContain(message);
  });

  it("is refused by the number of its columns before their names are compared", async () => {
    const names = Array.from({ length: 32_000 }, (_, index) =>
      String.fromCodePoint(0x3400 + index),
    );
    const refused = await call("POST", "", names.join(","));
    expect(refused.status).toBe(422);
    expect(await refused.text()).toContain("The first row has more than 100 cells");
  });

  it("asks for a file where none is chosen, and keeps the chosen content", async () => {
    const form = new FormData();
    form.set("kind", "groups");
    form.set("file", new File([], ""));
    const refused = await session.post("/app/imports/new", {}, await encodeForm(form));
    expect(refused.status).toBe(422);
    expect(refused.body).toContain("Choose a CSV file");
    expect(refused.body).toMatch(/<option value="groups" selected/);
  });

  it("comes back with the form when its user has two uploads running", async () => {
    const count = async () => Number((await db()("imports").count())[0]!.count);
    const before = await count();
    const { port } = new URL(server.origin);
    const running = [1, 2].map(() => {
      const sent = httpRequest({
        port,
        method: "POST",
        path: "/api/imports/codes",
        headers: { Authorization: `Bearer ${token}`, "Content-Type": "text/csv" },
      });
      sent.on("error", () => {}).write(fileOf(newCodes(8_000)).slice(0, 150_000));
      return sent;
    });
    await expect.poll(count).toBe(before + 2);
    const refused = await upload("group\nStations", { kind: "groups" });
    for (const sent of running) sent.destroy();
    await expect.poll(count, { timeout: 20_000 }).toBe(before);
    expect(refused.status).toBe(429);
    expect(textOfMain(refused.body)).toContain("You have 2 uploads running.");
    expect(refused.body).toMatch(/<option value="groups" selected/);
  });

  it("can hold machines only where no platform lists them", async () => {
    const text = await session.text("/app/imports/new");
    expect(text).toContain("Machines can't be imported: SmartVend lists the machines");
    expect(text).toContain("Columns for assignments");
    const refused = await upload("serial_number\nVM-9", { kind: "machines" });
    expect(refused.status).toBe(409);
  });

  it("has a template with the names of its columns", async () => {
    const { body } = await session.get("/app/imports/template.csv?kind=codes");
    expect(body).toMatch(/^\ufeffcode,name,discount,uses,expiration,machines,groups\r\n/);
    const groups = await session.get("/app/imports/template.csv?kind=groups");
    expect(groups.body).toContain("group,machines,kind\r\nStations,VM-1001,site\r\nStations,");
  });

  it("leads a browser that asks for the verdicts of a deleted import to the list", async () => {
    const headers = { Accept: "text/html" };
    const refused = await session.get("/app/imports/999999/verdicts.csv", { headers });
    const page = await session.get(refused.headers.location!);
    expect(await session.follow(page)).toContain("Import not found.");
  });

  it("is no viewer's, and another user's only", async () => {
    const { location } = (await upload(fileOf(newCodes(1)))).headers;
    await addUser("other@example.com");
    const other = sessionOf(server, await openSessionOf("other@example.com"));
    expect((await other.get(location!)).headers.location).toContain("/app/imports");
    await addUser("viewer@example.com", "viewer");
    const viewer = sessionOf(server, await openSessionOf("viewer@example.com"));
    expect((await viewer.get("/app/imports")).status).toBe(403);
  });
});

describe("POST /api/imports/codes", () => {
  async function poll(id: number) {
    let item: { state: string } = { state: "" };
    await expect
      .poll(
        async () => (item = (await (await call("GET", `/${id}`)).json()) as typeof item).state,
        {
          timeout: 20_000,
        },
      )
      .toMatch(/^(checked|imported|undone)$/);
    return item;
  }

  it("takes a file, which is confirmed and undone by calls", async () => {
    const codes = newCodes(2);
    const created = await call("POST", "", fileOf(codes, "By call"));
    expect(created.status).toBe(201);
    const { id } = (await created.json()) as { id: number };
    expect(await poll(id)).toMatchObject({
      kind: "codes",
      state: "checked",
      rows: 2,
      wrong_rows: 0,
    });
    const early = await call("POST", `/${id}/undo`);
    expect([early.status, (await early.json()).error]).toEqual([
      409,
      "This file was not imported, so there is nothing to undo.",
    ]);
    expect((await call("POST", `/${id}/confirm`)).status).toBe(200);
    expect(await poll(id)).toMatchObject({ state: "imported", done_rows: 2 });
    expect((await call("POST", `/${id}/undo`)).status).toBe(200);
    expect(await poll(id)).toMatchObject({ state: "undone" });
    expect((await call("POST", `/${id}/undo`)).status).toBe(409);
  });

  it("answers the wrong rows of a file as it is documented", async () => {
    const { id } = (await (
      await call("POST", "", "code,name,discount,uses\nSHORT,Name,20%,single")
    ).json()) as {
      id: number;
    };
    const [line, entry, problem] = [2, "SHORT", "Code must have 8 to 32 letters and digits"];
    expect(await poll(id)).toMatchObject({ wrong: [{ line, entry, problem }] });
    const answer = await call("GET", `/${id}`);
    const { status } = answer;
    const headers = Object.fromEntries(answer.headers);
    const documented = documentedCall("GET", `/api/imports/codes/${id}`);
    expectDocumented(documented, { status, headers, body: await answer.text() }, "wrong rows");
  });

  it("runs once with one key", async () => {
    const file = fileOf(newCodes(1));
    const key = { "Idempotency-Key": "one-import" };
    const answers = [await call("POST", "", file, key), await call("POST", "", file, key)];
    const [first, second] = await Promise.all(answers.map((answer) => answer.json()));
    expect((first as { id: number }).id).toBe((second as { id: number }).id);
  });

  it("says what is wrong with a file", async () => {
    const refused = await call("POST", "", "code\n");
    expect(refused.status).toBe(422);
    expect(await refused.json()).toMatchObject({
      fields: { file: expect.stringContaining("Columns are missing") as string },
    });
    const latin = await fetch(`${server.origin}/api/imports/codes`, {
      method: "POST",
      headers: { Authorization: `Bearer ${token}`, "Content-Type": "text/csv" },
      body: new Uint8Array(Buffer.from("code\nKäse", "latin1")),
    });
    expect(await latin.text()).toContain("not encoded as UTF-8");
    const unsupported: [Record<string, string>, string][] = [
      [{ "Content-Type": "application/json" }, "Send text/csv."],
      [{ "Content-Type": "text/plain" }, "Send text/csv."],
      [
        { "Content-Type": "text/csv", "Content-Encoding": "gzip" },
        "Send the body without a Content-Encoding.",
      ],
    ];
    for (const [headers, error] of unsupported) {
      const refused = await call("POST", "", "{}", headers);
      expect([refused.status, await refused.json()]).toEqual([415, { error }]);
    }
  });

  it("is refused before the file is read without a valid token, and beyond the largest size", async () => {
    const head = (headers: Record<string, string | number>) =>
      new Promise<number>((resolve, reject) => {
        const { port } = new URL(server.origin);
        const options = { port, method: "POST", path: "/api/imports/codes", headers };
        const sent = httpRequest(options, (answer) => resolve(answer.statusCode!));
        sent.on("error", reject).flushHeaders();
      });
    const csv = { "Content-Type": "text/csv", "Content-Length": 1_000_000 };
    expect(await head({ ...csv, Authorization: "Bearer nothing" })).toBe(401);
    const authorized = { ...csv, Authorization: `Bearer ${token}` };
    expect(await head({ ...authorized, "Content-Length": 300_000_000 })).toBe(413);
  });

  it("reads a file larger than a form while it arrives, and leaves nothing when it breaks off", async () => {
    const codes = newCodes(8_000);
    const created = await call("POST", "", fileOf(codes));
    expect(created.status).toBe(201);
    const { id } = (await created.json()) as { id: number };
    expect(await db()("import_rows").where({ import_id: id }).count()).toEqual([{ count: "8000" }]);
    const imports = await db()("imports").count();
    const { port } = new URL(server.origin);
    const sent = httpRequest({
      port,
      method: "POST",
      path: "/api/imports/codes",
      headers: { Authorization: `Bearer ${token}`, "Content-Type": "text/csv" },
    });
    sent.on("error", () => {}).write(fileOf(codes).slice(0, 150_000));
    await expect.poll(() => db()("imports").count()).not.toEqual(imports);
    await delay(200);
    sent.destroy();
    await expect.poll(() => db()("imports").count(), { timeout: 20_000 }).toEqual(imports);
  });
});
