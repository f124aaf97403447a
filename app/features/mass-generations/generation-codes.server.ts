import { db } from "../../db/connection.server";

const pageSize = 10_000;

/**
 * The codes of a generation in the order they were made in, which never changes; deleted and
 * deactivated ones too. Read in pages: nothing is held open while a client takes its time.
 * @param first how many to pass over
 */
export async function* codesOfGeneration(
  generationId: string,
  { first = 0, count = Infinity }: { first?: number; count?: number } = {},
): AsyncGenerator<string[]> {
  let left = count;
  let after = "0";
  let passedOver = first;
  while (left > 0) {
    const { rows } = await db().raw<{ rows: { id: string; code: string }[] }>(
      `select id, code from promotions
       where mass_generation_id = :generationId and id > :after
       order by id limit :most offset :passedOver`,
      { generationId, after, passedOver, most: Math.min(left, pageSize) },
    );
    if (rows.length > 0) yield rows.map(({ code }) => code);
    left -= rows.length;
    if (rows.length < pageSize) return;
    after = rows.at(-1)!.id;
    passedOver = 0;
  }
}
