import { db, query } from "../../db/connection.server";
import {
  clockBindings,
  clockSql,
  promotionColumns,
  storedStatusSql,
} from "../promotions/promotion-sql.server";
import type { GenerationListQuery, GenerationSort } from "./mass-generation-view";
import {
  generationColumns,
  type GenerationRow,
  type MassGeneration,
  toMassGeneration,
  readGenerationAssigned,
  getMassGeneration,
} from "./mass-generation.server";
import type { ListQuery } from "../../forms/list";
import type { Promotion, PromotionStatus } from "../promotions/promotion";
import type { Assigned } from "../assignments/assigned";

type Rows<Row> = { rows: Row[] };

type GenerationList = {
  /** `used`: codes that were accepted at least once. */
  generations: (MassGeneration & { used: number })[];
  total: number;
  /** The nearest one to what was asked for. */
  page: number;
};

/** Names from here only reach SQL. */
const sortColumns: Record<GenerationSort, string> = {
  created: "created_at",
  name: "lower(name)",
  codes: "num_codes",
};

/**
 * One page of all mass generations, deleted ones too, with what became of them. There are thousands
 * at most, so pages are plain offsets; codes are counted for those on the page only.
 */
export async function listMassGenerations(query: GenerationListQuery): Promise<GenerationList> {
  const counted = await db().raw<Rows<{ total: number }>>(
    "select count(*)::integer as total from mass_generations",
  );
  const { total } = counted.rows[0]!;
  const page = Math.min(query.page, Math.max(1, Math.ceil(total / query.perPage)));
  const direction = query.sort.isDescending ? "desc" : "asc";
  const order = `order by ${sortColumns[query.sort.by]} ${direction}, id ${direction}`;
  const { rows } = await db().raw<Rows<GenerationRow & { used: number }>>(
    `with ${clockSql}, g as materialized (
       select *, row_number() over (${order}) as place from mass_generations
       ${order} limit :perPage offset :offset
     )
     select ${generationColumns}, (
       select count(*) from promotions p
       where p.mass_generation_id = g.id and p.activation_count > 0
     )::integer as used
     from g order by g.place`,
    { ...clockBindings(), perPage: query.perPage, offset: (page - 1) * query.perPage },
  );
  return {
    generations: rows.map((row) => ({ ...toMassGeneration(row), used: row.used })),
    total,
    page,
  };
}

const largestId = String(2n ** 63n - 1n);

/** Numbers of codes of a generation by what happened to them. */
type GenerationOutcome = {
  /** Codes that were accepted at least once. */
  used: number;
  /** How often all of them were. */
  uses: number;
  /** Codes by their status now; every status is there. */
  byStatus: Record<PromotionStatus, number>;
};

/** Data of a generation's own page, without its codes. */
export type GenerationDetails = Assigned & {
  generation: MassGeneration;
  outcome: GenerationOutcome;
  /** Codes with machines of their own. */
  ownCodes: number;
};

/** @throws DomainError not_found, for what can be no id too */
export async function getGenerationDetails(id: string): Promise<GenerationDetails> {
  const generation = await getMassGeneration(id);
  const [outcome, assigned] = await Promise.all([
    countOutcome(generation.id),
    readGenerationAssigned(generation.id),
  ]);
  return { generation, outcome, ...assigned };
}

async function countOutcome(generationId: string): Promise<GenerationOutcome> {
  const rows = await query<{ status: PromotionStatus; codes: number; used: number; uses: string }>(
    db(),
    `with ${clockSql}
     select ${storedStatusSql} as status, count(*)::integer as codes,
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

export type GenerationCodesQuery = Pick<ListQuery<string>, "page" | "perPage" | "after" | "before">;

/** One page of the codes of a generation. */
export type GenerationCodes = {
  codes: Promotion[];
  /** The nearest one to what was asked for. */
  page: number;
  perPage: number;
  /** Cursors for `after` and `before`; null at the ends. */
  next: string | null;
  previous: string | null;
};

/** The codes in the order they were made in, deleted ones too; none ever leaves its generation. */
export async function listGenerationCodes(
  generation: Pick<MassGeneration, "id" | "numCodes">,
  listQuery: GenerationCodesQuery,
): Promise<GenerationCodes> {
  const { perPage, after, before } = listQuery;
  const page = Math.min(listQuery.page, Math.ceil(generation.numCodes / perPage));
  const isNumbered = after === null && before === null;
  const rows = await query<Promotion>(
    db(),
    `with ${clockSql}
     select ${promotionColumns} from promotions p
     where p.id = any(array(
       select id from promotions
       where mass_generation_id = :id and id > :after and id < :before
       order by id ${before === null ? "asc" : "desc"} limit :rowCount offset :offset
     )) order by p.id`,
    {
      ...clockBindings(),
      id: generation.id,
      after: after ?? 0,
      before: before ?? largestId,
      // One more than is shown tells whether there are more.
      rowCount: perPage + 1,
      offset: isNumbered ? (page - 1) * perPage : 0,
    },
  );
  if (rows.length === 0 && !isNumbered)
    return listGenerationCodes(generation, { page, perPage, after: null, before: null });
  const hasMore = rows.length > perPage;
  const codes = before === null ? rows.slice(0, perPage) : rows.slice(-perPage);
  const hasNext = before !== null || hasMore;
  const hasPrevious = before === null ? after !== null || page > 1 : hasMore;
  return {
    codes,
    page,
    perPage,
    next: hasNext ? codes.at(-1)!.id : null,
    previous: hasPrevious ? codes[0]!.id : null,
  };
}
