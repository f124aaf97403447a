import { db, query } from "../../db/connection.server";
import type { ListPage, ListQuery } from "../../forms/list";
import { queryPage } from "../machines/machines.server";
import { promotionStatuses, type Promotion, type PromotionStatus } from "../promotions/promotion";
import {
  clockBindings,
  clockSql,
  promotionColumns,
  storedStatusSql,
} from "../promotions/promotion-sql.server";
import {
  generationColumns,
  getMassGeneration,
  readGenerationAssigned,
  type MassGeneration,
} from "./mass-generation.server";
import type { GenerationListQuery, GenerationSort } from "./mass-generation-view";

/** Names from here only reach SQL. */
const sortColumns: Record<GenerationSort, string> = {
  created: "created_at",
  name: "lower(name)",
  codes: "num_codes",
};

/**
 * Lists one page of all mass generations, deleted ones too; `used` counts codes that were accepted at
 * least once. Codes are counted for those on the page only.
 */
export async function listMassGenerations(listQuery: GenerationListQuery) {
  const { sort } = listQuery;
  const direction = sort.isDescending ? "desc" : "asc";
  const order = `order by ${sortColumns[sort.by]} ${direction}, id ${direction}`;
  const statements = {
    from: "mass_generations",
    rows: `with ${clockSql}, g as materialized (
       select *, row_number() over (${order}) as place from mass_generations
       ${order} limit :perPage offset :offset
     )
     select ${generationColumns}, (
       select count(*) from promotions p
       where p.mass_generation_id = g.id and p.activation_count > 0
     )::integer as used
     from g order by g.place`,
  };
  const { rows: generations, ...list } = await queryPage<MassGeneration & { used: number }>(
    statements,
    { ...clockBindings() },
    listQuery,
  );
  return { generations, ...list };
}

const largestId = String(2n ** 63n - 1n);

export type GenerationDetails = Awaited<ReturnType<typeof getGenerationDetails>>;

/** @throws DomainError not_found, also for malformed ids */
export async function getGenerationDetails(id: string) {
  const generation = await getMassGeneration(id);
  const [outcome, assigned] = await Promise.all([
    countOutcome(generation.id),
    readGenerationAssigned(generation.id),
  ]);
  return { generation, outcome, ...assigned };
}

/** Counts codes that were accepted at least once, how often all of them were, and codes by status. */
async function countOutcome(generationId: string) {
  const rows = await query<{ status: PromotionStatus; codes: number; used: number; uses: string }>(
    db(),
    `with ${clockSql}
     select ${storedStatusSql} as status, count(*)::integer as codes,
       count(*) filter (where p.activation_count > 0)::integer as used,
       sum(p.activation_count) as uses
     from promotions p where p.mass_generation_id = :generationId group by 1`,
    { ...clockBindings(), generationId },
  );
  const byStatus = Object.fromEntries(promotionStatuses.map((status) => [status, 0]));
  for (const { status, codes } of rows) byStatus[status] = codes;
  return {
    used: rows.reduce((sum, row) => sum + row.used, 0),
    uses: rows.reduce((sum, row) => sum + Number(row.uses), 0),
    byStatus: byStatus as Record<PromotionStatus, number>,
  };
}

export type GenerationCodesQuery = Omit<ListQuery, "sort">;

export type GenerationCodes = { codes: Promotion[] } & Pick<
  ListPage,
  "page" | "perPage" | "next" | "previous"
>;

/**
 * Lists the codes in the order they were made in, deleted ones too; none ever leaves its generation.
 * The page is the nearest one to the requested.
 */
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
