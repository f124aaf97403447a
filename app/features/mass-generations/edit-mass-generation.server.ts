import type { Knex } from "knex";
import { query } from "../../db/connection.server";
import { siteTimeZone } from "../../db/site.server";
import { conflict, invalidFields, requireVersion, runChecks } from "../../errors";
import { formatDateInput } from "../../forms/date-input";
import { type Actor, recordAction } from "../activity/audit-log.server";
import { type ActionOptions, runOnce } from "../activity/idempotency.server";
import type { Caps } from "../caps/cap";
import { changeCaps, prepareCapsChange } from "../caps/caps.server";
import { lastDay } from "../promotions/expiry-date";
import {
  rejectPastDate,
  rejectWrongStart,
  timesBindings,
  timesChanges,
  timesColumns,
  timesValues,
  toStoredStart,
} from "../promotions/times.server";
import { type EditFormFacts, onlyLaterDay } from "../promotions/form/promotion-forms";
import { requestSignal } from "../promotions/lifecycle/lifecycle-operations.server";
import { finishOperationsOf } from "../promotions/lifecycle/pending-operations.server";
import { startChange } from "../promotions/lifecycle/promotion-lifecycle.server";
import { type CampaignTimes, toCampaignTimes } from "../promotions/schedule";
import { lockGeneration, type MassGeneration } from "./mass-generation.server";

/** Returns the last valid day, YYYY-MM-DD in the site's zone, or null. */
const lastDayOf = ({ expiresAt }: MassGeneration) =>
  expiresAt && lastDay(expiresAt, siteTimeZone());

/** @param today YYYY-MM-DD in the site's zone */
export function generationEditFacts(generation: MassGeneration, today: string): EditFormFacts {
  const heldDay = lastDayOf(generation);
  return {
    today,
    heldDay,
    hasName: true,
    // Without one it is renewable, or valid without end.
    hasExpiration: generation.expiresAt !== null,
    earlierDayError: heldDay && `${onlyLaterDay} than ${formatDateInput(heldDay)}`,
    hasTimes: true,
  };
}

type GenerationEdit = {
  /** null keeps the name. */
  name: string | null;
  /** The last valid day, YYYY-MM-DD in the site's zone; null never ends. What is left out keeps the expiration. */
  expirationDate?: string | null;
  /** Leaving them out keeps the caps. */
  caps?: Caps;
  /** The one that the editor saw. */
  version: number;
} & Partial<CampaignTimes>;

/**
 * Changes the start, the hours and the caps of a mass generation, renames it and moves its expiration to a later day, in
 * one transaction, each with its audit row. Its codes follow; they have no times and caps of their own. A value that it
 * has already is no change.
 * @throws DomainError not_found; conflict: it is deleted or has changed meanwhile; invalid
 */
export async function editGeneration(
  id: string,
  { version, ...edit }: GenerationEdit,
  options: ActionOptions,
): Promise<void> {
  const signal = requestSignal();
  const { actor } = options;
  await runOnce(options, { id, ...edit }, async (trx) => {
    const campaign = { type: "mass_generation", id } as const;
    const earlierUses = edit.caps && (await prepareCapsChange(trx, campaign, edit.caps));
    const changes = await editTerms(trx, id, { ...edit, version }, actor);
    if (edit.caps && earlierUses)
      await changeCaps(trx, campaign, edit.caps, version + changes, { actor, earlierUses });
  });
  await finishOperationsOf(id, signal);
}

/** @returns the number of changes, of which each makes a version */
async function editTerms(
  trx: Knex.Transaction,
  id: string,
  { version, ...edit }: GenerationEdit,
  actor: Actor,
): Promise<number> {
  const existing = await lockGeneration(trx, id);
  const current = toCampaignTimes(existing.times);
  const { schedule = current.schedule } = edit;
  const startsAt =
    edit.startsAt === undefined ? current.startsAt : await toStoredStart(trx, edit.startsAt);
  const { name, expirationDate = lastDayOf(existing) } = edit;
  const changedTimes = timesChanges(current, { startsAt, schedule });
  const changes = {
    times: Object.keys(changedTimes).length > 0,
    name: name !== null && name !== existing.name,
    day: expirationDate !== lastDayOf(existing),
  };
  const count = Object.values(changes).filter(Boolean).length;
  if (count === 0) return 0;

  if (existing.isDeleted) throw conflict("This campaign is deleted. Nothing was changed.");
  requireVersion(existing.version, version, "Someone else changed this campaign");
  const isNewStart = startsAt !== current.startsAt;
  await runChecks([
    () => (changes.day ? rejectWrongDay(trx, existing, expirationDate) : undefined),
    () => (isNewStart ? rejectWrongStart(trx, { startsAt, expirationDate }) : undefined),
  ]);

  if (changes.times) {
    await query(
      trx,
      `update mass_generations set (${timesColumns}) = row(${timesValues}), version = version + 1
       where id = :id`,
      { ...timesBindings({ startsAt, schedule }), id: existing.id },
    );
    await recordAction(trx, actor, "mass_generation.edited", existing.id, {
      covered: existing.numCodes,
      details: changedTimes,
    });
  }
  const subject = { type: "mass_generation", id: existing.id } as const;
  // Redemptions lock a part of the caps before a code. An edit of both leaves the codes to follow after its commit.
  const options = { actor, isDeferred: edit.caps !== undefined };
  if (changes.name) await startChange(trx, subject, "rename", { ...options, name });
  if (changes.day)
    await startChange(trx, subject, "extend", { ...options, lastDay: expirationDate });
  return count;
}

/** @param day the new last valid day, YYYY-MM-DD; null never ends */
async function rejectWrongDay(
  trx: Knex.Transaction,
  existing: MassGeneration,
  day: string | null,
): Promise<void> {
  const heldDay = lastDayOf(existing);
  if (existing.isRenewable)
    throw invalidFields({ expiration_date: "A renewable code has no expiration date" });
  if (heldDay === null)
    throw invalidFields({
      expiration_date: "This campaign has no expiration date, and can't be given one",
    });
  await rejectPastDate(trx, day);
  if (day === null || day < heldDay) throw invalidFields({ expiration_date: onlyLaterDay });
}
