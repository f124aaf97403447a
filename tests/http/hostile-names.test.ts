import { beforeAll, describe, expect, it } from "vitest";
import { nameError } from "../../app/forms/storable-text";
import { insertMachine } from "../factories/people-and-machines";
import { insertPromotion } from "../factories/promotions";
import { asRead, textsOf } from "../support/html";
import { everyNth, naughtyStrings } from "../support/naughty-strings";
import { readCsv } from "../support/read-csv";
import { useServer } from "../support/server";

const server = useServer();
let cookie = "";

const names = naughtyStrings.filter((text) => nameError(text) === null);
const ids = new Map<string, string>();

beforeAll(async () => {
  cookie = await server.signIn();
  for (const [index, name] of names.entries()) {
    ids.set(name, await insertPromotion({ name }));
    if (index % 20 === 0) {
      await insertMachine({ serial_number: `S${index} ${name}`.slice(0, 100), human_name: name });
    }
  }
});

const ask = (path: string, query: Record<string, string>) =>
  server.send(`${path}?${new URLSearchParams(query)}`, { cookie });

/** Tells whether a name is searched as it is and matches no more rows than a page has. */
function isOnFirstPage(name: string): boolean {
  const needle = name.trim().toLowerCase();
  const matches = names.filter((other) => other.toLowerCase().includes(needle));
  return [...needle].length > 2 && needle.length <= 100 && matches.length <= 40;
}

describe("the naughty strings", () => {
  it("are names that the list finds and shows as they are", { timeout: 120_000 }, async () => {
    expect(names.length).toBeGreaterThan(400);
    for (const name of everyNth(24, names)) {
      const answer = await ask("/app/qr-list", { text: name, rows: "50" });
      expect(answer.status, name).toBe(200);
      if (isOnFirstPage(name)) expect(textsOf(answer.body, "a"), name).toContain(asRead(name));
      expect(answer.body).not.toContain("<script>alert");
    }
  });

  it("are filters of machines, and nothing breaks", { timeout: 120_000 }, async () => {
    const strings = everyNth(24, naughtyStrings, 1);
    for (let index = 0; index < strings.length; index += 2) {
      const [text, other = ""] = strings.slice(index);
      const filters = { controller: text!, serial_number: other, text: other };
      const answer = await ask("/app/qr-list", { ...filters, include_deleted: text! });
      expect(answer.status, text).toBe(200);
    }
  });

  it("are shown on their own page and exported unharmed", { timeout: 120_000 }, async () => {
    for (const name of everyNth(48, names)) {
      const page = await server.send(`/app/qr-list/${ids.get(name)}`, { cookie });
      expect(page.status, name).toBe(200);
      expect(textsOf(page.body, "h1")[0], name).toBe(asRead(name));
      const machines = await server.send(`/app/qr-list/${ids.get(name)}/machines`, { cookie });
      expect(machines.status, name).toBe(200);
    }
    const { body } = await ask("/app/qr-list/export.csv", {});
    const exported = readCsv(body.slice(1)).map((row) => row[2]!.replace(/^'(?=[\s=+\-@'])/, ""));
    expect(exported).toEqual(
      expect.arrayContaining(names.map((name) => name.replace(/^'(?=[\s=+\-@'])/, ""))),
    );
  });

  it("are values of any other filter that mean nothing and are named", async () => {
    for (const text of everyNth(48, naughtyStrings, 7)) {
      const everywhere = ["status", "type", "created", "created_after", "is_used", "sort", "page"];
      const query = Object.fromEntries(everywhere.map((filter) => [filter, text]));
      expect((await ask("/app/qr-list", query)).status, text).toBe(200);
      const api = await ask("/app/qr-list/export.csv", { status: text });
      expect(api.status, text).toBe(text.trim() === "" ? 200 : 400);
    }
  });
});
