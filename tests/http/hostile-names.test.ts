import { beforeAll, describe, expect, it } from "vitest";
import { db } from "../../app/db/connection.server";
import { createIntegration } from "../../app/features/integrations/integrations.server";
import { fieldError, nameText } from "../../app/forms/fields";
import { assign } from "../factories/assignments";
import { insertGroup } from "../factories/machine-groups";
import { insertMassGeneration } from "../factories/mass-generations";
import { insertMachine, insertUser } from "../factories/people-and-machines";
import { insertPromotion } from "../factories/promotions";
import { newCode } from "../factories/redemptions";
import { asRead, textsOf } from "../support/html";
import { everyNth, naughtyStrings } from "../support/naughty-strings";
import { openSessionOf, useServer } from "../support/server";
import { inSoak } from "../support/repetitions";

const server = useServer();
let cookie = "";

const names = naughtyStrings.filter((text) => fieldError(nameText(), text) === null);

beforeAll(async () => {
  cookie = await openSessionOf();
  const machines = names
    .filter((_, index) => index % 20 === 0)
    .map((name, index) => ({
      serial_number: `S${index} ${name}`.slice(0, 100),
      human_name: name,
    }));
  await db()("machines").insert(machines);
  const terms = { discount_type: "percentage", discount_value: 25 };
  const uses = { is_single_use: false, is_renewable: false };
  await db()("promotions").insert(
    names.map((name) => ({ code: newCode(), name, ...terms, ...uses })),
  );
});

const ask = (path: string, query: Record<string, string> = {}) =>
  server.send(`${path}?${new URLSearchParams(query)}`, { cookie });

/** Asserts that markup in a text is text in the page: the page's own scripts all carry the nonce. */
function expectNoMarkup(body: string): void {
  for (const tag of body.match(/<script\b[^>]*>/g) ?? []) expect(tag).toContain("nonce=");
  const tags = body.replaceAll(/="[^"]*"/g, "");
  expect(tags).not.toMatch(/<(img|iframe|svg|a)[^>]*\s(onerror|onload|onclick)\b/i);
}

/** Tells whether a name is searched as it is and matches no more rows than a page has. */
function isOnFirstPage(name: string): boolean {
  const needle = name.trim().toLowerCase();
  const matches = names.filter((other) => other.toLowerCase().includes(needle));
  return [...needle].length > 2 && needle.length <= 100 && matches.length <= 40;
}

/** A page, and the elements one of which is to hold the name. */
type Shown = [path: string, tag: string | null];

async function promotionPages(name: string): Promise<Shown[]> {
  const path = `/app/qr-list/${await insertPromotion({ name })}`;
  return [
    [path, "h1"],
    [`${path}/machines`, null],
  ];
}

async function generationPages(name: string): Promise<Shown[]> {
  const id = await insertMassGeneration({ name, num_codes: 1 });
  return [
    [`/app/qr-generation/${id}`, "h1"],
    [`/app/qr-generation/mass?from=${id}`, null],
    ["/app/qr-list?view=campaigns&type=mass", "a"],
  ];
}

async function groupPages(name: string): Promise<Shown[]> {
  await db()("machine_groups").delete();
  const group_id = await insertGroup([(await insertMachine()).id], { name });
  const promotion = await insertPromotion({ is_assigned: true });
  await assign("promotions", promotion, { group_id });
  return [
    [`/app/machine-groups/${group_id}`, "h1"],
    [`/app/machine-groups/${group_id}/delete`, "h1"],
    ["/app/machine-groups", "a"],
    [`/app/qr-list/${promotion}`, "a"],
    [`/app/qr-list/${promotion}/machines`, "a"],
    ["/app/qr-generation", null],
    ["/app/qr-generation/mass", null],
  ];
}

async function integrationPages(name: string): Promise<Shown[]> {
  const { id } = await createIntegration({ name }, { actor: await insertUser() });
  return [
    [`/app/integrations/${id}`, "h1"],
    ["/app/integrations", "a"],
  ];
}

/** The name of the user who is signed in is in the top bar of every page. */
async function personPages(name: string): Promise<Shown[]> {
  const first_name = [...name].slice(0, 100).join("");
  await db()("users").where({ email: "admin@example.com" }).update({ first_name });
  return [
    ["/app/profile", null],
    ["/app/users", null],
  ];
}

describe("the naughty strings", () => {
  inSoak(it)(
    "are names that the list finds and shows as they are",
    { timeout: 120_000 },
    async () => {
      expect(names.length).toBeGreaterThan(400);
      for (const name of everyNth(72, names)) {
        const answer = await ask("/app/qr-list", { text: name, rows: "50" });
        expect(answer.status, name).toBe(200);
        if (isOnFirstPage(name)) expect(textsOf(answer.body, "a"), name).toContain(asRead(name));
        expectNoMarkup(answer.body);
      }
    },
  );

  it.each([
    ["promotions", promotionPages],
    ["mass generations", generationPages],
    ["machine groups", groupPages],
    ["integrations", integrationPages],
    ["people", personPages],
  ])("are names of %s, shown as they are", { timeout: 600_000 }, async (_kind, pagesOf) => {
    for (const name of everyNth(216, names).map((text) => text.trim())) {
      for (const [path, tag] of await pagesOf(name)) {
        const { status, body } = await server.send(path, { cookie });
        expect(status, `${path} ${name}`).toBe(200);
        if (tag) expect(textsOf(body, tag), `${path} ${name}`).toContain(asRead(name));
        expectNoMarkup(body);
      }
    }
  });

  it.each([
    ["/app/qr-list", ["controller", "serial_number", "text", "include_deleted"]],
    ["/app/qr-list", ["status", "type", "created", "created_after", "is_used", "sort"]],
    ["/app/qr-list", ["page", "per_page", "after", "before", "view", "flash"]],
    ["/app/machine-groups", ["search", "page", "per_page"]],
    ["/app/transactions", ["machine", "promotion"]],
    ["/app/transactions", ["status", "type", "integration", "page", "after", "created"]],
  ])("are values of the filters of %s that break nothing: %j", async (path, filters) => {
    for (const text of everyNth(72, naughtyStrings, filters.length)) {
      const answer = await ask(path, Object.fromEntries(filters.map((filter) => [filter, text])));
      // A list may drop its empty filters from the address.
      expect(text === "" ? [200, 302] : [200], text).toContain(answer.status);
      expectNoMarkup(answer.body);
    }
  });
});
