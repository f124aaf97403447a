/**
 * Whether a machine accepts a code (rulings 3.5, 5.3), as SQL. Redeeming and checking a code read
 * the same expressions, so that the one never promises what the other refuses.
 */
import { joinedStatusSql } from "../promotions/promotion-sql.server";

/**
 * Whether the promotion of a row `p` is assigned to the machine of a row `m`, by itself or with a
 * group. Each branch is answered by one step into an index, however many machines there are.
 */
const assignedToMachineSql = `(case when p.has_own_machines then
    exists (select from promotion_assignments a
      where a.promotion_id = p.id and a.machine_id = m.id)
    or exists (select from machine_group_members member
      join promotion_assignments a on a.promotion_id = p.id and a.machine_id is null
        and a.group_id = member.group_id
      where member.machine_id = m.id)
  else
    exists (select from mass_generation_assignments a
      where a.mass_generation_id = p.mass_generation_id and a.machine_id = m.id)
    or exists (select from machine_group_members member
      join mass_generation_assignments a on a.mass_generation_id = p.mass_generation_id
        and a.machine_id is null and a.group_id = member.group_id
      where member.machine_id = m.id)
  end)`;

/**
 * 'accepted' or the first reason against it, of a row `p` of promotions, joined by `joinGenerationSql`, at a row `m` of machines;
 * either may be missing (all null). Needs `clockSql` of promotion-rows.server.
 */
export const acceptanceSql = `(case
  when m.id is null or m.is_deleted then 'machine_unknown'
  when p.id is null then 'unknown'
  when ${joinedStatusSql} <> 'active' then ${joinedStatusSql}
  when not ${assignedToMachineSql} then 'not_assigned'
  else 'accepted' end)`;
