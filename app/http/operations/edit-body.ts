/** The body of a call that edits a promotion or a mass generation. */
import * as z from "zod/mini";
import { type Caps, fromApiCaps } from "../../features/caps/cap";
import {
  fromApiSchedule,
  sentCaps,
  sentDate,
  sentSchedule,
  sentStart,
} from "../../features/promotions/promotion-api";
import { type StoredTimes, toCampaignTimes } from "../../features/promotions/schedule";
import { nameText } from "../../forms/fields";

export const editBody = z.strictObject({
  name: z.optional(nameText(200, z.string("Name must be text").check(z.trim()))),
  expiration_date: z.optional(sentDate),
  starts_at: z.optional(sentStart),
  schedule: z.optional(sentSchedule),
  caps: z.optional(sentCaps),
  version: z.optional(z.int("version must be a whole number")),
});

/** Returns the terms that a body edits; what it leaves out of them stays as it is stored. */
export function editedTerms(
  { starts_at: startsAt, schedule, caps }: z.infer<typeof editBody>,
  stored: { times: StoredTimes; caps: Caps | null },
) {
  const { schedule: storedSchedule } = toCampaignTimes(stored.times);
  return {
    startsAt,
    schedule: schedule && fromApiSchedule(schedule, storedSchedule),
    caps: caps === undefined ? undefined : fromApiCaps(caps, stored.caps),
  };
}
