/**
 * Whether a machine accepts a code, as SQL. Redeeming and checking a code use the same expressions,
 * so that the check never promises what the redemption refuses.
 */
import { joinedStatusSql } from "../promotions/promotion-sql.server";

/**
 * Whether the machine of a row `m` accepts the set of a row `p` of promotions. Each branch of the
 * view is answered by index look-ups, however many machines the set or its groups have.
 */
const acceptedAtMachineSql = `exists (select from effective_machines e
    where e.set_id = p.set_id and e.machine_id = m.id)`;

/**
 * Returns 'accepted' or the first reason against it, for a row `p` of promotions, joined by
 * `joinGenerationSql`, and a row `m` of machines; each may be missing (all null). Needs `clockSql`.
 */
export const acceptanceSql = `(case
  when m.id is null or m.is_deleted then 'machine_unknown'
  when p.id is null then 'unknown'
  when ${joinedStatusSql} <> 'active' then ${joinedStatusSql}
  when not ${acceptedAtMachineSql} then 'not_assigned'
  else 'accepted' end)`;
