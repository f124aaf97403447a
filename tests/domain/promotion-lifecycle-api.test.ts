import { randomBytes } from "node:crypto";
import type { ActionFunctionArgs } from "@remix-run/node";
import { beforeAll, describe, expect, test } from "vitest";
import { db } from "../../app/db/connection.server";
import { generateCodes } from "../../app/features/promotions/code";
import { issueTokens } from "../../app/features/sign-in/tokens.server";
import { action } from "../../app/routes/api.$/route";
import { insertUser } from "../factories/people-and-machines";
import { insertPromotion } from "../factories/promotions";
import { useDatabase } from "../support/postgres";

useDatabase();

let token = "";
let actor: { id: string; email: string };
beforeAll(async () => {
  actor = await insertUser();
  ({ token } = await issueTokens({ ...actor, credentialsVersion: 1 }, { actor }));
});

const deactivate = "promotion/{id}/deactivate";
const softDelete = "promotion/{id}/soft-delete";
const deleteGeneration = "mass_generation/{id}/soft-delete";

async function call(path: string, id: string, method = "PUT", bearer = token) {
  const args = {
    request: new Request(`http://localhost/api/${path.replace("{id}", id)}`, {
      method,
      headers: { Authorization: `Bearer ${bearer}` },
    }),
    params: {},
    context: { requestId: "r-1" },
  } as unknown as ActionFunctionArgs;
  const answer = await action(args).catch((thrown: unknown) => {
    if (thrown instanceof Response) return thrown;
    throw thrown;
  });
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
}

async function insertGeneration(): Promise<{ id: string; codes: string[] }> {
  const [generation] = await db()("mass_generations")
    .insert({
      name: "Fair",
      num_codes: 3,
      discount_type: "percentage",
      discount_value: 25,
      is_single_use: false,
      is_renewable: false,
    })
    .returning<{ id: string }[]>("id");
  const codes = [];
  for (const code of generateCodes(3, randomBytes))
    codes.push(await insertPromotion({ code, mass_generation_id: generation!.id }));
  return { id: generation!.id, codes };
}

test("a promotion is deactivated and deleted, once", async () => {
  const id = await insertPromotion({ is_assigned: true });
  for (let round = 0; round < 2; round++) {
    const { status, body } = await call(deactivate, id);
    expect(status).toBe(200);
    expect(body).toMatchObject({ id: Number(id), is_active: false, status: "inactive" });
  }
  for (let round = 0; round < 2; round++) {
    const { status, body } = await call(softDelete, id);
    expect(status).toBe(200);
    expect(body).toMatchObject({ id: Number(id), is_deleted: true, status: "deleted" });
  }
  expect(await call(deactivate, id)).toEqual({
    status: 409,
    body: { error: "This promotion is deleted" },
  });
  const noted = await db()("audit_log")
    .where({ subject_type: "promotion", subject_id: id })
    .orderBy("id");
  expect(noted.map(({ action, request_id, actor_id }) => [action, request_id, actor_id])).toEqual([
    ["promotion.deactivated", "r-1", actor.id],
    ["promotion.deleted", "r-1", actor.id],
  ]);
});

test("a mass generation is deleted by its own id and by that of one code", async () => {
  const first = await insertGeneration();
  const { status, body } = await call(deleteGeneration, first.id);
  expect(status).toBe(200);
  expect(body).toEqual({ id: Number(first.id), is_deleted: true, deleted_codes: 3 });
  expect((await call(deleteGeneration, first.id)).body).toMatchObject({ deleted_codes: 0 });

  const second = await insertGeneration();
  expect((await call(softDelete, second.codes[1]!)).status).toBe(200);
  const deleted = await db()("promotions").whereIn("id", [...first.codes, ...second.codes]);
  expect(deleted.map(({ is_deleted }) => is_deleted)).toEqual(Array(6).fill(true));
});

describe.each([
  ["deactivate", deactivate, "Error: Promotion not found"],
  ["soft-delete", softDelete, "Error: Promotion not found"],
  ["soft-delete of a generation", deleteGeneration, "Error: Mass generation not found"],
] as const)("%s", (_name, route, sentence) => {
  test.each(["0", "01", "x", "1.0", "99999999", "9223372036854775808", "1\0", "'"])(
    "of %j is not found",
    async (id) => {
      expect(await call(route, id)).toEqual({ status: 404, body: { error: sentence } });
    },
  );

  test("takes PUT only", async () => {
    for (const method of ["POST", "DELETE", "PATCH"])
      expect((await call(route, "1", method)).status).toBe(405);
  });

  test("needs a bearer", async () => {
    expect((await call(route, "1", "PUT", "nobody")).status).toBe(401);
  });
});
