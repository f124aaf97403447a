import { db } from "../../../db/connection.server";
import { siteTimeZone } from "../../../db/site.server";
import { DomainError } from "../../../errors";
import { parseRecordId } from "../../../forms/record-id";
import { recordAction, type Actor } from "../../activity/audit-log.server";
import { lastDay } from "../expiry-date";
import { endOfDaySql } from "../site-day.server";

type Rows<Row> = { rows: Row[] };

export type PromotionEdit = {
  /** null leaves it as it is: a code of a mass generation has the generation's name. */
  name: string | null;
  /** The last valid day, YYYY-MM-DD in the site's zone; null never ends. */
  expirationDate: string | null;
};

type Held = {
  name: string;
  mass_generation_id: string | null;
  is_renewable: boolean;
  is_deleted: boolean;
  expires_at: Date | null;
  version: number;
};

/**
 * Changes what may still change once a code is printed (rulings 3.6): the name of a single
 * promotion, and the expiration.
 * @param version what the editor saw; should the promotion have moved on, nothing is written. The
 *   same change a second time is no conflict.
 * @throws DomainError not_found, conflict, invalid
 */
export async function editPromotion(
  id: string,
  edit: PromotionEdit,
  version: number,
  { actor }: { actor: Actor },
): Promise<{ changed: boolean }> {
  const promotionId = parseRecordId(id);
  if (!promotionId) throw new DomainError("not_found", "Error: Promotion not found");
  const timeZone = siteTimeZone();
  return db().transaction(async (trx) => {
    const { rows } = await trx.raw<Rows<Held & { today: string }>>(
      `select name, mass_generation_id, is_renewable, is_deleted, expires_at, version,
         to_char(now() at time zone :timeZone, 'YYYY-MM-DD') as today
       from promotions where id = :promotionId for update`,
      { promotionId, timeZone },
    );
    const held = rows[0];
    if (!held) throw new DomainError("not_found", "Error: Promotion not found");
    const changes = changesOf(held, edit, timeZone);
    if (Object.keys(changes).length === 0) return { changed: false };
    refuse(held, changes, version);
    await trx.raw(
      `update promotions set name = :name, version = version + 1, updated_at = now(),
         expires_at = case when not :isNewDay then expires_at
           when cast(:lastDay as date) is not null then ${endOfDaySql} end
       where id = :promotionId`,
      {
        promotionId,
        timeZone,
        name: edit.name ?? held.name,
        isNewDay: Boolean(changes.expiration_date),
        lastDay: edit.expirationDate,
      },
    );
    await recordAction(trx, {
      actor,
      action: "promotion.edited",
      subjectType: "promotion",
      subjectId: promotionId,
      details: changes,
    });
    return { changed: true };
  });
}

type Changes = {
  name?: { from: string; to: string };
  expiration_date?: { from: string | null; to: string | null };
};

function changesOf(held: Held, edit: PromotionEdit, timeZone: string): Changes {
  const day = held.expires_at && lastDay(held.expires_at, timeZone);
  return {
    ...(edit.name !== null &&
      edit.name !== held.name && { name: { from: held.name, to: edit.name } }),
    ...(edit.expirationDate !== day && {
      expiration_date: { from: day, to: edit.expirationDate },
    }),
  };
}

function refuse(held: Held & { today: string }, changes: Changes, version: number): void {
  if (held.is_deleted)
    throw new DomainError("conflict", "This promotion is deleted. Nothing was changed.");
  if (held.version !== version)
    throw new DomainError(
      "conflict",
      "Somebody changed this promotion after you opened it. Nothing was changed: the page shows how it is now, the form what you typed. Save again to use what you typed.",
    );
  if (changes.name && held.mass_generation_id !== null)
    throw invalid("promotionName", "The name of a mass generation can't be changed");
  const day = changes.expiration_date?.to ?? null;
  if (day === null) return;
  if (held.is_renewable)
    throw invalid("expiration_date", "A renewable promotion has no expiration date");
  if (day < held.today) throw invalid("expiration_date", "Date cannot be in the past");
}

function invalid(field: string, sentence: string): DomainError {
  return new DomainError("invalid", sentence, { [field]: sentence });
}
