import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import { db } from "../../app/db/connection.server";
import { everyNth } from "../support/naughty-strings";
import { peopleForms, type PeopleForm } from "../support/people-forms";
import { addUser, useServer } from "../support/server";
import { accessMatrix, apiAddresses, isApiRow } from "./access-matrix";

/** Properties that all forms about people have in common. */
const server = useServer({ environment: { TRUST_PROXY: "1", ALLOW_SIGNUP: "1" } });
let user: { id: string; email: string };
let cookies: Record<PeopleForm["who"], string | undefined>;
let token = "";
let sent = 0;

beforeAll(async () => {
  user = await addUser(`${randomUUID()}@example.com`);
  cookies = {
    visitor: undefined,
    user: await server.signIn(user.email),
    admin: await server.signIn(),
  };
  token = await server.signInToApi();
});

type Row = Record<string, unknown>;
const storedUser = async () => (await db()("users").where({ id: user.id }).first<Row>())!;

async function valuesOf({ fields, intent }: PeopleForm): Promise<Record<string, string>> {
  const values = Object.entries(fields).map(([name, value]) => [
    name,
    value.replace(":new", randomUUID()),
  ]);
  return {
    ...(Object.fromEntries(values) as Record<string, string>),
    ...(intent && { intent }),
    version: String((await storedUser()).version),
  };
}

const addressOf = ({ address }: PeopleForm) => address.replace(":id", user.id);

/** Each request comes from an address of its own, so that no limit ends the test. */
function post(form: PeopleForm, body: Record<string, string>) {
  sent += 1;
  const headers = { "X-Forwarded-For": `10.${sent >> 16}.${(sent >> 8) & 255}.${sent & 255}` };
  return server.send(addressOf(form), {
    ...{ method: "POST", body, headers, cookie: cookies[form.who] },
  });
}

const escaped = (text: string) =>
  text.replaceAll("&", "&amp;").replaceAll("'", "&#x27;").replaceAll('"', "&quot;");

/** Returns what a browser with scripts would say about a field. */
async function browserMessage({ validator }: PeopleForm, body: Record<string, string>) {
  const form = new FormData();
  for (const [name, value] of Object.entries(body)) form.append(name, value);
  const { error } = (await validator?.validate(form)) ?? {};
  return Object.values(error?.fieldErrors ?? {})[0];
}

describe("a naughty string", () => {
  const fields = peopleForms.flatMap((form) =>
    [...Object.keys(form.fields), ...(form.validator ? ["version"] : [])].map((field) => ({
      form,
      field,
    })),
  );

  it.each(fields.map(({ form, field }, index) => [form.name, field, form, index] as const))(
    "in '%s', field '%s', is judged alike by browser and server, and breaks nothing",
    { timeout: 600_000 },
    async (_name, field, form, index) => {
      for (const text of everyNth(120, undefined, index * 7)) {
        const body = { ...(await valuesOf(form)), [field]: text };
        const message = await browserMessage(form, body);
        const answer = await post(form, body);
        expect(answer.status, text).toBeLessThan(500);
        if (message !== undefined) {
          expect(answer.status, text).toBe(422);
          expect(answer.body, text).toContain(escaped(message));
        } else if (form.validator && !form.hasMoreRules) expect(answer.status, text).not.toBe(422);
      }
    },
  );
});

describe("a column that is no field", () => {
  /** Every column of every table, as it is called there and in JavaScript. */
  let columns: { name: string; value: string }[] = [];
  const ofSpecification =
    "password disabled avatar emailVerified emailVerificationToken emailVerificationTokenExpiresAt passwordResetToken passwordResetTokenExpiresAt provider user_id";

  beforeAll(async () => {
    const { rows } = await db().raw<{ rows: { name: string; type: string }[] }>(
      `select distinct column_name as name, min(data_type) as type
       from information_schema.columns where table_schema = 'public' group by 1 order by 1`,
    );
    const values: Record<string, string> = { boolean: "true", bigint: "1", integer: "1" };
    const named = rows.map(({ name, type }) => ({
      name,
      value: name === "role" ? "admin" : (values[type] ?? `canary-${name}`),
    }));
    const camel = (name: string) =>
      name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());
    columns = [
      ...named,
      ...named.map(({ name, value }) => ({ name: camel(name), value })),
      ...ofSpecification.split(" ").map((name) => ({ name, value: "canary-specified" })),
    ];
    expect(columns.length).toBeGreaterThan(200);
  });

  /** The columns, in parts that no form is too small for. */
  function parts(own: string[]): Record<string, string>[] {
    const isField = /^(version|intent|disabled|idempotency_key)$/;
    const extras = columns.filter(({ name }) => !own.includes(name) && !isField.test(name));
    return Array.from({ length: Math.ceil(extras.length / 150) }, (_, part) =>
      Object.fromEntries(
        extras.slice(part * 150, part * 150 + 150).map(({ name, value }) => [name, value]),
      ),
    );
  }

  async function expectNoCanary(): Promise<void> {
    const { rows } = await db().raw<{ rows: { name: string }[] }>(
      "select tablename as name from pg_tables where schemaname = 'public'",
    );
    for (const { name } of rows) {
      const found = await db().raw<{ rows: object[] }>(
        "select from ?? t where position('canary-' in t::text) > 0 limit 1",
        [name],
      );
      expect(found.rows, name).toHaveLength(0);
    }
  }

  function expectUnchanged(before: Row, after: Row, columnsOfForm: string[]): void {
    const kept = (row: Row) =>
      Object.fromEntries(Object.entries(row).filter(([name]) => !columnsOfForm.includes(name)));
    expect(kept(after)).toEqual(kept(before));
  }

  it.each(peopleForms.map((form) => [form.name, form] as const))(
    "changes nothing in '%s'",
    async (_name, form) => {
      for (const extras of parts(Object.keys(form.fields))) {
        const before = await storedUser();
        const answer = await post(form, { ...extras, ...(await valuesOf(form)) });
        expect(answer.status).toBeLessThan(500);
        expectUnchanged(before, await storedUser(), form.columns);
      }
    },
  );

  it("changes nothing in any other form", { timeout: 60_000 }, async () => {
    const before = await storedUser();
    for (const [id, { path, action }] of Object.entries(accessMatrix)) {
      if (isApiRow(id) || action === "none" || path === "/logout") continue;
      for (const extras of parts(["name"])) {
        const answer = await server.send(path, {
          method: "POST",
          body: extras,
          cookie: cookies.admin,
        });
        expect(answer.status, path).toBeLessThan(500);
      }
    }
    expectUnchanged(before, await storedUser(), []);
    await expectNoCanary();
  });

  it("changes nothing in any call of the API", { timeout: 60_000 }, async () => {
    const own: [string, string, object][] = [
      ["PUT", "/api/auth/user", { first_name: "Ada" }],
      ["POST", "/users", { data: { email: `${randomUUID()}@example.com` } }],
      ["PUT", `/users/${user.id}`, { id: user.id, data: { firstName: "Ada" } }],
    ];
    const others = Object.values(apiAddresses)
      .filter((path) => path !== "/auth/signout")
      .flatMap((path) => [["POST", path, {}] as const, ["PUT", path, {}] as const]);
    const before = await storedUser();
    const fieldsOfCalls = [
      "first_name",
      "last_name",
      "phone",
      "company",
      "avatar_icon",
      "data",
      "id",
      "name",
    ];
    for (const [method, path, body] of [...own, ...others])
      for (const extras of parts(fieldsOfCalls)) {
        const { data } = body as { data?: object };
        const mixed = {
          ...extras,
          ...body,
          ...(data && { data: { ...extras, ...data, role: "user", disabled: false } }),
        };
        const headers = { Authorization: `Bearer ${token}`, "Content-Type": "application/json" };
        const answer = await server.send(path, { method, headers, body: JSON.stringify(mixed) });
        expect(answer.status, `${method} ${path}`).toBeLessThan(500);
      }
    expectUnchanged(before, await storedUser(), ["first_name", "version", "updated_at"]);
    await expectNoCanary();
  });
});
