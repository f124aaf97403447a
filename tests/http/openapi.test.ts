import { createConfig, lintFromString } from "@redocly/openapi-core";
import { beforeAll, describe, expect, it } from "vitest";
import { operations } from "../../app/http/operations/index.server";
import { callSummaries } from "../../app/http/operations/summaries";
import { documentedOperations } from "../../app/http/openapi.server";
import { insertGroup } from "../factories/machine-groups";
import { insertLobbyCanteenAndCellar, insertMachine } from "../factories/people-and-machines";
import { addUser, password, useServer } from "../support/server";

const server = useServer({ environment: { TRUST_PROXY: "1" } });
let token = "";
let document: {
  paths: Record<string, Record<string, { responses: Record<string, unknown> }>>;
};

beforeAll(async () => {
  token = await server.signInToApi();
  const { body } = await server.send("/api/openapi.json");
  document = JSON.parse(body) as typeof document;
  await insertLobbyCanteenAndCellar();
});

/** A client that works from the operations, and holds each answer against the document. */
async function call(
  method: string,
  path: string,
  params: Record<string, string> = {},
  body?: unknown,
) {
  const operation = documentedOperations().find(
    (documented) => documented.method === method && documented.path === path,
  )!;
  const address = Object.entries(params).reduce(
    (filled, [name, value]) => filled.replace(`{${name}}`, encodeURIComponent(value)),
    path,
  );
  const answer = await server.send(address, {
    method,
    headers: {
      Authorization: `Bearer ${token}`,
      ...(body !== undefined && { "Content-Type": "application/json" }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const { responses } = document.paths[path]![method.toLowerCase()]!;
  expect(Object.keys(responses), `${method} ${path}: ${answer.body}`).toContain(`${answer.status}`);
  const isSuccess = answer.status < 300;
  const json: unknown = isSuccess && !operation.result ? null : JSON.parse(answer.body);
  if (isSuccess && operation.result) {
    const parsed = operation.result.safeParse(json);
    expect(parsed.error, `${method} ${path}`).toBeUndefined();
  }
  if (!isSuccess) expect(json).toHaveProperty("error");
  return { status: answer.status, json: json as Record<string, unknown> };
}

describe("the document", () => {
  it("says of each call what it does", () => {
    const calls = documentedOperations().map(({ method, path }) => `${method} ${path}`);
    expect(Object.keys(callSummaries).toSorted()).toEqual(calls.toSorted());
  });

  it("passes the rules of a linter", async () => {
    const config = await createConfig({ extends: ["recommended"] });
    const problems = await lintFromString({ source: JSON.stringify(document), config });
    // The tests run on localhost.
    expect(
      problems
        .filter(({ ruleId }) => ruleId !== "no-server-example.com")
        .map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer]),
    ).toEqual([]);
  });

  it("has every operation that answers, and the calls of machines", () => {
    const documented = Object.entries(document.paths).flatMap(([path, calls]) =>
      Object.keys(calls).map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(documented).toEqual(
      expect.arrayContaining(operations.map(({ method, path }) => `${method} ${path}`)),
    );
    expect(documented).toContain("POST /api/redemptions");
  });

  it("is a page that can be searched, without a script", async () => {
    const page = await server.send("/api/docs?q=/api/auth/refresh");
    expect(page.body).toContain("/api/auth/refresh");
    expect(page.body).not.toContain("/api/machines-list");
    expect(page.body).toContain("1 call");
    expect(page.body).not.toContain("<script");
    expect(page.body).toContain("curl -X POST");
    expect(page.body).toContain("await fetch(");
  });
});

describe("answers", () => {
  it("have the schema of the document through the life of a promotion", async () => {
    const created = await call(
      "POST",
      "/api/create_promotion",
      {},
      {
        ...{ promotionName: "By API", discount: 20, discount_type: "percentage" },
        ...{ expiration_date: "2030-12-31T23:59:59", machines: ["VM-1"] },
      },
    );
    expect(created.status).toBe(201);
    const promotionId = String(created.json.id);
    const path = "/api/promotion/{promotionId}";
    expect((await call("GET", path, { promotionId })).json).toEqual(created.json);
    const edit = { name: "Renamed", expiration_date: "2031-01-31T23:59:59" };
    expect((await call("PUT", path, { promotionId }, edit)).json).toMatchObject(edit);
    expect(
      (await call("PUT", path, { promotionId }, { ...edit, name: "X", version: 1 })).status,
    ).toBe(409);
    const { id: machineId } = await insertMachine({ serial_number: "VM-9" });
    const groupId = await insertGroup([machineId]);
    const groups = { groups: [groupId] };
    expect((await call("POST", `${path}/add-groups`, { promotionId }, groups)).json).toHaveLength(
      2,
    );
    await call("GET", "/api/machine-groups");
    await call("DELETE", `${path}/groups/{groupId}`, { promotionId, groupId });
    await call("GET", `${path}/machines`, { promotionId });
    for (const [action, status] of [
      ["deactivate", "inactive"],
      ["reactivate", "active"],
      ["soft-delete", "deleted"],
      ["restore", "active"],
    ] as const)
      expect((await call("PUT", `${path}/${action}`, { promotionId })).json.status).toBe(status);
    await call("GET", "/api/promotions");
    await call("GET", "/api/transactions");
    await call("GET", "/api/machines-list");
    await call("GET", "/api/machine/{serialNumber}/promotions", { serialNumber: "VM-1" });
  });

  it("have it through the life of a mass generation", async () => {
    const generated = await server.send("/api/generate_codes", {
      method: "POST",
      headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" },
      body: JSON.stringify({
        ...{ name: "Codes", num_codes: 3, discount_type: "percentage", discount_value: 5 },
        ...{ expiration_date: "2030-12-31T23:59:59", machines: [] },
      }),
    });
    const massGenerationId = generated.headers["content-location"]!.split("/").at(-1)!;
    const path = "/api/mass_generation/{massGenerationId}";
    const read = await call("GET", path, { massGenerationId });
    expect(read.status).toBe(200);
    expect((await call("PUT", path, { massGenerationId }, { name: "New name" })).json.name).toBe(
      "New name",
    );
    for (const action of ["deactivate", "reactivate", "soft-delete", "restore"])
      expect((await call("PUT", `${path}/${action}`, { massGenerationId })).status).toBe(200);
  });

  it("have it for people", async () => {
    await addUser("api-person@example.com");
    const list = await call("GET", "/users");
    const [user] = list.json.rows as { id: number }[];
    await call("GET", "/users/{userId}", { userId: String(user!.id) });
    await call("GET", "/auth/me");
    await call("PUT", "/api/auth/user", {}, { first_name: "Ada" });
    const credentials = { email: "api-person@example.com", password };
    const signedIn = await call("POST", "/auth/signin/local", {}, credentials);
    const { refresh_token } = signedIn.json;
    expect((await call("POST", "/api/auth/refresh", {}, { refresh_token })).status).toBe(200);
  });
});
