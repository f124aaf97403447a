/** JSON schemas of the OpenAPI document: bodies, answers and parameters, each field with its description. */
import * as z from "zod/mini";
import type { AnyOperation } from "./api.server";
import { idempotencyKeyParam } from "./openapi-headers.server";
import { describeField } from "./operations/field-descriptions";

/** @param where names what the fields belong to, for their descriptions */
export function schemaOf(
  schema: z.ZodMiniType,
  io: "input" | "output",
  where: string[] = [],
): object {
  const document = z.toJSONSchema(schema, { io, unrepresentable: "any" });
  delete document.$schema;
  describeFields(document as JsonSchema, where);
  return document;
}

type JsonSchema = {
  description?: string;
  properties?: Record<string, JsonSchema>;
  items?: JsonSchema;
  anyOf?: JsonSchema[];
};

function describeFields({ properties, items, anyOf }: JsonSchema, where: string[]): void {
  for (const part of [items ?? [], anyOf ?? []].flat()) describeFields(part, where);
  for (const [name, part] of Object.entries(properties ?? {})) {
    const description = describeField(name, where);
    if (description) part.description = description;
    describeFields(part, [name, ...where]);
  }
}

const wholeNumber = (maximum?: number) => ({
  type: "integer",
  minimum: 1,
  ...(maximum !== undefined && { maximum }),
});
const recordId = { type: "string", pattern: "^[1-9]\\d{0,14}$" };
const date = { type: "string", format: "date" };

/** Schemas of parameters that mean the same in every call; an operation can have one of its own. */
const paramSchemas: Record<string, object> = {
  page: wholeNumber(),
  per_page: wholeNumber(100),
  limit: wholeNumber(100),
  before: recordId,
  mass_generation_id: recordId,
  integration: recordId,
  count: { type: "string", enum: ["exact", "none"] },
  include_deleted: { type: "boolean" },
  created: { type: "string", enum: ["7d", "30d", "2m"] },
  created_after: date,
  created_before: date,
  completed_after: date,
  completed_before: date,
  createdAtRange: { type: "array", items: date, maxItems: 2 },
};

export function parametersOf({
  path,
  queryParams = {},
  isIdempotent,
}: Pick<AnyOperation, "path" | "queryParams" | "isIdempotent">): object[] {
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: "path",
    required: true,
    ...(name === "serialNumber" && { description: "`.` and `..` are written `~.` and `~..`." }),
    schema: { type: "string" },
  }));
  const inQuery = Object.entries(queryParams).map(([name, param]) => {
    const [description, schema = paramSchemas[name] ?? { type: "string" }, required = false] =
      typeof param === "string" ? [param] : param;
    return { name, in: "query", description, ...(required && { required }), schema };
  });
  return [...inPath, ...inQuery, ...(isIdempotent ? [idempotencyKeyParam] : [])];
}

export function formSchema(parts: Record<string, string>): object {
  const properties = Object.entries(parts).map(([name, description]) => [
    name,
    {
      type: "string",
      description,
      ...(name === "file" && { contentMediaType: "application/octet-stream" }),
    },
  ]);
  return { type: "object", properties: Object.fromEntries(properties), required: ["file"] };
}
