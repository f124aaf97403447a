import { db } from "../../db/connection.server";
import { clockBindings, clockSql } from "../promotions/promotion-sql.server";
import type { GenerationListQuery, GenerationSort } from "./generation-list";
import {
  generationColumns,
  type GenerationRow,
  type MassGeneration,
  toMassGeneration,
} from "./mass-generation-sql.server";

type Rows<Row> = { rows: Row[] };

export type GenerationList = {
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
