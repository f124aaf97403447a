import { db, query } from "../../db/connection.server";
import { siteTimeZone } from "../../db/site.server";
import { DomainError, requireVersion } from "../../errors";
import { type Actor, recordAction } from "../activity/audit-log.server";
import { lastDay } from "../promotions/expiry-date";
import type { EditFormFacts } from "../promotions/form/promotion-forms";
import { changeLifecycle } from "../promotions/lifecycle/promotion-lifecycle.server";
import { type CampaignTimes, toCampaignTimes } from "../promotions/schedule";
import {
  rejectWrongStart,
  timesBindings,
  timesChanges,
  timesColumns,
  timesValues,
} from "../promotions/times.server";
import { lockGeneration, type MassGeneration } from "./mass-generation.server";

/** @param today YYYY-MM-DD in the site's zone */
export function generationEditFacts({ expiresAt }: MassGeneration, today: string): EditFormFacts {
  return {
    today,
    heldDay: expiresAt && lastDay(expiresAt, siteTimeZone()),
    hasName: true,
    // Without one it is renewable, or valid without end.
    hasExpiration: expiresAt !== null,
    isOnlyExtended: true,
    hasTimes: true,
  };
}

type GenerationEdit = {
  name: string | null;
  /** The last valid day, YYYY-MM-DD in the site's zone; null keeps the expiration. */
  expirationDate: string | null;
  /** The one that the editor saw. */
  version: number;
} & Partial<CampaignTimes>;

/**
 * Changes the start and the hours of a mass generation, renames it and moves its expiration to a later day, each an
 * action of its own that is written to the generation first and followed by its codes, which have no times of their
 * own. Nothing is left to do for a value that it has already.
 * @throws DomainError not_found; conflict: it is deleted or has changed meanwhile; invalid
 */
export async function editGeneration(
  id: string,
  edit: GenerationEdit,
  { actor, idempotencyKey }: { actor: Actor; idempotencyKey: string | null },
): Promise<void> {
  const { name, expirationDate } = edit;
  const version = edit.version + Number(await changeTimes(id, edit, actor));
  const subject = { type: "mass_generation", id } as const;
  const keyFor = (action: string) => idempotencyKey && `${idempotencyKey}-${action}`;
  const renamed = await changeLifecycle(subject, "rename", {
    actor,
    name,
    version,
    idempotencyKey: keyFor("rename"),
  });
  if (expirationDate === null) return;
  await changeLifecycle(subject, "extend", {
    actor,
    lastDay: expirationDate,
    version: version + Number(renamed.changed),
    idempotencyKey: keyFor("extend"),
  });
}

/** @returns whether something changed */
async function changeTimes(id: string, edit: GenerationEdit, actor: Actor): Promise<boolean> {
  return db().transaction(async (trx) => {
    const existing = await lockGeneration(trx, id);
    const held = toCampaignTimes(existing.times);
    const { startsAt = held.startsAt, schedule = held.schedule } = edit;
    const changes = timesChanges(held, { startsAt, schedule });
    if (Object.keys(changes).length === 0) return false;
    if (existing.isDeleted) throw new DomainError("conflict", "This campaign is deleted");
    requireVersion(existing.version, edit.version, "Someone else changed this campaign");
    const { heldDay } = generationEditFacts(existing, "");
    if (startsAt !== held.startsAt)
      await rejectWrongStart(trx, { startsAt, expirationDate: edit.expirationDate ?? heldDay });
    await query(
      trx,
      `update mass_generations set (${timesColumns}) = row(${timesValues}), version = version + 1
       where id = :id`,
      { ...timesBindings({ startsAt, schedule }), id: existing.id },
    );
    await recordAction(trx, actor, "mass_generation.edited", existing.id, {
      covered: existing.numCodes,
      details: changes,
    });
    return true;
  });
}
