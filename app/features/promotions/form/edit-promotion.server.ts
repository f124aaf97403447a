import type { Knex } from "knex";
import { siteTimeZone } from "../../../db/site.server";
import { conflict, invalidFields, requireVersion, runChecks } from "../../../errors";
import { parseRecordId } from "../../../forms/record-id";
import { type Actor, changesBetween, recordAction } from "../../activity/audit-log.server";
import { type ActionOptions, runOnce } from "../../activity/idempotency.server";
import type { Caps } from "../../caps/cap";
import { changeCaps, prepareCapsChange } from "../../caps/caps.server";
import { lastDay } from "../expiry-date";
import type { Promotion } from "../promotion";
import {
  endOfDaySql,
  rejectPastDate,
  rejectWrongStart,
  timesBindings,
  timesChanges,
  timesColumns,
  timesValues,
  toStoredStart,
} from "../times.server";
import { promotionNotFound, readPromotion } from "../promotions.server";
import { type CampaignTimes, noTimes, toCampaignTimes } from "../schedule";
import type { EditFormFacts } from "./promotion-forms";

/** @param today YYYY-MM-DD in the site's zone */
export function promotionEditFacts(
  { expiresAt, massGenerationId, isRenewable }: Promotion,
  today: string,
): EditFormFacts {
  return {
    today,
    heldDay: expiresAt && lastDay(expiresAt, siteTimeZone()),
    hasName: massGenerationId === null,
    hasExpiration: !isRenewable,
    earlierDayError: null,
    hasTimes: massGenerationId === null,
  };
}

type PromotionEdit = {
  /** null keeps the name: a code of a mass generation has the generation's. */
  name: string | null;
  /** The last valid day, YYYY-MM-DD in the site's zone; null never ends. */
  expirationDate: string | null;
  /** Only single promotions have caps of their own. Leaving them out keeps them. */
  caps?: Caps;
  /** The one that the editor saw. */
  version: number;
} & Partial<CampaignTimes>;

/**
 * Changes what may still change once a code is printed, in one transaction: the name, the start, the hours and the caps of
 * a single promotion, and the expiration. An expiration set here wins over that of the code's mass generation.
 * @throws DomainError not_found; invalid; conflict: it has changed since the version that the editor saw, and would change
 */
export async function editPromotion(
  id: string,
  { version, ...edit }: PromotionEdit,
  options: ActionOptions,
): Promise<{ changed: boolean }> {
  const promotionId = parseRecordId(id);
  if (promotionId === null) throw promotionNotFound();
  const campaign = { type: "promotion", id: promotionId } as const;
  const { actor } = options;
  return runOnce(options, { id: promotionId, ...edit }, async (trx) => {
    const earlierUses = edit.caps && (await prepareCapsChange(trx, campaign, edit.caps));
    const changed = await editTerms(trx, promotionId, { ...edit, version }, actor);
    if (!edit.caps || !earlierUses) return { changed };
    const seen = version + Number(changed);
    const capsEdit = await changeCaps(trx, campaign, edit.caps, seen, { actor, earlierUses });
    return { changed: changed || capsEdit.changed };
  });
}

/** @returns whether it changed, and has the next version */
async function editTerms(
  trx: Knex.Transaction,
  promotionId: string,
  edit: PromotionEdit,
  actor: Actor,
): Promise<boolean> {
  const existing = await readPromotion(trx, promotionId, { lock: "for no key update of p" });
  const current = toCampaignTimes(existing.times);
  const { schedule = current.schedule } = edit;
  const startsAt =
    edit.startsAt === undefined ? current.startsAt : await toStoredStart(trx, edit.startsAt);
  const times = { startsAt, schedule };
  const day = existing.expiresAt && lastDay(existing.expiresAt, siteTimeZone());
  const changes = {
    ...changesBetween(
      { name: existing.name, expiration_date: day },
      { name: edit.name ?? existing.name, expiration_date: edit.expirationDate },
    ),
    ...timesChanges(current, times),
  };
  if (Object.keys(changes).length === 0) return false;
  await rejectChanges(trx, existing, { ...edit, startsAt }, changes);
  await trx.raw(
    `update promotions set name = :name, version = version + 1, updated_at = now(),
       (${timesColumns}) = row(${timesValues}),
       expires_at = case when :isNewDay then ${endOfDaySql} else expires_at end,
       has_own_expiration = mass_generation_id is not null and (has_own_expiration or :isNewDay)
     where id = :promotionId`,
    {
      promotionId,
      ...timesBindings(existing.massGenerationId === null ? times : noTimes),
      name: edit.name ?? existing.name,
      isNewDay: Boolean(changes.expiration_date),
      lastDay: edit.expirationDate,
    },
  );
  await recordAction(trx, actor, "promotion.edited", promotionId, { details: changes });
  return true;
}

/** @throws DomainError conflict; invalid, with all fields that are wrong */
async function rejectChanges(
  trx: Knex.Transaction,
  existing: Promotion,
  edit: PromotionEdit & Pick<CampaignTimes, "startsAt">,
  changes: Record<string, unknown>,
): Promise<void> {
  if (existing.isDeleted) throw conflict("This code is deleted. Nothing was changed.");
  requireVersion(existing.version, edit.version, "Someone else changed this code");
  await runChecks([
    () => (existing.massGenerationId === null ? undefined : rejectOwnTerms(changes)),
    () => (changes.expiration_date ? rejectWrongDay(trx, existing, edit, changes) : undefined),
    () => (changes.starts_at ? rejectWrongStart(trx, edit) : undefined),
  ]);
}

/** Rejects changes of what a code of a mass generation has from it. */
function rejectOwnTerms(changes: Record<string, unknown>): void {
  const times = "This code has the start and the hours of its campaign: edit the campaign";
  const name = "This code has the name of its campaign: rename the campaign";
  const errors = {
    ...(changes.name ? { promotionName: name } : {}),
    ...(changes.starts_at ? { starts_at: times } : {}),
    ...(changes.hours || changes.not_on ? { schedule: times } : {}),
  };
  if (Object.keys(errors).length > 0) throw invalidFields(errors);
}

async function rejectWrongDay(
  trx: Knex.Transaction,
  { isRenewable, times }: Promotion,
  { expirationDate: day }: PromotionEdit,
  changes: Record<string, unknown>,
): Promise<void> {
  if (day === null) return;
  if (isRenewable)
    throw invalidFields({ expiration_date: "A renewable code has no expiration date" });
  await rejectPastDate(trx, day);
  if (!changes.starts_at && times?.startsAt && day < times.startsAt.slice(0, 10))
    throw invalidFields({ expiration_date: "The expiration cannot be before the start" });
}
