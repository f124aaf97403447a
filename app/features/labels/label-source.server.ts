/** The codes that labels are printed of: those of a mass generation, or one code alone. */
import { db, query } from "../../db/connection.server";
import { DomainError } from "../../errors";
import { listAddedCodes } from "../mass-generations/add-codes.server";
import type { AddedCodes } from "../mass-generations/added-codes";
import { getUndeletedGeneration } from "../mass-generations/mass-generation.server";
import type { Campaign, PromotionStatus } from "../promotions/promotion";
import {
  clockBindings,
  clockSql,
  joinedExpiresAtSql,
  joinedStatusOnceAssignedSql,
} from "../promotions/promotion-sql.server";
import { getPromotion } from "../promotions/promotions.server";
import type { LabelOptions } from "./label-options";
import type { CodeLabel } from "./label-set.server";
import type { LabelSection } from "./label-sheets";

export type LabelSource = Pick<Campaign, "id" | "name" | "discountType" | "discountValue"> & {
  createdAt: Date;
  kind: "mass_generation" | "promotion";
  numCodes: number;
  /** Codes that were added later, the newest first. */
  added: AddedCodes[];
};

/**
 * @param ids parameters of a route below a mass generation or a code
 * @throws DomainError not_found; conflict: it is deleted
 */
export async function getLabelSource(ids: {
  generationId?: string;
  promotionId?: string;
}): Promise<LabelSource> {
  if (ids.promotionId === undefined) {
    const generation = await getUndeletedGeneration(ids.generationId ?? "");
    const added = await listAddedCodes(db(), generation.id);
    return { ...generation, kind: "mass_generation", added };
  }
  const promotion = await getPromotion(ids.promotionId);
  if (promotion.isDeleted)
    throw new DomainError("conflict", "This code is deleted. An admin can restore it.");
  return { ...promotion, kind: "promotion", numCodes: 1, added: [] };
}

/**
 * Selects the codes of a source by their numbers, which are those of the archive. Those with the
 * status 'active' are redeemable, once a machine is assigned.
 */
const numberedSql = ({ kind }: LabelSource) => `
  ${clockSql}, numbered as (
    select p.code, p.expires_at, p.mass_generation_id, p.has_own_expiration, p.is_deleted,
      p.is_active, p.is_renewable, p.max_uses, p.period_uses, p.period_key,
      row_number() over (order by p.id) as number
    from promotions p where p.${kind === "promotion" ? "id" : "mass_generation_id"} = :id
  ), chosen as (
    select p.number, p.code, ${joinedExpiresAtSql} as expires_at, ${joinedStatusOnceAssignedSql} as status
    from numbered p left join mass_generations generation on generation.id = p.mass_generation_id
    where p.number between :from and :to
  )`;

export function countLabelCodes(
  source: LabelSource,
  { from, to }: LabelOptions["codes"],
): Promise<{ status: PromotionStatus; codes: number }[]> {
  return query(
    db(),
    `with ${numberedSql(source)}
     select status, count(*)::integer as codes from chosen group by status order by codes desc, status`,
    { ...clockBindings(), id: source.id, from, to },
  );
}

/** Reads labels in the order of the archive. */
export function readLabels(
  source: LabelSource,
  { codes: { from, to }, isAll }: Pick<LabelOptions, "codes" | "isAll">,
  { offset, count }: LabelSection,
): Promise<CodeLabel[]> {
  return query(
    db(),
    `with ${numberedSql(source)}
     select number::integer as number, code, expires_at from chosen
     where :isAll or status = 'active'
     order by number limit :count offset :offset`,
    { ...clockBindings(), id: source.id, from, to, isAll, count, offset },
  );
}
