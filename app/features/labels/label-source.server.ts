/** The codes that labels are printed of: those of a mass generation, or one code alone. */
import { db, query } from "../../db/connection.server";
import { conflict } from "../../errors";
import type { CampaignRef } from "../activity/subject";
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
import type { LabelOptions, NumberRange } from "./label-options";
import type { CodeLabel } from "./label-set.server";
import { maxLabels, type LabelSection } from "./label-sheets";

export type LabelSource = Pick<Campaign, "id" | "name" | "discountType" | "discountValue"> & {
  createdAt: Date;
  kind: CampaignRef["type"];
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
  if (promotion.isDeleted) throw conflict("This code is deleted. An admin can restore it.");
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

type Choice = Pick<LabelOptions, "codes" | "isAll">;

/** Runs a query of the labels of a section, `printed`. */
function queryPrinted<Row extends object>(
  source: LabelSource,
  { codes: { from, to }, isAll }: Choice,
  { offset, count }: LabelSection,
  [statement, bindings]: [string, Record<string, number | number[]>?],
): Promise<Row[]> {
  return query<Row>(
    db(),
    `with ${numberedSql(source)}, printed as (
       select number::integer as number, code, expires_at from chosen
       where :isAll or status = 'active'
       order by number limit :count offset :offset
     ) ${statement}`,
    { ...clockBindings(), id: source.id, from, to, isAll, count, offset, ...bindings },
  );
}

/**
 * Reads labels in the order of the archive, and one more than a file has if there are more.
 * @param part numbers of the codes that the file may have
 */
export function readLabels(
  source: LabelSource,
  choice: Choice,
  section: LabelSection,
  part: NumberRange = choice.codes,
): Promise<CodeLabel[]> {
  return queryPrinted(source, choice, section, [
    `select * from printed where number between :partFrom and :partTo order by number limit :max`,
    { partFrom: part.from, partTo: part.to, max: maxLabels + 1 },
  ]);
}

/** Reads the first of the labels with the longest codes, and the first that has a date. */
export function readLargestLabels(
  source: LabelSource,
  choice: Choice,
  section: LabelSection,
): Promise<CodeLabel[]> {
  return queryPrinted(source, choice, section, [
    `(select * from printed order by length(code) desc, number limit 1) union all
     (select * from printed where expires_at is not null order by number limit 1)`,
  ]);
}

/**
 * Reads the numbers of the codes at some places, counted from 1.
 * @param places in ascending order; those after the last label are left out
 */
export async function readNumbersAt(
  source: LabelSource,
  choice: Choice,
  section: LabelSection,
  places: number[],
): Promise<number[]> {
  const rows = await queryPrinted<{ number: number }>(source, choice, section, [
    `select number from (select number, row_number() over (order by number) as place from printed) placed
     where place = any(:places) order by place`,
    { places },
  ]);
  return rows.map(({ number }) => number);
}
