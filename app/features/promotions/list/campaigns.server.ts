/** Mass generations as rows of the view 'Campaigns'. */
import { db, query } from "../../../db/connection.server";
import type { Promotion } from "../promotion";
import { clockBindings, clockSql, hasUsesLeftSql, storedStatusSql } from "../promotion-sql.server";

/** A month (yyyymm) that is never past: the codes say themselves whether they were renewed. */
const neverRenewed = 999912;

function codesSql(columns: string, condition: string): string {
  return `select ${columns} from promotions p where p.mass_generation_id = g.id and ${condition}`;
}
const hasCodeSql = (condition: string) => `exists (${codesSql("", condition)})`;

const endSql = "coalesce(g.expires_at, 'infinity')";
const ownEndSql = "coalesce(p.expires_at, 'infinity')";
const isAhead = (end: string) => `${end} > (select at from clock)`;

/** Whether a code that meets a condition is neither inactive nor expired. Codes with dates of their own have an index. */
const hasValidCodeSql = (condition: string) => `(
  ${isAhead(endSql)} and ${hasCodeSql(`p.is_active and not p.has_own_expiration and ${condition}`)}
  or ${hasCodeSql(`p.is_active and p.has_own_expiration and ${isAhead(ownEndSql)} and ${condition}`)})`;

/** Whether a valid code has uses left. The uses of the others decide where no code is valid, for the order by uses left. */
const hasUsesSql = `(${hasValidCodeSql(hasUsesLeftSql)}
  or not ${hasValidCodeSql("true")} and ${hasCodeSql(hasUsesLeftSql)})`;

/** Whether the code `p` of the generation `g` is valid and has uses left. */
const isValidWithUsesLeftSql = `p.is_active and ${hasUsesLeftSql}
  and ${isAhead(`case when p.has_own_expiration then ${ownEndSql} else ${endSql} end`)}`;

const latestEndSql = `coalesce(greatest(
  case when ${hasCodeSql("p.is_active and not p.has_own_expiration")} then ${endSql} end,
  (${codesSql(`max(${ownEndSql})`, "p.has_own_expiration and p.is_active")})), ${endSql})`;

/** The set of a usable code that is assigned, else of another one. */
const bestSetSql = `coalesce(
  (select s.id from assignment_sets s where s.id = g.set_id and s.is_assigned
     and ${hasCodeSql(`p.set_id = g.set_id and ${isValidWithUsesLeftSql}`)}),
  (select s.id from assignment_sets s join promotions p on p.set_id = s.id
   where s.copied_from = g.set_id and s.is_assigned and ${isValidWithUsesLeftSql} limit 1),
  (${codesSql("p.set_id", isValidWithUsesLeftSql)} limit 1), g.set_id)`;

/**
 * Mass generations `g` as rows `p` like those of promotions, for orders, for the conditions of filters and for
 * `storedStatusSql`; needs `clockSql`. The id is that of the first code. The values are those of the best code (RULES S9):
 * each is read of the codes that no earlier reason of the status rule holds for. The numbers of uses are 0 or 1.
 */
export const generationRowsSql = `(
  select (select min(p.id) from promotions p where p.mass_generation_id = g.id) as id,
    g.id as mass_generation_id, g.name, cast(null as text) as code, g.discount_type,
    g.discount_value, g.is_single_use, g.is_deleted, g.created_at, g.starts_at, g.open_minutes,
    g.closed_on,
    g.is_active and ${hasCodeSql("p.is_active")} as is_active,
    case when ${hasCodeSql("p.has_own_expiration")} then nullif(${latestEndSql}, 'infinity')
      else g.expires_at end as expires_at,
    g.is_renewable, ${neverRenewed} as period_key, 1 as max_uses,
    case when ${hasUsesSql} then 0 else 1 end as period_uses,
    not ${hasUsesSql} as is_used_up, false as is_partly_used,
    case when ${hasCodeSql("p.use_rank > 0")} then 1 else 0 end as use_rank,
    case when exists (select from assignment_sets s where s.copied_from = g.set_id) then ${bestSetSql}
      else g.set_id end as set_id
  from mass_generations g) p`;

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
 * Replaces the first codes of mass generations by the rows of their campaigns, which tell what holds for all their codes.
 * @param options.isExact counts all used codes, however many there are
 */
export async function toCampaigns(
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
