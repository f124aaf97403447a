/** Replacement codes: a code of one use, in place of one that a customer could not use (RULES P7). */
import type { Knex } from "knex";
import { query } from "../../../db/connection.server";
import { siteTimeZone } from "../../../db/site.server";
import { conflict } from "../../../errors";
import { formatCode } from "../../../format/promotion";
import { recordAction } from "../../activity/audit-log.server";
import {
  awaitOtherCodes,
  requireApproval,
  storeApprovalResult,
} from "../../approvals/approvals.server";
import { withIdempotency } from "../../activity/idempotency.server";
import { createSet, groupIdsOf, readTargets } from "../../assignments/assignment-sets.server";
import { tryLockGroupsForShare, withGroupLocks } from "../../machines/machine-groups.server";
import { capsOfOneUse } from "../../caps/cap";
import { createCaps } from "../../caps/caps.server";
import { lastDay } from "../expiry-date";
import type { Promotion } from "../promotion";
import { toCampaignTimes } from "../schedule";
import { rejectPastDate } from "../times.server";
import { getPromotion, readPromotion, readReplacements } from "../promotions.server";
import { paths } from "../../../paths";
import { type CreateOptions, insertPromotion } from "./create-promotion.server";

/**
 * Creates a code with one use of the same discount, at the same machines and until the same day, with the caps
 * that concern a single use. A code that is used up is replaced once; what replaces it can be replaced, too.
 * @throws DomainError not_found; conflict: it is deleted or inactive, has uses left or was replaced; invalid: its expiration has passed
 * @throws HeldForApproval: it waits for a second admin
 */
export async function replacePromotion(id: string, options: CreateOptions): Promise<Promotion> {
  const { actor, idempotencyKey } = options;
  const request = { userId: actor.id, key: idempotencyKey, input: { replaced: id } };
  const { result } = await withGroupLocks([], (trx) =>
    withIdempotency(trx, request, () => createReplacement(trx, id, options)),
  );
  return getPromotion(result.promotionId);
}

async function createReplacement(trx: Knex.Transaction, id: string, options: CreateOptions) {
  await awaitOtherCodes(trx, options);
  const replaced = await readPromotion<{ setId: string }>(trx, id, {
    more: "p.set_id",
    lock: "for no key update of p",
  });
  if (replaced.isDeleted) throw conflict("This code is deleted.");
  if (!replaced.isActive) throw conflict("This code is inactive.");
  if (replaced.remainingUses !== 0) throw conflict("This code still has uses left.");
  const { replacement } = await readReplacements(trx, replaced.id);
  if (replacement) throw conflict(`${formatCode(replacement.code)} replaces it already.`);
  const isFreeDrink = replaced.discountType === "free_drink";
  const input = {
    name: replaced.name,
    discountType: replaced.discountType,
    discountValue: isFreeDrink ? 1 : replaced.discountValue,
    isSingleUse: true,
    isRenewable: false,
    ...toCampaignTimes(replaced.times),
    expirationDate: replaced.expiresAt && lastDay(replaced.expiresAt, siteTimeZone()),
    ...(replaced.caps && { caps: capsOfOneUse(replaced.caps) }),
  };
  await rejectPastDate(trx, input.expirationDate);
  const targets = await readTargets(trx, replaced.setId);
  await tryLockGroupsForShare(trx, groupIdsOf(targets));
  const setId = await createSet(trx, targets);
  const wanted = { kind: "replacement", name: replaced.name, codes: 1 } as const;
  await requireApproval(trx, { ...wanted, input: { replaced: id } }, options);
  const promotionId = await insertPromotion(trx, input, options.actor.id, setId);
  await storeApprovalResult(trx, options.decision, paths.promotion(promotionId));
  if (input.caps) await createCaps(trx, { type: "promotion", id: promotionId }, input.caps);
  await query(
    trx,
    `with touched as (
       update promotions set version = version + 1 where id = :replacedId returning id, period_key
     )
     insert into replacements (promotion_id, replaced_id, period_key)
     select cast(:promotionId as bigint), id, period_key from touched`,
    { promotionId, replacedId: replaced.id },
  );
  const replaces = { from: null, to: formatCode(replaced.code) };
  await recordAction(trx, options.actor, "promotion.created", promotionId, {
    details: { ...input, replaces },
  });
  return { promotionId };
}
