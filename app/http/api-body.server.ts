import * as z from "zod/mini";
import { DomainError, invalidFields } from "../errors";
import type { FieldErrors } from "../forms/validator";
import { formatNumber } from "../format/number";
import { apiError } from "./answers.server";
import type { AnyOperation } from "./api.server";

/** Room for 2,000 machines with serial number and name, which are 6,000 values. No call takes more machines. */
const maxValues = 10_000;

export const notJson = "Send JSON with Content-Type: application/json.";

/**
 * @throws DomainError invalid, with a message for each field that breaks the schema
 * @throws Response 400 for a body that must be readable
 */
export function parseBody<Body>(
  value: unknown,
  schema: z.ZodMiniType<Body>,
  unreadable?: string,
): Body {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  if (unreadable) throw apiError(400, unreadable);
  // A key can have the name of what objects inherit.
  const fields = new Map<string, string>();
  for (const issue of parsed.error.issues) {
    const [first, second] = issue.path;
    // Fields of users are sent within `data`.
    const field = first === "data" && second !== undefined ? second : first;
    if (issue.code === "unrecognized_keys" && (field === undefined || field === "data"))
      for (const key of issue.keys.slice(0, 5)) fields.set(key, "This field is not known");
    else if (field === undefined) fields.set("body", "The body must be a JSON object");
    else fields.set(String(field), issue.message);
  }
  throw invalidFields(Object.fromEntries(fields));
}

/** @throws DomainError invalid, with messages by the rules of the operation, too */
export async function readBody(
  { body, unreadable, rules, fieldNames }: AnyOperation,
  request: Request,
): Promise<unknown> {
  if (!body) return undefined;
  const sent = await readJson(request);
  try {
    return parseBody(sent, body, unreadable);
  } catch (cause) {
    if (!(cause instanceof DomainError) || !rules) throw cause;
    const errors = await rules(validFields(body, sent));
    throw invalidFields({ ...renameFields(errors, fieldNames), ...cause.fields });
  }
}

/** Returns messages by the names that the caller uses. */
export function renameFields(fields: FieldErrors, names: Record<string, string> = {}): FieldErrors {
  const entries = Object.entries(fields).map(([name, text]) => [
    Object.hasOwn(names, name) ? names[name] : name,
    text,
  ]);
  return Object.fromEntries(entries) as FieldErrors;
}

/** Returns the fields of a body, or of its `data`, that keep the schema, as they are read. */
function validFields(schema: z.core.$ZodType, value: object): Record<string, unknown> {
  const { shape } = (schema as z.ZodMiniObject).def;
  const sent = value as Record<string, unknown>;
  const { data } = sent;
  if (shape.data && typeof data === "object" && data !== null) return validFields(shape.data, data);
  return Object.fromEntries(
    Object.entries(shape).flatMap(([name, field]) => {
      const parsed = z.safeParse(field, sent[name]);
      return parsed.success && parsed.data !== undefined ? [[name, parsed.data]] : [];
    }),
  );
}

/** @throws Response 415 */
export function streamCsv(request: Request): AsyncIterable<Uint8Array> | null {
  if (!/^text\/csv\s*(;|$)/i.test(request.headers.get("Content-Type") ?? ""))
    throw apiError(415, "Send text/csv.");
  return request.body as AsyncIterable<Uint8Array> | null;
}

/** @throws Response 415. The pipeline has rejected forms that can't be read. */
export async function readUpload(request: Request): Promise<FormData> {
  if (!/^multipart\/form-data\s*;/i.test(request.headers.get("Content-Type") ?? ""))
    throw apiError(415, "Send multipart/form-data.");
  return request.formData();
}

/** @throws what is no JSON in UTF-8. Replacing wrong bytes would store another text than was meant. */
export function parseJson(content: ArrayBuffer | Uint8Array): unknown {
  return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(content));
}

/** @throws Response 400, 413 or 415 */
async function readJson(request: Request): Promise<object> {
  if (!/^application\/json\s*(;|$)/i.test(request.headers.get("Content-Type") ?? ""))
    throw apiError(415, notJson);
  const value = await request
    .arrayBuffer()
    .then(parseJson)
    .catch(() => undefined);
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw apiError(400, "The request can't be read.");
  if (hasTooManyValues(value))
    throw apiError(413, `The body has more than ${formatNumber(maxValues)} values.`);
  return value;
}

/** Counts before a schema makes a message of each value: 125,000 messages are more than V8 can push to a list at once. */
function hasTooManyValues(body: object): boolean {
  const nested = [body];
  let count = 0;
  for (const object of nested) {
    const values: unknown[] = Object.values(object);
    count += values.length;
    if (count > maxValues) return true;
    for (const value of values) if (typeof value === "object" && value !== null) nested.push(value);
  }
  return false;
}
