/** Mass generations as rows of the view 'Campaigns'. */
import { db, query } from "../../../db/connection.server";
import type { Promotion } from "../promotion";
import { clockBindings, clockSql, hasUsesLeftSql, storedStatusSql } from "../promotion-sql.server";

/** A month (yyyymm) that is never past: the codes say themselves whether they were renewed. */
const neverRenewed = 999912;

/**
 * Mass generations `g` as rows `p` like those of promotions, for orders, for the conditions of
 * filters and for `storedStatusSql`. The id is that of the first code. A generation is as good as its
 * best code: active while one is, expired when all are; the numbers of uses are 0 or 1.
 */
export const generationRowsSql = `(
  select (select min(p.id) from promotions p where p.mass_generation_id = g.id) as id,
    g.id as mass_generation_id, g.name, cast(null as text) as code, g.discount_type,
    g.discount_value, g.is_single_use, g.is_deleted, g.set_id, g.created_at, g.starts_at, g.open_minutes,
    g.closed_on,
    g.is_active and ${hasCodeSql("p.is_active")} as is_active,
    nullif(greatest(coalesce(g.expires_at, 'infinity'), (
      select max(coalesce(p.expires_at, 'infinity')) from promotions p
      where p.mass_generation_id = g.id and p.has_own_expiration)), 'infinity') as expires_at,
    g.is_renewable, ${neverRenewed} as period_key, 1 as max_uses,
    case when ${hasCodeSql(hasUsesLeftSql)} then 0 else 1 end as period_uses,
    not ${hasCodeSql(hasUsesLeftSql)} as is_used_up, false as is_partly_used,
    case when ${hasCodeSql("p.use_rank > 0")} then 1 else 0 end as use_rank
  from mass_generations g) p`;

function hasCodeSql(condition: string): string {
  return `exists (select from promotions p where p.mass_generation_id = g.id and ${condition})`;
}

/** Codes of one generation are counted up to here (RULES L4). */
const countCap = 10_000;

/** `used` and `usedUp` are numbers of codes: accepted at least once, and without uses left. */
type CampaignRow = Pick<Promotion, "name" | "status" | "expiresAt"> & {
  id: string;
  used: number;
  usedUp: number;
  createdBy: string | null;
};

/**
 * Replaces the first codes of mass generations by what holds for all their codes.
 * @param options.isExact counts all used codes, however many there are
 */
export async function readCampaigns(
  codes: Promotion[],
  { isExact = false } = {},
): Promise<Promotion[]> {
  const ids = codes.flatMap(({ massGenerationId }) => massGenerationId ?? []);
  if (ids.length === 0) return codes;
  const rows = await query<CampaignRow>(
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
         where code.mass_generation_id = p.mass_generation_id and code.use_rank > 0
         limit ${isExact ? "all" : countCap + 1}) p) counted
     where p.mass_generation_id = any(cast(:ids as bigint[]))`,
    { ...clockBindings(), ids: `{${ids.join()}}` },
  );
  const byId = new Map(rows.map((row) => [row.id, row]));
  const cap = isExact ? Infinity : countCap;
  return codes.map((code) => {
    const row = code.massGenerationId && byId.get(code.massGenerationId);
    if (!row) return code;
    const left = code.numberOfCodes! - Math.min(row.usedUp, cap);
    return {
      ...code,
      name: row.name,
      status: row.status,
      expiresAt: row.expiresAt,
      campaign: {
        used: Math.min(row.used, cap),
        isCapped: row.used > cap,
        left: code.remainingUses === null ? null : left,
        createdBy: row.createdBy,
      },
    };
  });
}
