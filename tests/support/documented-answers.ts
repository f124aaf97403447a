/** Holds answers against the OpenAPI document. */
import { expect } from "vitest";
import * as z from "zod";
import type { Send } from "./server";

export type Schema = {
  type?: string | string[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  anyOf?: Schema[];
  enum?: unknown[];
  const?: unknown;
  pattern?: string;
  format?: string;
  minLength?: number;
  minimum?: number;
  maximum?: number;
  maxItems?: number;
};

export type Parameter = { name: string; in: "path" | "query" | "header"; schema: Schema };
export type DocumentedCall = {
  parameters?: Parameter[];
  requestBody?: { content: Record<string, { schema: Schema }> };
  responses: Record<
    string,
    { headers?: Record<string, object>; content?: Record<string, { schema?: Schema }> }
  >;
};

export type Document = {
  paths: Record<string, Record<string, DocumentedCall>>;
  components: { schemas: { Error: object }; headers: Record<string, { required?: boolean }> };
};

export const callsOf = ({ paths }: Document) =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, call]) => ({ method: method.toUpperCase(), path, call })),
  );

/** Finds the call that answers an address: one without a parameter comes first. */
export function callOf(
  document: Document,
  method: string,
  address: string,
): DocumentedCall | undefined {
  const { pathname } = new URL(address, "http://localhost");
  return callsOf(document)
    .filter(
      (call) =>
        call.method === method &&
        new RegExp(`^${call.path.replace(/\{\w+\}/g, "[^/]+")}$`).test(pathname),
    )
    .sort((a, b) => a.path.split("{").length - b.path.split("{").length)[0]?.call;
}

export type Described = [
  call: DocumentedCall,
  answer: { status: number; headers: Record<string, unknown>; body: string },
  name: string,
];

const compiled = new WeakMap<object, z.ZodType>();

/** Asserts that an answer has a status, the required headers and the body that a document says. */
export function expectAsDocumented(
  { components }: Document,
  ...[{ responses }, { status, headers, body }, name]: Described
): void {
  expect(Object.keys(responses), name).toContain(String(status));
  for (const field of Object.keys(responses[status]!.headers ?? {}))
    if (components.headers[field]!.required)
      expect(headers, name).toHaveProperty(field.toLowerCase());
  const content = responses[status]!.content ?? {};
  // 304 has no body, and so no type.
  if (body === "" && headers["content-type"] === undefined && Object.keys(content).length === 0)
    return;
  const type = String(headers["content-type"]).split(";")[0]!;
  expect(Object.keys(content), name).toContain(type);
  const schema = content[type]?.schema;
  if (!schema) return;
  const source = "$ref" in schema ? components.schemas.Error : schema;
  if (!compiled.has(source)) compiled.set(source, z.fromJSONSchema(source as never));
  const { error } = compiled.get(source)!.safeParse(JSON.parse(body));
  expect(error, `${name}: ${body.slice(0, 300)}`).toBeUndefined();
}

/** Holds each answer of a call of the API against the document that the product itself serves. */
export function documented(send: Send): Send {
  let document: Document | undefined;
  return async (target, sending) => {
    const answer = await send(target, sending);
    if (!/^\/(api|auth|users|file)\b/.test(target)) return answer;
    document ??= await readDocument(send);
    const { method = "GET" } = sending ?? {};
    const call = callOf(document, method, target);
    if (call) expectAsDocumented(document, call, answer, `${method} ${target}`);
    return answer;
  };
}

/** Reads the document, which a busy server answers later. */
async function readDocument(send: Send): Promise<Document> {
  let answer = await send("/api/openapi.json");
  while (answer.status === 503) answer = await send("/api/openapi.json");
  expect(answer.status).toBe(200);
  return JSON.parse(answer.body) as Document;
}
