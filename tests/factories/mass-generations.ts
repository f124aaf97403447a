import { db } from "../../app/db/connection.server";
import { insertGeneration } from "./promotions";

/**
 * A mass generation with its codes, as it would be after creation; say only what matters to the
 * test. Its codes are made up by the database.
 */
export async function insertMassGeneration(row: Record<string, unknown> = {}): Promise<string> {
  const drinks = { discount_type: "free_drink", discount_value: 2 };
  const id = await insertGeneration({ num_codes: 30, ...drinks, ...row });
  await insertRows(
    `insert into promotions (code, mass_generation_id, name, discount_type, discount_value,
       is_single_use, is_renewable, expires_at, max_uses, set_id, is_deleted, deleted_at)
     select translate(upper(substr(md5(g.id || ' ' || n), 1, 12)), '01', 'XY'), g.id, g.name,
       g.discount_type, g.discount_value, g.is_single_use, g.is_renewable, g.expires_at,
       case when g.is_single_use then 1 when g.discount_type = 'free_drink' then g.discount_value end,
       g.set_id, g.is_deleted, g.deleted_at
     from mass_generations g, generate_series(1, g.num_codes) n where g.id = :id order by n`,
    { id },
  );
  return id;
}

/** The ids of the codes of a generation, in the order they were made in. */
export const codesOf = (generationId: string) =>
  db()("promotions")
    .where({ mass_generation_id: generationId })
    .orderBy("id")
    .pluck<string[]>("id");

/** Runs a statement that may take longer than the pool allows: a generation of 100,000 codes. */
async function insertRows(statement: string, bindings: { id: string }): Promise<void> {
  await db().transaction(async (trx) => {
    await trx.raw("set local statement_timeout = '60s'");
    await trx.raw(statement, bindings);
  });
}
