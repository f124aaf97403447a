import { randomBytes } from "node:crypto";
import type { Knex } from "knex";
import { db, one } from "../../../db/connection.server";
import { retry, runWithRetry } from "../../../db/retry.server";
import { siteTimeZone } from "../../../db/site.server";
import { type Actor, recordAction } from "../../activity/audit-log.server";
import { createSetFrom } from "../../assignments/assignments.server";
import { toCampaignData } from "../../events/event-data";
import { recordEvent } from "../../events/record-event.server";
import { codeLength, generateCodes } from "../code";
import {
  requireApproval,
  storeApprovalResult,
  type Decision,
} from "../../approvals/approvals.server";
import { withIdempotency } from "../../activity/idempotency.server";
import type { Campaign, Promotion } from "../promotion";
import { fieldBindings, fieldColumns } from "../field-columns.server";
import {
  endOfDaySql,
  rejectPastDate,
  rejectWrongStart,
  timesBindings,
  timesColumns,
  timesValues,
} from "../times.server";
import { DomainError } from "../../../errors";
import { formatCode } from "../../../format/promotion";
import { paths } from "../../../paths";
import type { Assigned } from "../../assignments/assigned";
import { assignedTargets, byField, type ChosenTargets, noTargets } from "../../assignments/targets";
import { formFields } from "../promotion-fields";
import { toCapsInput } from "../../caps/cap-forms";
import { createCaps } from "../../caps/caps.server";
import { toCampaignTimes } from "../schedule";
import type { NewPromotion } from "./promotion-forms";
import { toTimesInput } from "./times-form.server";
import { getPromotion, readPromotionMachines } from "../promotions.server";

export type CreateOptions = {
  actor: Actor;
  /** Key of a form or request that may arrive twice, valid for 24 hours; null without protection. */
  idempotencyKey: string | null;
  /** The approval of a second admin that is being carried out. */
  decision?: Decision;
};

/**
 * Creates a single promotion with its machines and groups, or nothing (RULES P2).
 * @throws DomainError invalid: a machine that is unknown or deleted, a group that is gone, a date
 *   that has passed; conflict: the key was used for something else
 * @throws HeldForApproval: it waits for a second admin
 */
export async function createPromotion(
  input: NewPromotion,
  options: CreateOptions,
): Promise<{ promotion: Promotion; wasReplayed: boolean }> {
  const { actor, idempotencyKey } = options;
  const request = { userId: actor.id, key: idempotencyKey, input };
  const { result, wasReplayed } = await withIdempotency(db(), request, async (trx) => {
    await rejectPastDate(trx, input.expirationDate);
    await rejectWrongStart(trx, input);
    const setId = await createSetFrom(trx, input);
    await requireApproval(trx, { kind: "single", name: input.name, codes: 1, input }, options);
    const promotionId = await insertPromotion(trx, input, actor.id, setId);
    await storeApprovalResult(trx, options.decision, paths.promotion(promotionId));
    if (input.caps) await createCaps(trx, { type: "promotion", id: promotionId }, input.caps);
    await recordAction(trx, actor, "promotion.created", promotionId, { details: input });
    return { promotionId };
  });
  return { promotion: await getPromotion(result.promotionId), wasReplayed };
}

/** Inserts a promotion with a new code. @returns its id */
export async function insertPromotion(
  trx: Knex.Transaction,
  input: Omit<NewPromotion, keyof ChosenTargets>,
  userId: string,
  setId: string,
): Promise<string> {
  const insert = async () => {
    const [code] = generateCodes(1, randomBytes, input.codePattern);
    const created = await one<{ id: string; code: string }>(
      trx,
      `insert into promotions (code, ${fieldColumns()},
         ${timesColumns}, expires_at, max_uses, period_key, set_id, created_by)
       values (:code, ${fieldBindings(input)}, ${timesValues},
         ${endOfDaySql},
         case when :isSingleUse then 1
           when :discountType = 'free_drink' then cast(:discountValue as integer) end,
         case when :isRenewable
           then to_char(now() at time zone :timeZone, 'YYYYMM')::integer else 0 end,
         :setId, :userId)
       on conflict (code) do nothing
       returning id, code`,
      {
        ...input,
        ...timesBindings(input),
        code: code!,
        lastDay: input.expirationDate,
        setId,
        userId,
      },
    );
    if (!created) return retry;
    await recordEvent(trx, {
      type: "campaign.created",
      subject: `promotion:${created.id}`,
      data: { campaign: toCampaignData(input, created) },
    });
    return created.id;
  };
  // Retries on a code collision (probability about 1e-17 per code).
  return runWithRetry(insert, {
    maxAttempts: 5,
    exhausted: () =>
      new Error("Five new codes in a row were already taken: the random source is broken"),
  });
}

/** A creating form that is filled from what there is already. */
export type FormPrefill = {
  /** Id of the source; null if it was not found. */
  id: string | null;
  /** Message that names the source and what was left out. */
  note: { kind: "info" | "warning"; text: string };
  /** The fields; the name is left blank. */
  values: Record<string, string | boolean | string[]> | null;
} & ChosenTargets;

/** @param id as it came in a URL; null where nothing is to be copied */
export async function prefillFrom(
  id: string | null,
  what: string,
  read: (id: string) => Promise<FormPrefill>,
): Promise<FormPrefill | null> {
  if (id === null) return null;
  try {
    return await read(id);
  } catch (error) {
    if (!(error instanceof DomainError) || error.reason !== "not_found") throw error;
    const text = `The ${what} to copy was not found. This form is empty.`;
    return { id: null, note: { kind: "warning", text }, values: null, ...noTargets };
  }
}

export function copyPromotion(id: string | null): Promise<FormPrefill | null> {
  return prefillFrom(id, "code", async (promotionId) => {
    const [promotion, assigned] = await Promise.all([
      getPromotion(promotionId),
      readPromotionMachines(promotionId),
    ]);
    const source = `${promotion.name} (${formatCode(promotion.code)}), with a new code`;
    // Only mass generations store the pattern of their codes.
    const hasPattern = promotion.code.length !== codeLength;
    return prefillForm(promotion, assigned, { source, form: "single", hasPattern });
  });
}

/**
 * @param own fields of the form that a promotion doesn't have
 * @param hasPattern whether the source has a pattern of codes that `own` doesn't fill in
 */
export function prefillForm(
  campaign: Campaign,
  assigned: Omit<Assigned, "effective">,
  {
    source,
    form,
    own,
    hasPattern = false,
  }: {
    source: string;
    form: "single" | "mass";
    own?: Record<string, string>;
    hasPattern?: boolean;
  },
): FormPrefill {
  const targets = assignedTargets(assigned);
  const times = toCampaignTimes(campaign.times);
  const omitted = [
    campaign.isExpired && "its expiration date, which has passed",
    times.startsAt && !campaign.times?.isAhead && "its start, which has passed",
    targets.machine.some(({ isDisabled }) => isDisabled) && "machines that are marked as deleted",
    hasPattern && "the prefix and length of its code",
  ].filter(Boolean);
  const notCopied = omitted.length > 0 ? ` Not copied: ${omitted.join(", ")}.` : "";
  return {
    id: campaign.id,
    note: {
      kind: "info",
      text: `A copy of ${source}. Everything except the name is filled in.${notCopied}`,
    },
    values: {
      ...Object.fromEntries(
        formFields().flatMap(({ copy, ...names }) =>
          copy ? [[names[form], copy(campaign, siteTimeZone())]] : [],
        ),
      ),
      ...(campaign.times &&
        toTimesInput({ ...times, startsAt: campaign.times?.isAhead ? times.startsAt : null })),
      ...(campaign.caps && toCapsInput(campaign.caps)),
      ...own,
    },
    ...byField(({ kind }) =>
      targets[kind].flatMap(({ id: target, isDisabled }) => (isDisabled ? [] : target)),
    ),
  };
}
