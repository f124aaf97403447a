import { createConfig, lintFromString } from "@redocly/openapi-core";
import { describe, expect, it } from "vitest";
import { operations } from "../../app/http/operations/index.server";
import { documentedOperations, openApiDocument } from "../../app/http/openapi.server";
import { editBody } from "../../app/http/operations/edit-body";
import { documentedCall, documentedCalls } from "../support/generated-requests";

const reader = { role: "user" } as const;

const sent = JSON.stringify(openApiDocument());
const document = JSON.parse(sent) as Record<"paths" | "webhooks", Record<string, object>>;

type Described = {
  description?: string;
  properties?: Record<string, Described>;
  items?: Described;
  anyOf?: Described[];
};

/** An empty query string that notes which parameters are read. */
class ReadParams extends URLSearchParams {
  names = new Set<string>();
  override get(name: string) {
    this.names.add(name);
    return super.get(name);
  }
  override getAll(name: string) {
    this.names.add(name);
    return super.getAll(name);
  }
  override has(name: string) {
    this.names.add(name);
    return super.has(name);
  }
}

describe("the document", () => {
  it("says of each call what it does", () => {
    expect(documentedOperations().filter(({ summary }) => !summary)).toEqual([]);
  });

  it("says that pages end at row 10,000 of those lists alone whose pages do", () => {
    const isDocumented = ({ queryParams }: (typeof operations)[number]) =>
      String(queryParams?.page).includes("row 10,000");
    const doEnd = ({ query }: (typeof operations)[number]) =>
      "page" in query!(new URLSearchParams("page=10001"), reader).errors;
    const numbered = operations.filter(({ queryParams }) => queryParams?.page);
    const pathsOf = (list: typeof numbered) => list.map(({ path }) => path);
    expect(pathsOf(numbered.filter(isDocumented))).toEqual(pathsOf(numbered.filter(doEnd)));
  });

  it("says of an expiration what bodies take", () => {
    expect(sent).toContain(
      "Last valid day in the site's time zone, as YYYY-MM-DDT23:59:59 without a zone.",
    );
    const body = { expiration_date: "2099-12-31T23:59:59" };
    expect(editBody.safeParse(body).success).toBe(true);
    expect(editBody.safeParse({ expiration_date: "2099-12-31" }).success).toBe(false);
  });

  it("says which fields a body has to have", () => {
    const bodyOf = (path: string) =>
      documentedCall("POST", path).requestBody!.content["application/json"]!.schema;
    expect(bodyOf("/api/create_promotion").required).toEqual(["promotionName", "discount_type"]);
    expect(bodyOf("/api/generate_codes").required).toEqual(["name", "discount_type", "num_codes"]);
    expect(bodyOf("/users").properties!.data!.required).toEqual(["email"]);
  });

  it("says who may reactivate, and which calls are for admins", () => {
    const textOf = (method: string, path: string) =>
      JSON.stringify(documentedCall(method, path).responses);
    for (const path of [
      "/api/promotion/{promotionId}/reactivate",
      "/api/mass_generation/{massGenerationId}/reactivate",
    ])
      expect(textOf("PUT", path)).toContain("Admins, or whoever deactivated it");
    expect(textOf("POST", "/api/imports/machines")).toContain("Admins only.");
    expect(textOf("POST", "/api/imports/codes")).not.toContain("Admins only.");
  });

  it("says how many files that nobody confirmed are kept", () => {
    for (const kind of ["codes", "machines", "groups", "assignments"]) {
      const { responses } = documentedCall("POST", `/api/imports/${kind}`);
      expect(JSON.stringify(responses[201])).toContain("the 10 newest are kept");
    }
  });

  it("says which calls run once for an Idempotency-Key", () => {
    const withKey = documentedCalls().filter(({ call }) =>
      call.parameters?.some(({ name }) => name === "Idempotency-Key"),
    );
    const importsOf = (kind: string) =>
      ["", "/{importId}/confirm", "/{importId}/undo"].map((more) => `/api/imports/${kind}${more}`);
    expect(withKey.map(({ method, path }) => `${method} ${path}`).toSorted()).toEqual(
      [
        "/api/create_promotion",
        "/api/generate_codes",
        "/api/mass_generation/{massGenerationId}/add-codes",
        "/api/redemptions/{redemptionId}/rollback",
        "/api/test_codes",
        "/file/upload/users/avatar",
        "/users",
        ...["codes", "machines", "groups", "assignments"].flatMap(importsOf),
      ]
        .map((path) => `POST ${path}`)
        .toSorted(),
    );
  });

  it("says in which headers the next page and the archive are", () => {
    const headersOf = (method: string, path: string) =>
      Object.keys(documentedCall(method, path).responses[200]!.headers!);
    expect(headersOf("GET", "/api/transactions")).toContain("Link");
    expect(headersOf("POST", "/api/generate_codes")).toContain("Content-Location");
  });

  it("says that savings are a percentage", () => {
    expect(sent).toContain('"description":"The discount in whole percent of the original price."');
  });

  it("passes the rules of a linter", async () => {
    const config = await createConfig({ extends: ["recommended"] });
    const findings = await lintFromString({ source: sent, config });
    // The tests run on localhost.
    expect(
      findings
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

  it.each(operations.filter(({ query }) => query))(
    "has exactly the parameters that $method $path reads",
    ({ query, queryParams = {} }) => {
      const params = new ReadParams();
      query!(params, reader);
      const isKnown = (name: string) =>
        query!(new URLSearchParams({ [name]: "x" }), reader).errors[name] !==
        "This parameter is not known";
      expect(Object.keys(queryParams).toSorted()).toEqual(
        [...params.names].filter(isKnown).toSorted(),
      );
    },
  );

  it("says of each field of bodies, answers and events what it holds", () => {
    const unexplained: string[] = [];
    const walk = (schema: Described, place: string) => {
      for (const part of [schema.items ?? [], schema.anyOf ?? []].flat()) walk(part, place);
      for (const [name, part] of Object.entries(schema.properties ?? {})) {
        if (!part.description) unexplained.push(`${place} ${name}`);
        walk(part, `${place} ${name}`);
      }
    };
    type Message = { content?: Record<string, { schema?: Described }> };
    type Call = { requestBody?: Message; responses: Record<string, Message> };
    for (const [path, calls] of Object.entries({ ...document.paths, ...document.webhooks }))
      for (const [method, call] of Object.entries(calls as Record<string, Call>))
        for (const message of [call.requestBody ?? {}, ...Object.values(call.responses)])
          for (const { schema = {} } of Object.values(message.content ?? {}))
            walk(schema, `${method} ${path}`);
    expect(unexplained).toEqual([]);
  });
});
