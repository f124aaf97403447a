import { beforeAll, describe, expect, it } from "vitest";
import { db } from "../../app/db/connection.server";
import { createLinkToken } from "../../app/features/sign-in/link-tokens.server";
import { insertGroup } from "../factories/machine-groups";
import { insertLobbyCanteenAndCellar } from "../factories/people-and-machines";
import { insertPromotion } from "../factories/promotions";
import { documentedCall } from "../support/generated-requests";
import { addUser, issueTokenOf, useServer } from "../support/server";

/**
 * Core §7: the fields of each call, which every test holds answers against (tests/support/documented-answers.ts), and
 * the calls that no other test makes.
 */
const server = useServer();
const used = (uses: number) => ({ period_uses: uses, activation_count: uses });
let admin = "";

type Json = Record<string, unknown>;
type Answer = { status: number; headers: Record<string, unknown>; body: string; json: Json };

async function call(
  method: string,
  path: string,
  { body, bearer = admin }: { body?: object; bearer?: string | null } = {},
): Promise<Answer> {
  return (await server.call(method, path, { token: bearer, body })) as Answer;
}

async function ok(...args: Parameters<typeof call>): Promise<Answer> {
  const answer = await call(...args);
  expect([200, 201], answer.body.slice(0, 300)).toContain(answer.status);
  return answer;
}

beforeAll(async () => {
  admin = await issueTokenOf();
  await insertLobbyCanteenAndCellar();
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
  return { ...answer, id: String(answer.headers["content-location"]).split("/").at(-1)! };
}

const promotionFields = "id name code discount_type discount_value expiration_date machines status";
const profileFields = "first_name last_name phone company avatar_icon";
const fields: [call: string, ofBody: string, ofAnswer: string][] = [
  ["POST /auth/signin/local", "email password", "token refresh_token expires user"],
  ["POST /auth/signout", "", ""],
  ["GET /auth/me", "", "id email"],
  ["PUT /auth/password-reset", "token password", "message"],
  ["PUT /auth/password-update", "newPassword currentPassword", "message"],
  ["POST /auth/send-password-reset-email", "email", ""],
  ["PUT /auth/verify-email", "token", "message"],
  ["POST /api/auth/refresh", "refresh_token", "token refresh_token"],
  ["GET /api/auth/user", "", `${profileFields} email api_key user_id`],
  ["PUT /api/auth/user", profileFields, `${profileFields} email api_key user_id`],
  ["GET /users", "", "rows count"],
  ["POST /users", "data", "id email firstName lastName role disabled emailVerified provider"],
  ["PUT /users/{userId}", "id data", "id email firstName lastName phoneNumber avatar"],
  [
    "POST /file/upload/users/avatar",
    "file filename",
    "id name sizeInBytes publicUrl privateUrl new",
  ],
  ["GET /api/promotions", "", "promotions total page per_page next"],
  [
    "POST /api/create_promotion",
    "promotionName discount discount_type is_single_use is_renewable expiration_date machines",
    promotionFields,
  ],
  ["PUT /api/promotion/{promotionId}", "name expiration_date version", promotionFields],
  ["POST /api/promotion/{promotionId}/add-machines", "machines", ""],
  [
    "POST /api/generate_codes",
    "name num_codes discount_type discount_value is_single_use is_renewable expiration_date machines",
    "",
  ],
  ["PUT /api/mass_generation/{massGenerationId}", "name expiration_date version", "id name"],
  [
    "POST /api/redemptions",
    "code serialNumber originalPrice redemptionId",
    "id machine originalPrice discount discountedPrice savings timestamp status type",
  ],
];

it.each(fields)("%s takes '%s' and answers '%s'", (operation, ofBody, ofAnswer) => {
  const [method, path] = operation.split(" ") as [string, string];
  const { requestBody, responses } = documentedCall(method, path);
  const [[, success]] = Object.entries(responses).filter(([status]) => status.startsWith("2")) as [
    [string, (typeof responses)[string]],
  ];
  for (const [names, content] of [
    [ofBody, requestBody?.content],
    [ofAnswer, success.content],
  ] as const) {
    const { properties = {} } = Object.values(content ?? {})[0]?.schema ?? {};
    expect(Object.keys(properties)).toEqual(
      expect.arrayContaining(names.split(" ").filter(Boolean)),
    );
  }
});

it("PUT /auth/password-reset and /auth/verify-email take the tokens of links", async () => {
  const { id } = await addUser("contract@example.com");
  const link = await createLinkToken(db(), "email_verification", id);
  const verified = await call("PUT", "/auth/verify-email", { body: { token: link }, bearer: null });
  expect(verified.status).toBe(200);
  const token = await createLinkToken(db(), "password_reset", id);
  const body = { token, password: "an unlikely sequence of plums" };
  const reset = await call("PUT", "/auth/password-reset", { body, bearer: null });
  expect([reset.status, reset.json]).toEqual([200, { message: "Password has been updated" }]);
});

it("GET /users with page, limit, sort, filters and ranges answers rows and count", async () => {
  const email = "ranges@example.com";
  await addUser(email);
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
  const reversed = "/users?createdAtRange=2026-02-02&createdAtRange=2026-02-01";
  expect((await call("GET", reversed)).status).toBe(400);
});

describe("promotions and machines", () => {
  it("GET /api/promotions refuses a cursor of no code, and two cursors", async () => {
    const id = await createPromotion();
    const missing = "after=99999999999";
    for (const query of [`${missing}&sort=name`, missing, `after=${id}&before=${id}`])
      expect((await call("GET", `/api/promotions?${query}`)).status, query).toBe(400);
    expect((await ok("GET", `/api/promotions?after=${id}&before=`)).status).toBe(200);
  });

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
    const late = await call("PUT", path, { body: { ...edit, name: "X", version } });
    const error =
      "Someone else changed this code after you read it. Nothing was saved. Read it again and send its version.";
    expect([late.status, late.json]).toEqual([409, { error }]);
  });

  const ofCaps =
    "Caps must be {uses, uses_per_day, uses_per_machine_and_day, money, lowest_price, highest_discount}";
  it.each([
    [{ schedule: "always" }, "Schedule must be {hours, except}"],
    [{ schedule: { hour: [] } }, "Schedule must be {hours, except}"],
    [{ schedule: { hours: [8] } }, "Each window must be {days, from, to}"],
    [{ caps: 5 }, ofCaps],
    [{ caps: { use: 5 } }, ofCaps],
  ])("says what %j has to be, in words of its own", async (body, message) => {
    const { status, json } = await call("PUT", `/api/promotion/${await insertPromotion()}`, {
      body,
    });
    expect([status, json.error]).toEqual([422, message]);
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
    const id = String(generated.headers["content-location"]).split("/").at(-1)!;
    for (const path of [`/api/promotion/${String(created.id)}`, `/api/mass_generation/${id}`]) {
      expect((await ok("GET", path)).json).toMatchObject(times);
      const night = { hours: [{ days: [7], from: "22:00", to: "02:00" }], except: [] };
      const change = { starts_at: null, schedule: night };
      expect((await ok("PUT", path, { body: change })).json).toMatchObject({
        starts_at: null,
        schedule: night,
      });
      expect((await ok("PUT", path, { body: { starts_at: "2098-12-01" } })).json).toMatchObject({
        starts_at: "2098-12-01T00:00",
      });
      const days = { hours: [{ days: [1], from: "08:00", to: "09:00" }] };
      const except = ["2098-12-24"];
      for (const schedule of [days, { except }]) await ok("PUT", path, { body: { schedule } });
      expect((await ok("GET", path)).json.schedule).toEqual({ ...days, except });
      expect((await ok("PUT", path, { body: { schedule: null } })).json.schedule).toBeNull();
    }
    const hours = [{ days: [8], from: "08:00", to: "09:00" }];
    const wrong = { starts_at: "2098-12-01T24:00", schedule: { hours } };
    const refused = await call("POST", "/api/create_promotion", { body: { ...single, ...wrong } });
    expect([refused.status, refused.json.fields]).toEqual([
      422,
      {
        starts_at: "Invalid start. Send it as YYYY-MM-DD or YYYY-MM-DDTHH:MM",
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
});
