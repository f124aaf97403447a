/** Schemas of the facts of events, by type: of their types, of the OpenAPI document and of its page. */
import * as z from "zod/mini";
import { transactionSchema } from "../transactions/transaction-api";
import type { EventType } from "./event";

const id = z.int();
const discount = {
  discount_type: z.enum(["percentage", "free_drink"]),
  discount_value: z.int(),
};
const machine = { serialNumber: z.string(), humanName: z.string() };

const promotion = z.object({
  id,
  code: z.string(),
  name: z.string(),
  ...discount,
  mass_generation_id: z.nullable(id),
});

const usage = z.object({
  promotion,
  machine: z.object(machine),
  transaction: z.extend(transactionSchema, { redemptionId: z.string() }),
});

const refusal = z.object({
  /** null for a text that is no code. */
  promotion: z.nullable(promotion),
  machine: z.object({ ...machine, humanName: z.nullable(z.string()) }),
  attempt: z.object({
    redemptionId: z.string(),
    code: z.string(),
    originalPrice: z.int(),
    reason: z.string(),
    /** The cap that was reached, if that is the reason. */
    cap: z.optional(z.string()),
  }),
});

const campaign = z.object({
  campaign: z.object({
    id,
    type: z.enum(["single", "mass"]),
    name: z.string(),
    /** null for a mass generation. */
    code: z.nullable(z.string()),
    num_codes: z.int(),
    ...discount,
  }),
});

const alert = z.object({
  alert: z.object({
    id,
    kind: z.string(),
    role: z.enum(["user", "admin"]),
    subject: z.string(),
    message: z.string(),
    path: z.string(),
  }),
});

const machineData = z.object({ machine: z.object(machine) });

/** Types whose events have the same facts share a schema. */
export const eventData = {
  "promotion.redeemed": usage,
  "promotion.used_up": usage,
  "promotion.rolled_back": usage,
  "redemption.refused": refusal,
  "campaign.created": campaign,
  "campaign.codes_added": z.extend(campaign, {
    added: z.object({ first_number: z.int(), num_codes: z.int() }),
  }),
  "campaign.deactivated": campaign,
  "promotion.expired": z.union([
    z.object({
      promotion: z.object({ id, code: z.string(), name: z.string(), activation_count: z.int() }),
    }),
    z.object({ mass_generation: z.object({ id, name: z.string(), num_codes: z.int() }) }),
  ]),
  "machine.deleted": machineData,
  "machine.restored": machineData,
  "machine.unknown": z.object({ machine: z.object({ serialNumber: z.string() }) }),
  "report.ready": z.object({
    report: z.object({
      schedule_id: id,
      frequency: z.string(),
      title: z.string(),
      period: z.string(),
      path: z.string(),
    }),
  }),
  "key.throttled": z.object({
    integration: z.object({ id }),
    key: z.object({ id, last_four: z.string() }),
    limit: z.int(),
  }),
  "alert.raised": alert,
  "alert.cleared": alert,
} satisfies Record<EventType, z.ZodMiniType>;

export type EventData<Type extends EventType> = z.infer<(typeof eventData)[Type]>;

export function toCampaignData(
  input: { name: string; discountType: "percentage" | "free_drink"; discountValue: number },
  { id, code = null, numCodes = 1 }: { id: string; code?: string | null; numCodes?: number },
): EventData<"campaign.created">["campaign"] {
  return {
    id: Number(id),
    type: code === null ? "mass" : "single",
    name: input.name,
    code,
    num_codes: numCodes,
    discount_type: input.discountType,
    discount_value: input.discountValue,
  };
}
