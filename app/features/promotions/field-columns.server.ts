import { camelCase } from "../../db/connection.server";
import { promotionFields } from "./promotion-fields";

const timesAndCaps = ["expiration_date", "starts_at", "schedule", "caps"];
const fieldNames = Object.keys(promotionFields).filter((name) => !timesAndCaps.includes(name));

/** Lists the columns of the fields of a promotion, and of a mass generation, but times and caps. */
export function fieldColumns(prefix = "") {
  return fieldNames.map((name) => `${prefix}${name}`).join(", ");
}

/**
 * Names their values in a statement that has a `NewPromotion` as bindings. A request that waits for approval since before a
 * field was added lacks it: its column takes its default.
 */
export function fieldBindings(values: Record<string, unknown>) {
  const names = fieldNames.map(camelCase);
  return names.map((name) => (values[name] === undefined ? "default" : `:${name}`)).join(", ");
}
