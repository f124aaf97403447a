import { randomBytes } from "node:crypto";
import type { Knex } from "knex";
import { db } from "../../../db/connection.server";
import { siteTimeZone } from "../../../db/site.server";
import { recordAction, type Actor } from "../../activity/audit-log.server";
import { createSetFrom } from "../../assignments/assignments.server";
import { generateCodes } from "../code";
import { withIdempotency } from "../../activity/idempotency.server";
import { getPromotion } from "../list/list-promotions.server";
import type { Promotion } from "../promotion";
import type { NewPromotion } from "./promotion-forms";
import { endOfDaySql, refusePastDate } from "../site-day.server";

type Rows<Row> = { rows: Row[] };

export type CreateOptions = {
  actor: Actor;
  /** Key of a form or request that may arrive twice, valid for 24 hours; null without protection. */
  idempotencyKey: string | null;
};

/**
 * Creates a single promotion with its machines and groups, or nothing (RULES P2).
 * @param input values that passed the rules of promotion-forms.ts
 * @throws DomainError invalid: a machine that is unknown or deleted, a group that is gone, a date
 *   that has passed; conflict: the key was used for something else
 */
export async function createPromotion(
  input: NewPromotion,
  { actor, idempotencyKey }: CreateOptions,
): Promise<{ promotion: Promotion; wasReplayed: boolean }> {
  const request = { userId: actor.id, key: idempotencyKey, input };
  const { result, wasReplayed } = await withIdempotency(db(), request, async (trx) => {
    await refusePastDate(trx, input.expirationDate);
    const setId = await createSetFrom(trx, input);
    const promotionId = await insertPromotion(trx, input, actor.id, setId);
    await recordAction(trx, {
      actor,
      action: "promotion.created",
      subjectType: "promotion",
      subjectId: promotionId,
      details: input,
    });
    return { promotionId };
  });
  return { promotion: await getPromotion(result.promotionId), wasReplayed };
}

async function insertPromotion(
  trx: Knex.Transaction,
  input: NewPromotion,
  userId: string,
  setId: string,
): Promise<string> {
  // One code in 10^17 exists already; the unique index is the judge, the loop its consequence.
  for (let attempt = 0; attempt < 5; attempt++) {
    const [code] = generateCodes(1, randomBytes);
    const { rows } = await trx.raw<Rows<{ id: string }>>(
      `insert into promotions (code, name, discount_type, discount_value, is_single_use,
         is_renewable, expires_at, max_uses, period_key, set_id, created_by)
       values (:code, :name, :discountType, :discountValue, :isSingleUse, :isRenewable,
         case when cast(:lastDay as date) is not null then ${endOfDaySql} end,
         case when :isSingleUse then 1
           when :discountType = 'free_drink' then cast(:discountValue as integer) end,
         case when :isRenewable
           then to_char(now() at time zone :timeZone, 'YYYYMM')::integer else 0 end,
         :setId, :userId)
       on conflict (code) do nothing
       returning id`,
      {
        code: code!,
        name: input.name,
        discountType: input.discountType,
        discountValue: input.discountValue,
        isSingleUse: input.isSingleUse,
        isRenewable: input.isRenewable,
        lastDay: input.expirationDate,
        timeZone: siteTimeZone(),
        setId,
        userId,
      },
    );
    if (rows[0]) return rows[0].id;
  }
  throw new Error("Five new codes in a row were already taken: the random source is broken");
}
