import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { db } from "../../app/db/connection.server";
import { createLinkToken } from "../../app/features/sign-in/link-tokens.server";
import * as images from "../factories/images";
import { insertGroup } from "../factories/machine-groups";
import { insertLobbyCanteenAndCellar } from "../factories/people-and-machines";
import { insertPromotion } from "../factories/promotions";
import { makeKey } from "../factories/redemptions";
import { documentedCall, expectDocumented } from "../support/generated-requests";
import { readZip } from "../support/read-zip";
import { addUser, issueTokenOf, password, useServer } from "../support/server";

/**
 * Core §7, line by line: each call at its path, with its method, body, answer, status and file name. Every answer is
 * held against the OpenAPI document.
 */
const server = useServer({ environment: { TRUST_PROXY: "1" } });
const newPassword = "an unlikely sequence of plums";
const used = (uses: number) => ({ period_uses: uses, activation_count: uses });
let count = 0;
let email = "";
let userId = "";
let token = "";
let admin = "";

type Json = Record<string, unknown>;
type Answer = { status: number; headers: Headers; json: Json; bytes: Buffer };

async function call(
  method: string,
  path: string,
  { body, bearer = admin }: { body?: object; bearer?: string | null } = {},
): Promise<Answer> {
  const isForm = body instanceof FormData;
  const response = await fetch(server.origin + path, {
    method,
    headers: {
      "X-Forwarded-For": `10.4.0.${count}`,
      ...(bearer && { Authorization: `Bearer ${bearer}` }),
      ...(body && !isForm && { "Content-Type": "application/json" }),
    },
    ...(body && { body: isForm ? body : JSON.stringify(body) }),
  });
  const bytes = Buffer.from(await response.arrayBuffer());
  const isJson = response.headers.get("Content-Type")?.startsWith("application/json") ?? false;
  const json = isJson ? (JSON.parse(bytes.toString()) as Json) : {};
  const answer = { status: response.status, headers: Object.fromEntries(response.headers) };
  const documented = documentedCall(method, path);
  expectDocumented(documented, { ...answer, body: bytes.toString() }, `${method} ${path}`);
  return { status: response.status, headers: response.headers, json, bytes };
}

async function ok(...args: Parameters<typeof call>): Promise<Answer> {
  const answer = await call(...args);
  expect([200, 201], answer.bytes.toString("utf8").slice(0, 300)).toContain(answer.status);
  return answer;
}

const signIn = async () =>
  (await ok("POST", "/auth/signin/local", { body: { email, password }, bearer: null })).json;

beforeAll(async () => {
  admin = await issueTokenOf();
  await insertLobbyCanteenAndCellar();
});

beforeEach(async () => {
  email = `contract-${++count}@example.com`;
  ({ id: userId } = await addUser(email));
  token = await issueTokenOf(email);
});

const single = {
  promotionName: "Summer",
  discount: 20,
  discount_type: "percentage",
  is_single_use: false,
  is_renewable: false,
  expiration_date: "2031-12-31T23:59:59",
  machines: ["VM-1"],
};
const mass = {
  name: "Leaflets",
  num_codes: 3,
  discount_type: "free_drink",
  discount_value: 1,
  is_single_use: true,
  is_renewable: false,
  expiration_date: null,
  machines: [{ serialNumber: "VM-1", humanName: "Lobby" }],
};

async function createPromotion(): Promise<string> {
  return String((await ok("POST", "/api/create_promotion", { body: single })).json.id);
}

async function generate(terms: object = {}): Promise<Answer & { id: string }> {
  const answer = await ok("POST", "/api/generate_codes", { body: { ...mass, ...terms } });
  return { ...answer, id: answer.headers.get("Content-Location")!.split("/").at(-1)! };
}

const serialNumbers = ({ json }: Answer) =>
  (json as unknown as { serialNumber: string }[]).map(({ serialNumber }) => serialNumber);

describe("authentication and profile", () => {
  it("POST /auth/signin/local with {email, password} answers {token, refresh_token, expires, user}", async () => {
    const { token, refresh_token, expires, user } = await signIn();
    expect(token).toMatch(/^vqa_[0-9A-Za-z]{49}$/);
    expect(refresh_token).toMatch(/^vqr_[0-9A-Za-z]{49}$/);
    expect(Math.abs(Number(expires) - Date.now() - 604_800_000)).toBeLessThan(60_000);
    expect(user).toMatchObject({ id: userId, email });
  });

  it("POST /api/auth/refresh with refresh_token answers token and refresh_token", async () => {
    const { refresh_token } = await signIn();
    const { json } = await ok("POST", "/api/auth/refresh", {
      body: { refresh_token },
      bearer: null,
    });
    expect(Object.keys(json)).toEqual(expect.arrayContaining(["token", "refresh_token"]));
  });

  it("PUT /auth/password-reset with token and password says 'Password has been updated'", async () => {
    const link = await createLinkToken(db(), "password_reset", userId);
    const { status, json } = await call("PUT", "/auth/password-reset", {
      body: { token: link, password: newPassword },
      bearer: null,
    });
    expect([status, json]).toEqual([200, { message: "Password has been updated" }]);
  });

  it("PUT /auth/password-update with newPassword and currentPassword says 'Password updated'", async () => {
    const { status, json } = await call("PUT", "/auth/password-update", {
      body: { newPassword, currentPassword: password },
      bearer: token,
    });
    expect([status, json]).toEqual([200, { message: "Password updated" }]);
  });

  it("GET /auth/me answers the current user", async () => {
    expect((await ok("GET", "/auth/me", { bearer: token })).json).toMatchObject({ email });
  });

  it("GET and PUT /api/auth/user read and change the profile", async () => {
    const fields = { first_name: "Ada", last_name: "L", phone: "1", company: "Engines" };
    const { json } = await ok("PUT", "/api/auth/user", { body: fields, bearer: token });
    expect(json).toMatchObject({ ...fields, email, api_key: null, user_id: Number(userId) });
    const withIcon = await ok("PUT", "/api/auth/user", {
      body: { avatar_icon: "music", ...fields },
      bearer: token,
    });
    const read = await ok("GET", "/api/auth/user", { bearer: token });
    expect(read.json).toEqual(withIcon.json);
    expect(read.json.avatar_icon).toBe("music");
  });

  it("POST /auth/signout, /auth/send-password-reset-email and PUT /auth/verify-email answer 200", async () => {
    const mail = { body: { email }, bearer: null };
    expect((await call("POST", "/auth/send-password-reset-email", mail)).status).toBe(200);
    const link = await createLinkToken(db(), "email_verification", userId);
    const verify = { body: { token: link }, bearer: null };
    expect((await call("PUT", "/auth/verify-email", verify)).status).toBe(200);
    expect((await call("POST", "/auth/signout", { bearer: token })).status).toBe(200);
    expect((await call("GET", "/auth/me", { bearer: token })).status).toBe(401);
  });
});

describe("users", () => {
  it("GET /users with page, limit, sort, filters and ranges answers rows and count", async () => {
    const query = new URLSearchParams({ page: "1", limit: "10", sort: "-email", email });
    const { json } = await ok("GET", `/users?${query}`);
    expect(json).toMatchObject({ rows: [{ email }], count: 1 });
    const rangeCount = async (from: string, to: string) =>
      (await ok("GET", `/users?email=${email}&createdAtRange=${from}&createdAtRange=${to}`)).json
        .count;
    expect(await rangeCount("2020-01-01", "2999-12-31")).toBe(1);
    expect(await rangeCount("2999-01-01", "")).toBe(0);
    expect(await rangeCount("", "2020-01-01")).toBe(0);
    expect((await call("GET", "/users?createdAtRange=2026-02-30")).status).toBe(400);
  });

  it("GET, PUT with {id, data} and DELETE /users/{id} read, change and delete a user", async () => {
    const path = `/users/${userId}`;
    expect((await ok("GET", path)).json).toMatchObject({ id: Number(userId), email, avatar: [] });
    const body = { id: userId, data: { firstName: "Grace", phoneNumber: "2" } };
    expect((await ok("PUT", path, { body })).json).toMatchObject(body.data);
    expect((await call("DELETE", path)).status).toBe(200);
    expect((await call("GET", path)).status).toBe(404);
  });

  it("POST /users with {data} answers 201", async () => {
    const data = {
      email: `new-${email}`,
      firstName: "N",
      lastName: "",
      role: "user",
      disabled: false,
    };
    const { status, json } = await call("POST", "/users", { body: { data } });
    expect(status).toBe(201);
    expect(json).toMatchObject({ ...data, emailVerified: false, provider: "local" });
  });

  it("POST /file/upload/users/avatar with file and filename, and GET /file/download with privateUrl", async () => {
    const form = new FormData();
    form.set(
      "file",
      new Blob([new Uint8Array(await images.png())], { type: "image/png" }),
      "x.png",
    );
    form.set("filename", "me.png");
    const { status, json } = await call("POST", "/file/upload/users/avatar", {
      body: form,
      bearer: token,
    });
    expect(status).toBe(201);
    const { id, privateUrl } = json as { id: string; privateUrl: string };
    expect(privateUrl).toBe(`users/avatar/${id}.webp`);
    const file = await ok("GET", `/file/download?privateUrl=${privateUrl}`, { bearer: token });
    expect(file.headers.get("Content-Type")).toBe("image/webp");
    expect((await ok("GET", `/users/${userId}`)).json.avatar).toEqual([json]);
  });
});

describe("promotions and machines", () => {
  it("GET /api/promotions with include_deleted answers {promotions, total, page, per_page, next}", async () => {
    const id = await createPromotion();
    await ok("PUT", `/api/promotion/${id}/soft-delete`);
    const idsOf = async (query: string) => {
      const { json } = await ok("GET", `/api/promotions${query}`);
      expect(Object.keys(json).sort()).toEqual(["next", "page", "per_page", "promotions", "total"]);
      return (json.promotions as { id: number }[]).map(({ id }) => String(id));
    };
    expect(await idsOf("")).not.toContain(id);
    expect(await idsOf("?include_deleted=true")).toContain(id);
    expect((await ok("GET", "/api/promotions?count=none")).json).not.toHaveProperty("total");
    expect((await call("GET", "/api/promotions?count=all")).status).toBe(400);
  });

  it("GET /api/promotions sorts by status in its order and by uses left, unlimited last", async () => {
    const ids = [];
    for (const row of [
      { is_active: false, max_uses: null },
      { discount_type: "free_drink", discount_value: 3, max_uses: 3, ...used(1) },
      { is_single_use: true, max_uses: 1, ...used(1) },
    ])
      ids.push(Number(await insertPromotion({ name: "Sorted so", is_assigned: true, ...row })));
    const [inactive, active, spent] = ids;
    const sorted = async (sort: string) => {
      const { json } = await ok("GET", `/api/promotions?text=Sorted+so&sort=${sort}`);
      return (json.promotions as { id: number }[]).map(({ id }) => id);
    };
    expect(await sorted("status")).toEqual([inactive, spent, active]);
    expect(await sorted("uses_left")).toEqual([spent, active, inactive]);
    expect(await sorted("-is_single_use")).toEqual([spent, active, inactive]);
    for (const sort of ["type", "is_renewable", "-discount_type"])
      expect(await sorted(sort)).toHaveLength(3);
  });

  it("GET, POST and DELETE the machines of /api/promotion/{id}", async () => {
    const path = `/api/promotion/${await createPromotion()}`;
    expect(serialNumbers(await ok("GET", `${path}/machines`))).toEqual(["VM-1"]);
    const machines = [{ serialNumber: "VM-2", humanName: "Canteen" }];
    const added = await ok("POST", `${path}/add-machines`, { body: { machines } });
    expect(serialNumbers(added).sort()).toEqual(["VM-1", "VM-2"]);
    expect((await ok("GET", path)).json.machines).toEqual(["VM-1", "VM-2"]);
    expect(serialNumbers(await ok("DELETE", `${path}/machines/VM-1`))).toEqual(["VM-2"]);
    expect(serialNumbers(await ok("DELETE", `${path}/machines`))).toEqual([]);
  });

  it("GET /api/machine-groups, POST and DELETE the groups of /api/promotion/{id}", async () => {
    const groupId = await insertGroup();
    expect((await ok("GET", "/api/machine-groups")).json).toMatchObject([{ id: Number(groupId) }]);
    const path = `/api/promotion/${await createPromotion()}`;
    await ok("POST", `${path}/add-groups`, { body: { groups: [groupId] } });
    await ok("DELETE", `${path}/groups/${groupId}`);
  });

  it("GET and PUT /api/promotion/{id} read and change a promotion, as long as nobody was faster", async () => {
    const created = (await ok("POST", "/api/create_promotion", { body: single })).json;
    const path = `/api/promotion/${String(created.id)}`;
    expect((await ok("GET", path)).json).toEqual(created);
    const { version } = created;
    const edit = { name: "Renamed", expiration_date: "2032-01-31T23:59:59" };
    expect((await ok("PUT", path, { body: { ...edit, version } })).json).toMatchObject(edit);
    expect((await call("PUT", path, { body: { ...edit, name: "X", version } })).status).toBe(409);
  });

  it("takes, answers and changes a start and a schedule, of a code and of a mass generation", async () => {
    const times = {
      expiration_date: null,
      starts_at: "2098-12-01T08:00",
      schedule: {
        hours: [{ days: [1, 2, 3, 4, 5], from: "08:00", to: "24:00" }],
        except: ["2098-12-24"],
      },
    };
    const created = (await ok("POST", "/api/create_promotion", { body: { ...single, ...times } }))
      .json;
    expect(created).toMatchObject({ ...times, status: "scheduled" });
    const generated = await ok("POST", "/api/generate_codes", { body: { ...mass, ...times } });
    const id = generated.headers.get("Content-Location")!.split("/").at(-1)!;
    for (const path of [`/api/promotion/${String(created.id)}`, `/api/mass_generation/${id}`]) {
      expect((await ok("GET", path)).json).toMatchObject(times);
      const night = { hours: [{ days: [7], from: "22:00", to: "02:00" }] };
      const change = { starts_at: null, schedule: night };
      expect((await ok("PUT", path, { body: change })).json).toMatchObject({
        starts_at: null,
        schedule: {
          hours: [
            { days: [1], from: "00:00", to: "02:00" },
            { days: [7], from: "22:00", to: "24:00" },
          ],
          except: [],
        },
      });
      expect((await ok("PUT", path, { body: { starts_at: "2098-12-01" } })).json).toMatchObject({
        starts_at: "2098-12-01T00:00",
      });
      expect((await ok("PUT", path, { body: { schedule: null } })).json.schedule).toBeNull();
    }
    const hours = [{ days: [8], from: "08:00", to: "09:00" }];
    const wrong = { starts_at: "2098-12-01T24:00", schedule: { hours } };
    const refused = await call("POST", "/api/create_promotion", { body: { ...single, ...wrong } });
    expect([refused.status, refused.json.fields]).toEqual([
      422,
      {
        starts_at: "Invalid start",
        schedule: "Days must be a list of numbers from 1, Monday, to 7",
      },
    ]);
  });

  it("PUT /api/promotion/{id}/deactivate, /reactivate, /soft-delete and /restore answer the promotion", async () => {
    const path = `/api/promotion/${await createPromotion()}`;
    for (const [action, status] of [
      ["deactivate", "inactive"],
      ["reactivate", "active"],
      ["soft-delete", "deleted"],
      ["restore", "active"],
    ] as const)
      expect((await ok("PUT", `${path}/${action}`)).json.status).toBe(status);
  });

  it("GET and PUT /api/mass_generation/{id}, and PUT its /deactivate, /reactivate, /soft-delete and /restore", async () => {
    const { id } = await generate();
    const path = `/api/mass_generation/${id}`;
    await ok("GET", path);
    expect((await ok("PUT", path, { body: { name: "New name" } })).json.name).toBe("New name");
    for (const action of ["deactivate", "reactivate"]) await ok("PUT", `${path}/${action}`);
    const { json } = await ok("PUT", `${path}/soft-delete`);
    expect(json).toEqual({ id: Number(id), is_deleted: true, deleted_codes: 3 });
    await ok("PUT", `${path}/restore`);
  });

  it.each([
    ["a day that has passed", "2020-01-01T23:59:59", "Date cannot be in the past"],
    ["an earlier day", "2030-12-31T23:59:59", "An expiration can only be moved to a later day"],
    ["no day", null, "An expiration can only be moved to a later day"],
  ])("PUT /api/mass_generation/{id} with %s changes nothing", async (_, day, message) => {
    const { id } = await generate({ expiration_date: "2031-12-31T23:59:59" });
    const path = `/api/mass_generation/${id}`;
    const { json: before } = await ok("GET", path);
    const refused = await call("PUT", path, { body: { name: "Other", expiration_date: day } });
    expect([refused.status, refused.json.fields]).toEqual([422, { expiration_date: message }]);
    expect((await ok("GET", path)).json).toEqual(before);
  });

  it("PUT /api/mass_generation/{id} gives no expiration to one without it, and changes nothing", async () => {
    const path = `/api/mass_generation/${(await generate()).id}`;
    const body = { name: "Other", expiration_date: "2031-12-31T23:59:59" };
    const refused = await call("PUT", path, { body });
    expect([refused.status, refused.json.fields]).toEqual([
      422,
      { expiration_date: "This campaign has no expiration date, and can't be given one" },
    ]);
    expect((await ok("GET", path)).json.name).toBe(mass.name);
    await ok("PUT", path, { body: { ...body, expiration_date: null } });
  });

  it("PUT /api/mass_generation/{id} refuses caps with the version of an earlier state", async () => {
    const path = `/api/mass_generation/${(await generate()).id}`;
    const { version } = (await ok("PUT", path, { body: { name: "New name" } })).json;
    const stale = { caps: { uses: 5 }, version: Number(version) - 1 };
    expect((await call("PUT", path, { body: stale })).status).toBe(409);
    const both = { name: "Newer name", caps: { uses: 5 }, version };
    expect((await ok("PUT", path, { body: both })).json).toMatchObject({
      name: "Newer name",
      caps: { uses: 5 },
    });
  });

  it("PUT /api/promotion/{id} says by the sent name that a code of a mass generation keeps its name", async () => {
    const { id } = await generate();
    const { json } = await ok("GET", `/api/promotions?mass_generation_id=${id}`);
    const [code] = json.promotions as { id: number }[];
    const path = `/api/promotion/${String(code!.id)}`;
    const refused = await call("PUT", path, { body: { name: "Alone" } });
    expect([refused.status, refused.json.fields]).toEqual([
      422,
      { name: "This code has the name of its campaign: rename the campaign" },
    ]);
  });

  it("GET /api/promotion/{id}/download_qr is a PNG named after the promotion id", async () => {
    const id = await createPromotion();
    const { headers, bytes } = await ok("GET", `/api/promotion/${id}/download_qr`);
    expect(headers.get("Content-Type")).toBe("image/png");
    expect(headers.get("Content-Disposition")).toContain(`filename="${id}.png"`);
    expect(bytes.subarray(1, 4).toString()).toBe("PNG");
    const unknown = await call("GET", "/api/promotion/999999/download_qr");
    expect([unknown.status, unknown.json]).toEqual([404, { error: "Error: Promotion not found" }]);
  });

  it("POST /api/generate_codes answers a ZIP, which /api/download_archive/{id} answers again", async () => {
    const generated = await generate();
    const { id } = generated;
    const again = await ok("GET", `/api/download_archive/${id}`);
    for (const { status, headers, bytes } of [generated, again]) {
      expect(status).toBe(200);
      expect(headers.get("Content-Type")).toBe("application/zip");
      expect(headers.get("Content-Disposition")).toContain(`mass_generation_${id}.zip`);
      expect((await readZip(bytes)).entries).toHaveLength(4);
    }
    expect((await call("GET", "/api/download_archive/x1")).status).toBe(400);
  });

  it("POST /api/create_promotion names all wrong fields as they are sent", async () => {
    const refused = await call("POST", "/api/create_promotion", { body: {} });
    expect([refused.status, refused.json.fields]).toEqual([
      422,
      {
        promotionName: "Name is required",
        discount: "Discount is required",
        discount_type: "Choose percentage or free_drink",
      },
    ]);
  });

  it("says of a key that nobody has that it is unknown, revoked or expired", async () => {
    for (const [method, path] of [
      ["GET", "/api/promotions"],
      ["POST", "/api/redemptions"],
    ] as const) {
      const { status, json } = await call(method, path, { bearer: `vqm_${"x".repeat(43)}` });
      expect([status, json.error]).toEqual([401, "This API key is unknown, revoked or expired."]);
      expect((await call(method, path, { bearer: null })).json.error).toBe("Sign in first.");
    }
  });

  it("POST /api/create_promotion with the single payload answers 201", async () => {
    const { status, json } = await call("POST", "/api/create_promotion", { body: single });
    expect(status).toBe(201);
    expect(json).toMatchObject({
      name: "Summer",
      discount_type: "percentage",
      discount_value: 20,
      type: "single",
      expiration_date: "2031-12-31T23:59:59",
      remaining_uses: null,
      mass_generation_id: null,
      is_active: true,
      is_deleted: false,
      is_used: false,
      is_indefinite: false,
    });
  });

  it("GET /api/machines-list answers the machines", async () => {
    const { json } = await ok("GET", "/api/machines-list");
    const [first] = json as unknown as Json[];
    expect(Object.keys(first!).sort()).toEqual(
      ["activePromotions", "humanName", "isDeleted", "lastQrUsed", "serialNumber"].sort(),
    );
  });

  it("GET /api/machine/{serial}/promotions answers its promotions", async () => {
    await createPromotion();
    const { json } = await ok("GET", "/api/machine/VM-1/promotions");
    expect(json.promotions).toContainEqual(
      expect.objectContaining({
        name: "Summer",
        discount_type: "percentage",
        discount_value: 20,
        is_single_use: false,
      }),
    );
  });

  it("POST /api/redemptions and its rollback make a transaction of GET /api/transactions", async () => {
    const { json: promotion } = await ok("POST", "/api/create_promotion", { body: single });
    const { secret } = await makeKey();
    const redemptionId = `contract-${count}`;
    const redeemed = await call("POST", "/api/redemptions", {
      body: { code: promotion.code, serialNumber: "VM-1", originalPrice: 250, redemptionId },
      bearer: secret,
    });
    expect(redeemed.status).toBe(201);
    expect(redeemed.json).toMatchObject({
      machine: "VM-1",
      originalPrice: 250,
      discount: 50,
      discountedPrice: 200,
      savings: 20,
      status: "Applied",
      type: "percentage",
    });
    const newest = async () =>
      ((await ok("GET", "/api/transactions?limit=1")).json as unknown as Json[])[0];
    expect(await newest()).toEqual(redeemed.json);
    const rollback = { bearer: secret };
    const undone = await call("POST", `/api/redemptions/${redemptionId}/rollback`, rollback);
    expect([undone.status, undone.json.status]).toEqual([200, "Rolled back"]);
    expect(await newest()).toEqual(undone.json);
  });
});
