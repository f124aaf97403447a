/** The body of a call that edits a promotion or a mass generation. */
import * as z from "zod/mini";
import {
  sentCaps,
  sentDate,
  sentSchedule,
  sentStart,
} from "../../features/promotions/promotion-api";
import { nameText } from "../../forms/fields";

export const editBody = z.strictObject({
  name: z.optional(nameText(200, z.string("Name must be text").check(z.trim()))),
  expiration_date: z.optional(sentDate),
  starts_at: z.optional(sentStart),
  schedule: z.optional(sentSchedule),
  caps: z.optional(sentCaps),
  version: z.optional(z.int("version must be a whole number")),
});
