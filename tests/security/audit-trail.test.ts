import { randomUUID } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { db } from "../../app/db/connection.server";
import { formFields } from "../../app/features/promotions/promotion-fields";
import { documentedOperations } from "../../app/http/openapi.server";
import { callActionCases } from "../support/action-cases/calls";
import { columnsAsFields, expectNoCanary, sumsOfColumns } from "../support/action-cases/columns";
import { screenActionCases } from "../support/action-cases/screens";
import {
  useWalkedServer,
  walkerOf,
  type ActionCase,
  type Performance,
  type Walker,
} from "../support/action-cases/walk";
import { isSoak } from "../support/repetitions";
import { issueTokenOf, type Answer } from "../support/server";
import { accessMatrix, isApiRow } from "./access-matrix";

/**
 * Every action of every screen and call is performed, and appears once in the audit log. In `npm run soak` it is
 * performed once more with every column as an extra field, which changes nothing; `npm test` does so with the calls,
 * and with the forms that write a user, because one wrapper drops what no form has.
 */
const { server, platform } = useWalkedServer();
let walker: Walker;
let cookie = "";
let token = "";
let columns: Record<string, string> = {};
let wasRefused = false;
let sent = 0;

beforeAll(async () => {
  walker = walkerOf(server, platform());
  ({ cookie } = await walker.person("admin"));
  token = await issueTokenOf();
  columns = await columnsAsFields();
});

const formsOfUsers = [
  "routes/signup",
  "routes/invitation",
  "routes/app.user.new",
  "routes/app.user.edit",
  "routes/app.user.edit_.profile",
  "routes/app.users_.$userId.edit",
];

type Row = {
  action: string;
  actor_name: string;
  subject_type: string;
  address: string;
  request_id: string;
};

/** Performs an action, and returns its rows: those of this request, and any that others wrote meanwhile. */
async function rowsOf({ to, ...sending }: Performance): Promise<{ rows: Row[]; answer: Answer }> {
  const { id } = (await db()("audit_log").max("id as id").first())!;
  sent += 1;
  const answer = await server.send(to, {
    method: "POST",
    cookie,
    ...sending,
    headers: {
      // Each request has an address of its own, so that no limit ends the walk.
      "X-Forwarded-For": `10.3.${sent >> 8}.${sent & 255}`,
      ...(/^\/(api|auth|users|file)\b/.test(to) && { Authorization: `Bearer ${token}` }),
      ...sending.headers,
    },
  });
  const rows = await db()("audit_log")
    .where("id", ">", id ?? 0)
    .whereNot({ actor_name: "System" })
    .orderBy("id")
    .select<Row[]>("action", "actor_name", "subject_type", "address", "request_id");
  return { rows, answer };
}

/** Gives a form the key that its page gives it; those that change nothing twice read none. */
function withKey(performance: Performance): Performance {
  const { body } = performance;
  if (typeof body === "string" || Buffer.isBuffer(body)) return performance;
  const fields = Array.isArray(body) ? body : Object.entries(body ?? {});
  return { ...performance, body: [["idempotency_key", randomUUID()], ...fields] };
}

/** Fields that all forms and calls which create promotions have under one name. */
const creationFields: string[] = [
  ...formFields().flatMap(({ single, mass }) => (single === mass ? mass : [])),
  "code_prefix",
  "code_length",
];

function isOwnField(name: string, { audited }: ActionCase): boolean {
  if (/^(version|intent|disabled|idempotency_?key|password)$/i.test(name)) return true;
  const rows = "none" in audited ? [] : audited;
  const isCreation = rows.includes("promotion.created") || rows.includes("mass_generation.created");
  return isCreation && creationFields.includes(name);
}

const isJson = ({ headers }: Performance) => headers?.["Content-Type"] === "application/json";

/** Whether a request is a form or a call with a body of JSON, to which fields can be added. */
function hasFields(performance: Performance): boolean {
  const { body, method } = performance;
  return isJson(performance) || !(typeof body === "string" || Buffer.isBuffer(body) || method);
}

/** Adds every column as a field, except for those that the action's own form or call may have. */
function withColumns(actionCase: ActionCase): ActionCase {
  return {
    ...actionCase,
    async arrange(person) {
      const performance = await actionCase.arrange(person);
      const { body } = performance;
      const extras = Object.entries(columns).filter(([name]) => !isOwnField(name, actionCase));
      if (isJson(performance)) {
        const own = JSON.parse(body as string) as object;
        return { ...performance, body: JSON.stringify({ ...Object.fromEntries(extras), ...own }) };
      }
      const own = Array.isArray(body) ? body : Object.entries((body ?? {}) as object);
      const names = own.map(([name]) => name);
      return {
        ...performance,
        body: [...extras.filter(([name]) => !names.includes(name)), ...own],
      };
    },
  };
}

function differences(before: Record<string, number>, after: Record<string, number>) {
  const names = Object.keys(after).filter((name) => after[name] !== before[name]);
  return Object.fromEntries(names.map((name) => [name, after[name]! - before[name]!]));
}

/** Performs an action, and sends it again as if its answer had been lost. */
async function expectAudited(name: string, actionCase: ActionCase): Promise<Performance> {
  const performance = withKey(await actionCase.arrange(walker));
  await expectRows(actionCase, performance);
  if (name in doneAgain) return performance;
  expect((await rowsOf(performance)).rows, "done twice").toEqual([]);
  return performance;
}

/** Does so, and performs the action once more with every column as an extra field, if its request has fields. */
async function expectNoMassAssignment(name: string, actionCase: ActionCase): Promise<void> {
  const before = await sumsOfColumns();
  if (!hasFields(await expectAudited(name, actionCase))) return;
  const between = await sumsOfColumns();
  await expectRows(actionCase, await withColumns(actionCase).arrange(walker));
  const changes = differences(before, between);
  // A call may refuse fields that it doesn't know.
  if (wasRefused) return;
  expect(differences(between, await sumsOfColumns())).toEqual(changes);
}

const isAnotherOne = "Each is another one; clients send a key of their own where it must not be.";
const isLostSecret =
  "A secret is shown once: the one that nobody got ends, and another takes its place.";

/** Actions that are done again when they are sent again, and why. All others are done once. */
const doneAgain: Record<string, string> = {
  "routes/login ''": isAnotherOne,
  "routes/app.profile 'reveal'": "Each look at a secret is one.",
  "routes/app.integrations_.$integrationId ''": isLostSecret,
  "routes/app.integrations_.$integrationId.renew.$keyId ''": isLostSecret,
  "routes/app.webhooks_.$webhookId 'rotate'": isLostSecret,
  "routes/app.webhooks_.$webhookId 'send-now'": "A delivery that has failed meanwhile waits again.",
  "routes/app.jobs_.$jobId.run ': of a delivery that waits'": "It waits until it has run.",
  "routes/app.reports_.mailing_.$scheduleId 'test'": isAnotherOne,
  "POST /auth/signin/local": isAnotherOne,
  "POST /file/upload/users/avatar": isAnotherOne,
  "POST /api/create_promotion": isAnotherOne,
  "POST /api/mass_generation/{massGenerationId}/add-codes": isAnotherOne,
  "POST /api/generate_codes": isAnotherOne,
};

async function expectRows(actionCase: ActionCase, performance: Performance): Promise<void> {
  const { rows, answer } = await rowsOf(performance);
  const { status, headers, body } = answer;
  const accepted = [200, 201, 303, ...(isJson(performance) ? [413, 422] : [])];
  const statuses = actionCase.isRefused ? [409] : accepted;
  expect(statuses, body.slice(0, 2_000)).toContain(status);
  if (status === 303) expect(headers.location).not.toContain("/login?returnTo");
  wasRefused = status >= 400;
  const expected = wasRefused || "none" in actionCase.audited ? [] : actionCase.audited;
  expect(rows.map(({ action }) => action)).toEqual(expected);
  for (const row of rows) {
    expect(row.actor_name).toMatch(/@example\.com/);
    expect(row.action).toMatch(new RegExp(`^${row.subject_type}\\.`));
    expect(row.address).toMatch(/^10\.3\./);
    expect(row.request_id).toBe(headers["x-request-id"]);
  }
}

describe("an action of a screen appears once in the audit log, or says why it does not", () => {
  const actionCases = Object.entries(screenActionCases).flatMap(([route, actions]) =>
    Object.entries(actions).map(([name, actionCase]) => [route, name, actionCase] as const),
  );

  it.each(actionCases)("%s '%s'", async (route, name, actionCase) => {
    const isTriedWithColumns = isSoak || formsOfUsers.includes(route);
    const expectRowsOf = isTriedWithColumns ? expectNoMassAssignment : expectAudited;
    await expectRowsOf(`${route} '${name}'`, actionCase);
  });

  it("for every route that has one", () => {
    expect(Object.keys(screenActionCases)).toEqual(expect.arrayContaining(formsOfUsers));
    const routes = Object.entries(accessMatrix).filter(
      ([id, { action }]) => action !== "none" && !isApiRow(id),
    );
    expect(Object.keys(screenActionCases).sort()).toEqual(routes.map(([id]) => id).sort());
  });
});

it("performs every action that the code names", () => {
  const named = sourcesOf("app/features").flatMap((source) =>
    [...source.matchAll(/recordAction\(\s*\w+,[^"`;]*?["`]([a-z_]+\.[a-z_]+)["`]/g)].map(
      ([, action]) => action!,
    ),
  );
  const performed = [
    ...Object.values(screenActionCases).flatMap((actions) => Object.values(actions)),
    ...Object.values(callActionCases),
  ].flatMap((actionCase) => ("none" in actionCase.audited ? [] : actionCase.audited));
  expect(named.length).toBeGreaterThan(40);
  // The first are those of commands; a token that comes back is a refresh otherwise (http/accounts-api).
  const otherwise = ["site.month_archived", "site.month_brought_back", "user.tokens_revoked"];
  expect(named.filter((action) => !performed.includes(action)).sort()).toEqual(otherwise);
});

function sourcesOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".server.ts"))
    .map((file) => readFileSync(path.join(folder, file), "utf8"));
}

describe("a call appears once in the audit log, or says why it does not", () => {
  it.each(Object.entries(callActionCases))("%s", expectNoMassAssignment);

  it("and no column that was sent as a field has reached a table", expectNoCanary);

  it("for every call that is no GET", () => {
    const calls = documentedOperations()
      .filter(({ method }) => method !== "GET")
      .map(({ method, path }) => `${method} ${path}`);
    expect(Object.keys(callActionCases).sort()).toEqual(calls.sort());
  });
});
