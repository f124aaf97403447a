/** Makes requests of a call from its part of the OpenAPI document: valid, almost valid and hostile. */
import fc from "fast-check";
import { openApiDocument } from "../../app/http/openapi.server";
import {
  callOf,
  callsOf,
  expectAsDocumented,
  type Described,
  type Document,
  type DocumentedCall,
  type Parameter,
  type Schema,
} from "./documented-answers";
import { naughtyStrings } from "./naughty-strings";

/** Returns the calls of the document. It is made anew each time, because the environment may have changed. */
export const documentedCalls = () => callsOf(openApiDocument() as Document);

/** Finds the call that answers an address. */
export const documentedCall = (method: string, address: string): DocumentedCall =>
  callOf(openApiDocument() as Document, method, address)!;

/** Asserts that an answer has a status, the required headers and the body that the document says. */
export const expectDocumented = (...rest: Described) =>
  expectAsDocumented(openApiDocument() as Document, ...rest);

export type GeneratedRequest = {
  kind: "valid" | "almost valid" | "hostile";
  params: Record<string, string>;
  query: [string, string][];
  /** JSON as it is sent; a call without a body has none. */
  body?: string;
};

/** Values that the schema describes. */
function valuesOf(schema: Schema): fc.Arbitrary<unknown> {
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map(valuesOf));
  const { minimum: min = -10, maximum: max = 1_000 } = schema;
  const types = [schema.type ?? "null"].flat().map((type): fc.Arbitrary<unknown> => {
    switch (type) {
      case "object":
        return fc.record(
          Object.fromEntries(
            Object.entries(schema.properties ?? {}).map(([name, part]) => [name, valuesOf(part)]),
          ),
          { requiredKeys: schema.required ?? [] },
        );
      case "array":
        return fc.array(valuesOf(schema.items ?? {}), { maxLength: schema.maxItems ?? 3 });
      case "integer":
      case "number":
        return fc.integer({ min: Math.max(min, -1_000), max: Math.min(max, 1_000) });
      case "boolean":
        return fc.boolean();
      case "string":
        return textsOf(schema);
      default:
        return fc.constant(null);
    }
  });
  return fc.oneof(...types);
}

function textsOf({ pattern, format, minLength }: Schema): fc.Arbitrary<string> {
  if (format === "date") return fc.constantFrom("2026-01-31", "2030-12-31");
  if (pattern) return fc.stringMatching(new RegExp(pattern), { maxLength: 15 });
  // Spaces around a text don't count.
  if (minLength) return fc.stringMatching(new RegExp(`^\\w{${minLength},15}$`));
  return fc.oneof(fc.constantFrom("2031-12-31T23:59:59", "VM-1", "Summer"), fc.string());
}

const hostileTexts = [
  "",
  "\0",
  "\ud83c",
  "-1",
  "0x10",
  "1e309",
  "٣",
  "９",
  "9".repeat(400),
  "../../etc/passwd",
  "' or 1=1 --",
  "%",
  "{{7*7}}",
  "null",
  "[object Object]",
  " ",
  "\r\nX: y",
  "\u202e",
  ...naughtyStrings.slice(0, 100),
];
const hostileBodies = [
  "",
  "{",
  "null",
  "[]",
  '"x"',
  "1",
  "{}",
  '{"":""}',
  "[".repeat(10_000),
  '{"a":1e999}',
  '{"__proto__":{"role":"admin"}}',
  '{"constructor":{"prototype":{}}}',
  "\ufeff{}",
  "\0",
];

const hostileText = fc.constantFrom(...hostileTexts);
const hostileValue = fc.oneof(
  hostileText,
  fc.constantFrom<unknown>(
    null,
    true,
    -1,
    0,
    0.5,
    2 ** 53,
    -(2 ** 63),
    1e308,
    [],
    {},
    [[]],
    [null],
  ),
);

/** The same value with one thing wrong: a property of another type, missing, or unknown. */
function almost(value: unknown): fc.Arbitrary<unknown> {
  if (Array.isArray(value) || typeof value !== "object" || value === null) return hostileValue;
  const names = Object.keys(value);
  const unknown = fc.constant({ ...value, id_of_nothing: 1 });
  if (names.length === 0) return unknown;
  const changed = fc
    .tuple(fc.constantFrom(...names), hostileValue)
    .map(([name, wrong]) => ({ ...value, [name]: wrong }));
  const without = fc
    .constantFrom(...names)
    .map((name) => Object.fromEntries(Object.entries(value).filter(([key]) => key !== name)));
  return fc.oneof(changed, without, unknown);
}

const kinds = ["valid", "almost valid", "hostile"] as const;

/** @param known values of path parameters that exist */
export function requestsOf(
  { parameters = [], requestBody }: DocumentedCall,
  { count, seed, known }: { count: number; seed: number; known: Record<string, string> },
): GeneratedRequest[] {
  const bodySchema = requestBody?.content["application/json"]?.schema;
  const inPath = parameters.filter((parameter) => parameter.in === "path");
  const inQuery = parameters.filter((parameter) => parameter.in === "query");
  const arbitraryOf = (kind: GeneratedRequest["kind"]): fc.Arbitrary<GeneratedRequest> => {
    const params = fc.record(
      Object.fromEntries(
        inPath.map(({ name }) => [
          name,
          kind === "hostile" ? hostileText : fc.constant(known[name] ?? "1"),
        ]),
      ),
    );
    const query = fc
      .subarray(inQuery, { maxLength: Math.min(3, inQuery.length) })
      .chain((chosen) => fc.tuple(...chosen.map((param) => queryOf(param, kind))))
      .map((pairs) => pairs.flat());
    const body = bodySchema ? bodyOf(bodySchema, kind) : fc.constant(undefined);
    return fc.tuple(params, query, body).map(([params, query, body]) => ({
      kind,
      params,
      query,
      ...(body !== undefined && { body }),
    }));
  };
  const perKind = Math.ceil(count / kinds.length);
  return kinds
    .flatMap((kind) => fc.sample(arbitraryOf(kind), { numRuns: perKind, seed }))
    .slice(0, Math.max(count, kinds.length));
}

/** Values that are valid beside each other: pages end at row 10,000, and a period ends after its beginning. */
function validValuesOf({ name, schema }: Parameter): fc.Arbitrary<unknown> {
  if (name === "page") return fc.integer({ min: 1, max: 100 });
  if (name === "created_after") return fc.constant("2026-01-31");
  if (name === "created_before") return fc.constant("2030-12-31");
  return valuesOf(schema);
}

function queryOf(parameter: Parameter, kind: GeneratedRequest["kind"]) {
  const { name, schema } = parameter;
  const isList = schema.type === "array";
  const values = kind === "valid" ? validValuesOf(parameter) : hostileText;
  return values.map((value) =>
    (isList && Array.isArray(value) ? value : [value]).map((each): [string, string] => [
      name,
      String(each),
    ]),
  );
}

function bodyOf(schema: Schema, kind: GeneratedRequest["kind"]): fc.Arbitrary<string> {
  if (kind === "hostile") return fc.constantFrom(...hostileBodies);
  const values = kind === "valid" ? valuesOf(schema) : valuesOf(schema).chain(almost);
  return values.map((value) => JSON.stringify(limited(value)));
}

/** Codes are generated by the dozen, not by the thousand. */
function limited(value: unknown): unknown {
  const isMany = (count: unknown) => typeof count === "number" && count > 20 && count <= 100_000;
  return typeof value === "object" &&
    value !== null &&
    "num_codes" in value &&
    isMany(value.num_codes)
    ? { ...value, num_codes: 3 }
    : value;
}
