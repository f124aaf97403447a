import { db } from "../../db/connection.server";
import type { Promotion, PromotionStatus } from "../promotions/promotion";
import {
  type AssignedMachine,
  type AssignedRow,
  toAssigned,
} from "../promotions/promotion-details.server";
import {
  clockBindings,
  clockSql,
  promotionColumns,
  type PromotionRow,
  statusSql,
  toPromotion,
} from "../promotions/promotion-rows.server";
import { getMassGeneration, type MassGeneration } from "./mass-generation-rows.server";

type Rows<Row> = { rows: Row[] };

/** What became of the codes of a generation. */
export type GenerationOutcome = {
  /** Codes that were accepted at least once. */
  used: number;
  /** How often all of them were. */
  uses: number;
  /** Codes by their status now; every status is there. */
  byStatus: Record<PromotionStatus, number>;
};

/** What a generation's own page shows beside its codes. */
export type GenerationDetails = {
  generation: MassGeneration;
  outcome: GenerationOutcome;
  /** In the order of their serial numbers. */
  machines: AssignedMachine[];
  groups: string[];
};

/** @throws DomainError not_found, for what can be no id too */
export async function getGenerationDetails(id: string): Promise<GenerationDetails> {
  const generation = await getMassGeneration(id);
  const [outcome, assigned] = await Promise.all([
    countOutcome(generation.id),
    readGenerationMachines(generation.id),
  ]);
  return { generation, outcome, ...assigned };
}

async function countOutcome(generationId: string): Promise<GenerationOutcome> {
  const { rows } = await db().raw<
    Rows<{ status: PromotionStatus; codes: number; used: number; uses: string }>
  >(
    `with ${clockSql}
     select ${statusSql} as status, count(*)::integer as codes,
       count(*) filter (where p.activation_count > 0)::integer as used,
       sum(p.activation_count) as uses
     from promotions p where p.mass_generation_id = :generationId group by 1`,
    { ...clockBindings(), generationId },
  );
  const codes = (status: PromotionStatus) => rows.find((row) => row.status === status)?.codes ?? 0;
  return {
    used: rows.reduce((sum, row) => sum + row.used, 0),
    uses: rows.reduce((sum, row) => sum + Number(row.uses), 0),
    byStatus: {
      deleted: codes("deleted"),
      inactive: codes("inactive"),
      expired: codes("expired"),
      used_up: codes("used_up"),
      not_assigned: codes("not_assigned"),
      active: codes("active"),
    },
  };
}

/** Of the generation itself; a code may have machines of its own. */
export async function readGenerationMachines(
  generationId: string,
): Promise<Pick<GenerationDetails, "machines" | "groups">> {
  const { rows } = await db().raw<Rows<AssignedRow>>(
    `select m.serial_number, m.human_name, m.is_deleted, g.name as group_name
     from mass_generation_assignments a left join machines m on m.id = a.machine_id
     left join machine_groups g on g.id = a.group_id
     where a.mass_generation_id = :generationId order by m.serial_number, g.name`,
    { generationId },
  );
  return toAssigned(rows);
}

export type GenerationCodesQuery = { page: number; perPage: number };

/**
 * One page of the codes of a generation in the order they were made in, deleted ones too. Codes
 * never leave a generation, so that a page number always means the same rows; the rows before it
 * are passed over in the index alone.
 */
export async function listGenerationCodes(
  { id, numCodes }: Pick<MassGeneration, "id" | "numCodes">,
  query: GenerationCodesQuery,
): Promise<{ codes: Promotion[] } & GenerationCodesQuery> {
  const { perPage } = query;
  const page = Math.min(query.page, Math.ceil(numCodes / perPage));
  const { rows } = await db().raw<Rows<PromotionRow>>(
    `with ${clockSql}
     select ${promotionColumns} from promotions p
     where p.id = any(array(
       select id from promotions where mass_generation_id = :id
       order by id limit :perPage offset :passedOver
     )) order by p.id`,
    { ...clockBindings(), id, perPage, passedOver: (page - 1) * perPage },
  );
  return { codes: rows.map(toPromotion), page, perPage };
}
