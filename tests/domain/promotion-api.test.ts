import { createRequestHandler, type ServerBuild } from "@remix-run/node";
import pino from "pino";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { db } from "../../app/db/connection.server";
import * as site from "../../app/db/site.server";
import { issueTokens } from "../../app/features/sign-in/tokens.server";
import * as apiRoute from "../../app/routes/api.$/route";
import { codesOf, insertMassGeneration } from "../factories/mass-generations";
import { insertMachine, insertUser } from "../factories/people-and-machines";
import { insertPromotion } from "../factories/promotions";
import { decodeQr } from "../support/decode-qr";
import { useDatabase } from "../support/postgres";
import { changeSettings } from "../factories/settings";

useDatabase();

// Remix's own request handler over the API's route alone.
const handle = createRequestHandler({
  routes: { api: { id: "api", path: "api/*", module: apiRoute } },
  entry: { module: { default: () => new Response("a page", { status: 500 }) } },
  assets: { version: "1", url: "", entry: { module: "", imports: [] }, routes: {} },
  future: { v3_throwAbortReason: true },
} as unknown as ServerBuild);

let token = "";
let serial = "";
beforeAll(async () => {
  const actor = await insertUser();
  ({ token } = await issueTokens({ ...actor, credentialsVersion: 1 }, { actor }));
  serial = (await insertMachine()).serial_number;
});

type Call = { method?: string; body?: unknown; headers?: Record<string, string> };

function call(path: string, { method = "GET", body, headers = {} }: Call = {}) {
  const request = new Request(`http://localhost${path}`, {
    method,
    headers: {
      Authorization: `Bearer ${token}`,
      ...(body !== undefined && { "Content-Type": "application/json" }),
      ...headers,
    },
    body: typeof body === "string" || body === undefined ? body : JSON.stringify(body),
  });
  return handle(request, {
    cspNonce: "",
    requestId: "r-1",
    userAgent: "",
    clientAddress: "127.0.0.1",
    isPosted: true,
    isDocument: true,
    wasRefused: false,
    log: pino({ enabled: false }),
  });
}

function creation(change: Record<string, unknown> = {}) {
  return {
    promotionName: "Summer",
    discount: 2,
    discount_type: "free_drink",
    is_single_use: false,
    is_renewable: false,
    expiration_date: "2099-12-31T23:59:59",
    machines: [serial],
    ...change,
  };
}

async function rowCount(): Promise<number> {
  return Number((await db()("promotions").count<{ count: string }[]>())[0]!.count);
}

test("a promotion is created, listed and downloaded", async () => {
  const answer = await call("/api/create_promotion", { method: "POST", body: creation() });
  expect(answer.status).toBe(201);
  const created = await answer.json();
  expect(created).toMatchObject({
    name: "Summer",
    type: "single",
    discount_type: "free_drink",
    discount_value: 2,
    expiration_date: "2099-12-31T23:59:59",
    remaining_uses: 2,
    mass_generation_id: null,
    is_used: false,
    is_reusable: true,
    is_expired: false,
    is_indefinite: false,
    status: "active",
  });

  const list = await (await call("/api/promotions")).json();
  expect(Object.keys(list)).toEqual(["promotions", "total", "page", "per_page", "next"]);
  expect(list.promotions[0]).toEqual(created);

  await call(`/api/promotion/${created.id}/download_qr`, { method: "HEAD" });
  expect(await db()("site_settings").pluck("codes_downloaded_at")).toEqual([null]);
  const image = await call(`/api/promotion/${created.id}/download_qr`);
  expect(image.status).toBe(200);
  expect(image.headers.get("Content-Type")).toBe("image/png");
  expect(image.headers.get("Content-Disposition")).toBe(`attachment; filename="${created.id}.png"`);
  expect(image.headers.get("Cache-Control")).toBe("private, no-cache");
  expect(decodeQr(Buffer.from(await image.arrayBuffer()))).toBe(created.code);

  const etag = image.headers.get("ETag")!;
  const again = await call(`/api/promotion/${created.id}/download_qr`, {
    headers: { "If-None-Match": `"other", W/${etag}` },
  });
  expect(again.status).toBe(304);
});

test("a repeated call gets the first answer after its last day has passed", async () => {
  const send = () =>
    call("/api/create_promotion", {
      method: "POST",
      body: creation(),
      headers: { "Idempotency-Key": "night" },
    });
  const first = await (await send()).json();
  vi.spyOn(site, "siteToday").mockResolvedValue("2100-01-01");
  const again = await send();
  vi.restoreAllMocks();
  expect([again.status, await again.json()]).toEqual([201, first]);
});

test("a repeated call gets the first answer when fewer codes are allowed by then", async () => {
  const body = { name: "Festival", num_codes: 3, discount_type: "percentage", discount_value: 5 };
  const send = async () => {
    const headers = { "Idempotency-Key": "fewer" };
    const answer = await call("/api/generate_codes", { method: "POST", body, headers });
    return [answer.status, answer.headers.get("Content-Location")];
  };
  const first = await send();
  await changeSettings({ max_codes: 2 });
  expect(await send()).toEqual(first);
  expect(first[0]).toBe(200);
});

/** The rules of the body have tests of their own beside it. */
test.each([
  ["no JSON", "{", 400, null],
  ["a list", [], 400, null],
  ["a field that is not known", creation({ role: "admin" }), 422, "role"],
  ["what the form's rules reject", creation({ discount: 1001 }), 422, "discount"],
  ["a wrong prefix and discount", creation({ discount: 0, code_prefix: "ä" }), 422, "code_prefix"],
  [
    "a day that has passed and a wrong discount",
    creation({ discount: 0, expiration_date: "2020-01-01T23:59:59" }),
    422,
    "expiration_date",
  ],
  ["what the database rejects", creation({ machines: ["nowhere"] }), 422, "machines"],
])("nothing is created by %s", async (_name, body, status, field) => {
  const before = await rowCount();
  const answer = await call("/api/create_promotion", { method: "POST", body });
  expect(answer.status).toBe(status);
  const { error, fields = {} } = await answer.json();
  expect(error).toMatch(/^[A-Z'].+/);
  if (field !== null) expect(fields).toHaveProperty([field]);
  expect(await rowCount()).toBe(before);
});

test("a key that is none creates nothing", async () => {
  const headers = { "Idempotency-Key": "x".repeat(101) };
  const answer = await call("/api/create_promotion", { method: "POST", body: creation(), headers });
  expect(answer.status).toBe(422);
});

test("a deleted promotion can't be deactivated, and one code of a generation takes all with it", async () => {
  const id = await insertPromotion({ is_deleted: true });
  const deactivation = await call(`/api/promotion/${id}/deactivate`, { method: "PUT" });
  expect(deactivation.status).toBe(409);
  expect(await deactivation.json()).toEqual({ error: "This code is deleted" });

  const generation = await insertMassGeneration({ num_codes: 3 });
  const [, code] = await codesOf(generation);
  const deletion = await call(`/api/promotion/${code}/soft-delete`, { method: "PUT" });
  expect(deletion.status).toBe(200);
  const again = await call(`/api/mass_generation/${generation}/soft-delete`, { method: "PUT" });
  expect(await again.json()).toMatchObject({ deleted_codes: 0 });
  const audited = await db()("audit_log").where({ action: "mass_generation.deleted" });
  expect(audited).toMatchObject([{ subject_id: generation, request_id: "r-1", covered: 3 }]);
});

test.each([
  ["promotion/01/deactivate", "Error: Promotion not found"],
  ["promotion/9223372036854775808/soft-delete", "Error: Promotion not found"],
  ["mass_generation/%27/soft-delete", "Error: Campaign not found"],
])("%s is not found", async (path, error) => {
  const answer = await call(`/api/${path}`, { method: "PUT" });
  expect([answer.status, await answer.json()]).toEqual([404, { error }]);
});

test.each([
  ["GET", "create_promotion", "POST"],
  ["POST", "promotions", "GET, HEAD"],
  ["POST", "promotion/1/machines", "GET, HEAD, DELETE"],
])("%s /api/%s is not allowed, but %s", async (method, path, allowed) => {
  const answer = await call(`/api/${path}`, { method });
  expect([answer.status, answer.headers.get("Allow")]).toEqual([405, allowed]);
});

test.each(["GET", "POST", "PUT"])("an unknown address answers %s with JSON", async (method) => {
  const answer = await call("/api/no/such/thing", { method });
  expect(answer.status).toBe(404);
  expect(await answer.json()).toEqual({ error: "There is nothing at this address." });
});

describe("the list", () => {
  beforeAll(async () => {
    for (let i = 0; i < 6; i++) await insertPromotion({ name: `L${i}`, is_deleted: i === 5 });
  });

  test("is paged and sorted", async () => {
    const list = await (await call("/api/promotions?per_page=2&page=2&sort=-name")).json();
    expect(list).toMatchObject({ page: 2, per_page: 2, total: await liveRows() });
    expect(list.promotions).toHaveLength(2);
    const next = await (
      await call(`/api/promotions?per_page=2&page=3&sort=-name&after=${list.next}`)
    ).json();
    expect(next.page).toBe(3);
    const numbered = await (await call("/api/promotions?per_page=2&page=3&sort=-name")).json();
    expect(next.promotions).toEqual(numbered.promotions);
  });

  test("is empty behind its end", async () => {
    const list = await (await call("/api/promotions?page=99")).json();
    expect(list).toMatchObject({ promotions: [], page: 99, next: null, total: await liveRows() });
  });

  test("says how to read on where page numbers end", async () => {
    const answer = await call("/api/promotions?page=401");
    expect(answer.status).toBe(400);
    expect((await answer.json()).error).toBe(
      "Page numbers end at 400. Beyond row 10,000 follow `next`.",
    );
  });

  test.each(["page=0", "sort[]=name", "colour=red"])("%s is a 400", async (query) => {
    const answer = await call(`/api/promotions?${query}`);
    expect(answer.status).toBe(400);
    expect((await answer.json()).error).toEqual(expect.any(String));
  });

  async function liveRows(): Promise<number> {
    const rows = await db()("promotions").where({ is_deleted: false }).count<{ count: string }[]>();
    return Number(rows[0]!.count);
  }
});

test("the machines are an array without deleted ones", async () => {
  await insertMachine({ serial_number: "GONE", is_deleted: true });
  const machines = await (await call("/api/machines-list")).json();
  expect(machines).toEqual([
    {
      serialNumber: serial,
      humanName: "Lobby",
      lastQrUsed: null,
      activePromotions: 0,
      isDeleted: false,
    },
  ]);
});

describe("DELETE of one machine of a code", () => {
  async function assignedTo(...serials: string[]) {
    const id = await insertPromotion();
    const machines = serials.map((serialNumber) => ({ serialNumber }));
    const path = `/api/promotion/${id}/add-machines`;
    expect((await call(path, { method: "POST", body: { machines } })).status).toBe(200);
    return `/api/promotion/${id}/machines`;
  }

  async function serialsAt(path: string) {
    const machines = (await (await call(path)).json()) as { serialNumber: string }[];
    return machines.map(({ serialNumber }) => serialNumber);
  }

  test("is not that of all machines where its serial number is missing", async () => {
    const path = await assignedTo(serial);
    // An empty variable, and '.', which every client resolves.
    for (const segment of ["", ".", "%2E"]) {
      const answer = await call(`${path}/${segment}`, { method: "DELETE" });
      expect([answer.status, await answer.json()]).toEqual([404, { error: "Machine not found" }]);
    }
    expect(await serialsAt(path)).toEqual([serial]);
  });

  test.each([".", "..", "~x"])("takes %j alone away", async (serialNumber) => {
    await insertMachine({ serial_number: serialNumber });
    const path = await assignedTo(serial, serialNumber);
    const segment = serialNumber.replace(/^\./, "~.");
    const answer = await call(`${path}/${segment}`, { method: "DELETE" });
    expect(answer.status).toBe(200);
    expect(await serialsAt(path)).toEqual([serial]);
  });
});
