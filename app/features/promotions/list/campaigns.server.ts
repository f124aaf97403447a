/** Facts about mass generations that are rows of the view 'Campaigns'. */
import { db, query } from "../../../db/connection.server";
import type { Promotion } from "../promotion";
import { clockBindings, clockSql, hasUsesLeftSql, storedStatusSql } from "../promotion-sql.server";
import { generationRowsSql } from "./promotion-filters.server";

/** Codes of one generation are counted up to here (RULES L4). */
const countCap = 10_000;

/** `used` and `usedUp` are numbers of codes: accepted at least once, and without uses left. */
type Campaign = Pick<Promotion, "name" | "status" | "expiresAt"> & {
  id: string;
  used: number;
  usedUp: number;
  createdBy: string | null;
};

/** Replaces the first codes of mass generations by what holds for all their codes. */
export async function readCampaigns(codes: Promotion[]): Promise<Promotion[]> {
  const ids = codes.flatMap(({ massGenerationId }) => massGenerationId ?? []);
  if (ids.length === 0) return codes;
  const rows = await query<Campaign>(
    db(),
    `with ${clockSql}
     select p.mass_generation_id as id, p.name, p.expires_at, ${storedStatusSql} as status,
       counted.used, counted.used_up,
       (select u.email from mass_generations g join users u on u.id = g.created_by
        where g.id = p.mass_generation_id) as created_by
     from ${generationRowsSql} cross join lateral (
       select count(*)::integer as used,
         (count(*) filter (where not ${hasUsesLeftSql}))::integer as used_up
       from (
         select * from promotions code
         where code.mass_generation_id = p.mass_generation_id and code.activation_count > 0
         limit ${countCap + 1}) p) counted
     where p.mass_generation_id = any(cast(:ids as bigint[]))`,
    { ...clockBindings(), ids: `{${ids.join()}}` },
  );
  return codes.map((code) => {
    const row = rows.find(({ id }) => id === code.massGenerationId);
    if (!row) return code;
    const left = code.numberOfCodes! - Math.min(row.usedUp, countCap);
    return {
      ...code,
      name: row.name,
      status: row.status,
      expiresAt: row.expiresAt,
      campaign: {
        used: Math.min(row.used, countCap),
        isCapped: row.used > countCap,
        left: code.remainingUses === null ? null : left,
        createdBy: row.createdBy,
      },
    };
  });
}
