/** Reads JSON schemas of the OpenAPI document for its pages. */
import { exampleRedemptionId } from "./redeem-curl";

export type Schema = {
  type?: string | string[];
  description?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  anyOf?: Schema[];
  enum?: string[];
};

export type FieldRow = [name: string, type: string, meaning: string];

const typeNames: Record<string, string> = {
  string: "text",
  integer: "whole number",
  number: "number",
  boolean: "true or false",
  array: "list",
  object: "object",
  null: "null",
};

function typeOf({ type, anyOf, enum: choices, items }: Schema): string {
  if (choices) return choices.map((choice) => `\`${choice}\``).join(" or ");
  if (anyOf) return [...new Set(anyOf.map(typeOf))].join(" or ");
  if (type === "array" && items?.type && !items.properties) return `list of ${typeOf(items)}`;
  return [type ?? "object"]
    .flat()
    .map((name) => typeNames[name] ?? name)
    .join(" or ");
}

/**
 * Lists the fields of a schema and of what it holds, as `user.id` or `promotions[].id`.
 * @param isBody whether it says which fields are optional
 */
export function fieldsOf(schema: Schema, isBody: boolean, prefix = ""): FieldRow[] {
  if (schema.items) return fieldsOf(schema.items, isBody, `${prefix}[]`);
  const objects = [schema, ...(schema.anyOf ?? [])].filter(({ properties }) => properties);
  return objects.flatMap(({ properties, required = [] }) =>
    Object.entries(properties!).flatMap(([field, part]) => {
      const name = `${prefix && `${prefix}.`}${field}`.replace(/^\[\]\./, "");
      const optional = isBody && !required.includes(field) ? ", optional" : "";
      return [
        [`\`${name}\``, typeOf(part) + optional, part.description ?? ""] as FieldRow,
        ...fieldsOf(part, isBody, name),
      ];
    }),
  );
}

/** Values of examples, by the names of their fields; `code` and `serialNumber` are those of the guide. */
export const exampleCode = "K7QM2XWPD4HT";
export const exampleSerialNumber = "VM-10431";
const exampleValues: Record<string, unknown> = {
  code: exampleCode,
  name: "Summer",
  promotionName: "Summer",
  discount_value: 25,
  machine: exampleSerialNumber,
  serialNumber: exampleSerialNumber,
  humanName: "Lobby",
  originalPrice: 250,
  discount: 63,
  discountedPrice: 187,
  savings: 25,
  num_codes: 100,
  is_renewable: false,
  starts_at: "2027-06-01T08:00",
  from: "08:00",
  to: "18:00",
  closedDay: "2027-12-24",
  uses: 1_000,
  uses_per_day: 100,
  uses_per_machine_and_day: 10,
  money: 50_000,
  lowest_price: 100,
  highest_discount: 200,
  code_prefix: "SUMMER",
  code_length: 18,
  groupId: "1",
  redemptionId: exampleRedemptionId,
  email: "ada@example.com",
  password: "several words to remember",
  newPassword: "several words to remember",
  role: "user",
  disabled: false,
  firstName: "Ada",
  lastName: "Lovelace",
  first_name: "Ada",
  last_name: "Lovelace",
  phone: "",
  phoneNumber: "",
  company: "",
  expiration_date: "2027-12-31T23:59:59",
  timestamp: "2026-11-25T09:30:00.000Z",
  creation_date: "2026-11-25T09:30:00.000Z",
  createdAt: "2026-11-25T09:30:00.000Z",
  updatedAt: "2026-11-25T09:30:00.000Z",
  lastQrUsed: "2026-11-25T09:30:00.000Z",
};

/** Names in `exampleValues` of what lists of bodies and answers hold. */
const itemNames: Record<string, string> = {
  machines: "serialNumber",
  groups: "groupId",
  except: "closedDay",
};

export function exampleOf(schema: Schema, name = "", isBody = false): unknown {
  const types = [schema.type].flat();
  const known = isBody && name === "discount" ? 25 : exampleValues[name];
  if (known !== undefined && !schema.properties && !schema.items) return known;
  if (schema.enum) return schema.enum[0];
  if (schema.anyOf) return exampleOf(schema.anyOf[0]!, name, isBody);
  if (types[0] === "object")
    return Object.fromEntries(
      Object.entries(schema.properties ?? {}).map(([field, part]) => [
        field,
        exampleOf(part, field, isBody),
      ]),
    );
  if (types[0] === "array") return [exampleOf(schema.items ?? {}, itemNames[name], isBody)];
  if (types[0] === "integer" || types[0] === "number") return 1;
  return types[0] === "boolean" ? true : types[0] === "null" ? null : "text";
}
