/** Rows of `mass_generations` as the product speaks of them. */
import { db, one, query } from "../../db/connection.server";
import { DomainError } from "../../errors";
import { parseRecordId } from "../../forms/record-id";
import type { DiscountType, PromotionStatus } from "../promotions/promotion";
import { clockBindings, clockSql } from "../promotions/promotion-sql.server";
import type { Assigned } from "../assignments/assigned";
import { readAssigned } from "../assignments/assigned.server";
import type { AssignmentOwner } from "../assignments/assignments.server";
import { formatCodes } from "../../format/promotion";
import {
  prefillFrom,
  prefillForm,
  type FormPrefill,
} from "../promotions/form/copy-promotion.server";

type Rows<Row> = { rows: Row[] };

/** Status of the generation as a whole; single codes may differ. */
export type GenerationStatus = Extract<
  PromotionStatus,
  "deleted" | "expired" | "not_assigned" | "active"
>;

export type MassGeneration = {
  id: string;
  name: string;
  numCodes: number;
  discountType: DiscountType;
  /** Percent, or a number of drinks. */
  discountValue: number;
  isSingleUse: boolean;
  isRenewable: boolean;
  isDeleted: boolean;
  isExpired: boolean;
  /** Exclusive: the start of the local day after the last valid one (RULES T2). */
  expiresAt: Date | null;
  /** When a renewable one gets its limit back: the first of next month, 00:00 in the site's zone. */
  renewsAt: Date | null;
  createdAt: Date;
  /** Mail address; null where nobody noted it, or the account is gone. */
  createdBy: string | null;
  status: GenerationStatus;
};

/** What `toMassGeneration` reads, of a row `g` of mass_generations; needs `clockSql`. */
export const generationColumns = `
  (select s.is_assigned from assignment_sets s where s.id = g.set_id) as is_assigned,
  g.id, g.name, g.num_codes, g.discount_type, g.discount_value, g.is_single_use, g.is_renewable,
  g.is_deleted, g.expires_at, g.created_at,
  (g.expires_at is not null and g.expires_at <= (select at from clock)) as is_expired,
  case when g.is_renewable then (select
    (date_trunc('month', local_time) + interval '1 month') at time zone :timeZone from clock)
  end as renews_at,
  (select u.email from users u where u.id = g.created_by) as created_by`;

export type GenerationRow = {
  id: string;
  name: string;
  num_codes: number;
  discount_type: DiscountType;
  discount_value: number;
  is_single_use: boolean;
  is_renewable: boolean;
  is_deleted: boolean;
  is_assigned: boolean;
  is_expired: boolean;
  expires_at: Date | null;
  renews_at: Date | null;
  created_at: Date;
  created_by: string | null;
};

export function toMassGeneration(row: GenerationRow): MassGeneration {
  return {
    id: row.id,
    name: row.name,
    numCodes: row.num_codes,
    discountType: row.discount_type,
    discountValue: row.discount_value,
    isSingleUse: row.is_single_use,
    isRenewable: row.is_renewable,
    isDeleted: row.is_deleted,
    isExpired: row.is_expired,
    expiresAt: row.expires_at,
    renewsAt: row.renews_at,
    createdAt: row.created_at,
    createdBy: row.created_by,
    status: statusOf(row),
  };
}

/** Follows the order of RULES S1. */
function statusOf(row: GenerationRow): GenerationStatus {
  if (row.is_deleted) return "deleted";
  if (row.is_expired) return "expired";
  return row.is_assigned ? "active" : "not_assigned";
}

/**
 * @param id as it came in a URL
 * @throws DomainError not_found, for what can be no id too
 */
export async function getMassGeneration(id: string): Promise<MassGeneration> {
  const generationId = parseRecordId(id);
  const { rows } = generationId
    ? await db().raw<Rows<GenerationRow>>(
        `with ${clockSql} select ${generationColumns} from mass_generations g
         where g.id = :generationId`,
        { ...clockBindings(), generationId },
      )
    : { rows: [] };
  if (!rows[0]) throw new DomainError("not_found", "Error: Mass generation not found");
  return toMassGeneration(rows[0]);
}

/**
 * Machines and groups of a mass generation. They belong to all its codes but those that were edited
 * alone, which have sets of their own.
 */

/** The set of a generation, and the number of its codes that have sets of their own. */
type GenerationAssigned = Assigned & { ownCodes: number };

/** @param generationId of a generation that exists */
export async function readGenerationAssigned(generationId: string): Promise<GenerationAssigned> {
  const generation = await one<{ setId: string; ownCodes: number }>(
    db(),
    `select g.set_id, ${ownCodesSql} as own_codes
     from mass_generations g where g.id = :generationId`,
    { generationId },
  );
  const { setId, ownCodes } = generation!;
  return { ...(await readAssigned(setId)), ownCodes };
}

/** Number of codes of a generation `g` that have sets of their own. */
const ownCodesSql =
  "(select count(*)::integer from assignment_sets s where s.copied_from = g.set_id)";

/**
 * A mass generation as the owner of its machines and groups.
 * @param id as a URL names it
 */
export function generationOwner(id: string): AssignmentOwner {
  return {
    kind: "mass_generation",
    async lock(trx) {
      const generationId = parseRecordId(id);
      const generation =
        generationId &&
        (await one<{ id: string; setId: string; isDeleted: boolean; covered: number }>(
          trx,
          `select g.id, g.set_id, g.is_deleted, g.num_codes - ${ownCodesSql} as covered
           from mass_generations g where g.id = :generationId for update of g`,
          { generationId },
        ));
      if (!generation) throw new DomainError("not_found", "Error: Mass generation not found");
      if (generation.isDeleted)
        throw new DomainError(
          "conflict",
          "This mass generation is deleted. Its machines can't be changed.",
        );
      return { ...generation, isShared: false };
    },
    async save(trx, { id: generationId }) {
      await query(
        trx,
        "update mass_generations set version = version + 1 where id = :generationId",
        { generationId },
      );
    },
  };
}

/**
 * 'Make another like this': the form 'Mass Generation', filled with the values of one.
 * @param id as it came in a URL; null where nothing is to be copied
 */
export function copyMassGeneration(id: string | null): Promise<FormPrefill | null> {
  return prefillFrom(id, "mass generation", async (generationId) => {
    const generation = await getMassGeneration(generationId);
    return prefillForm(generation, await readGenerationAssigned(generation.id), {
      id: generation.id,
      source: `the mass generation ${generation.name} (${formatCodes(generation.numCodes)})`,
      ownFields: {
        num_codes: String(generation.numCodes),
        discount_value: String(generation.discountValue),
      },
    });
  });
}
