import { expect } from "vitest";
import { db } from "../../app/db/connection.server";

/** Invariants of the data. Each query finds the rows that break one. */
const invariants: Record<string, string> = {
  "I1: a promotion counts no redemption twice, and those of its period": `
    select p.id, p.activation_count, p.period_uses, counted.*
    from promotions p cross join lateral (
      select count(*) filter (where t.status = 'applied') as applied,
        count(*) filter (where t.status = 'applied' and t.period_key = p.period_key) as of_period,
        max(t.period_key) as latest_period
      from transactions t where t.promotion_id = p.id) counted
    where p.activation_count < applied or p.period_uses < of_period or latest_period > p.period_key`,
  "I1: the codes of a campaign count the redemptions that were not rolled back, those of archived months, too": `
    select used.campaign_id
    from (
      select coalesce(-p.mass_generation_id, p.id) as campaign_id, sum(p.activation_count) as uses,
        sum(p.period_uses) as period_uses, sum(counted.applied) as applied, sum(counted.of_period) as of_period
      from promotions p cross join lateral (
        select count(*) filter (where t.status = 'applied') as applied,
          count(*) filter (where t.status = 'applied' and t.period_key = p.period_key) as of_period
        from transactions t where t.promotion_id = p.id) counted
      group by 1) used
      cross join lateral (select coalesce(sum(a.redemptions), 0) as redemptions
        from archived_campaign_activity a where a.campaign_id = used.campaign_id) archived
    where uses <> applied + archived.redemptions
      or (period_uses <> of_period and archived.redemptions = 0)`,
  "I1: the marks of uses are those of the counters": `
    select p.id, p.activation_count, p.period_uses, p.max_uses, p.use_rank, p.is_used_up, p.is_partly_used
    from promotions p
    where p.use_rank <> use_rank(p.activation_count)
      or p.is_used_up <> (p.max_uses is not null and p.period_uses = p.max_uses)
      or p.is_partly_used <> (p.max_uses is not null and p.period_uses between 1 and p.max_uses - 1)`,
  "I1: a transaction is of an integration that exists": `
    select t.id from transactions t
    where t.integration_id is not null
      and not exists (select from integrations i where i.id = t.integration_id)`,
  "I1: nothing but a renewable promotion has periods": `
    select t.id from transactions t join promotions p on p.id = t.promotion_id
    where (t.period_key <> 0) <> p.is_renewable`,
  "I2: no promotion is used more often than its limit, in any period": `
    select t.promotion_id, t.period_key, count(*)
    from transactions t join promotions p on p.id = t.promotion_id
    where t.status = 'applied' and p.max_uses is not null
    group by t.promotion_id, t.period_key, p.max_uses having count(*) > p.max_uses`,
  "I3: each redemption id of an integration has one attempt, and a transaction exactly when it was accepted": `
    select coalesce(t.redemption_id, a.redemption_id) as redemption_id
    from transactions t full join redemption_attempts a on a.transaction_id = t.id
    where a.id is null or (a.outcome = 'accepted') <> (t.id is not null)
    union all
    select a.redemption_id from redemption_attempts a
    where a.redemption_id is not null
      and not exists (select from redemption_ids r where r.redemption_id = a.redemption_id
        and r.integration_id is not distinct from a.integration_id
        and (r.attempt_id, r.created_at) = (a.id, a.created_at))`,
  "I3: an attempt and its transaction say the same": `
    select t.id from transactions t join redemption_attempts a on a.transaction_id = t.id
      join promotions p on p.id = t.promotion_id join machines m on m.id = t.machine_id
    where (a.redemption_id, a.integration_id, a.promotion_id, a.machine_id, a.original_price, a.code,
        a.serial_number, a.created_at) is distinct from
      (t.redemption_id, t.integration_id, t.promotion_id, t.machine_id, t.original_price, p.code,
        m.serial_number, t.created_at)
      or case p.discount_type when 'free_drink' then t.discount <> t.original_price
        else t.discount > round(t.original_price * p.discount_value / 100.0) end
      -- Caps cut a percentage.
      or (p.discount_type = 'percentage' and t.discount < round(t.original_price * p.discount_value / 100.0)
        and p.caps_id is null
        and not exists (select from mass_generations g where g.id = p.mass_generation_id and g.caps_id is not null))`,
  "I5: what is left of a campaign's caps and what it has given are the whole": `
    select c.id from caps c
      join cap_parts part on part.caps_id = c.id
      left join promotions single on single.caps_id = c.id
      left join mass_generations g on g.caps_id = c.id
      cross join lateral (
        select count(*) as uses, coalesce(sum(t.discount), 0) as money
        from transactions t join promotions p on p.id = t.promotion_id
        where t.status = 'applied' and (p.id = single.id or p.mass_generation_id = g.id)) there
      cross join lateral (
        select there.uses + coalesce(sum(a.redemptions), 0) as uses, there.money + coalesce(sum(a.discount), 0) as money
        from archived_campaign_activity a where a.campaign_id = coalesce(single.id, -g.id)) given
    group by c.id, given.uses, given.money
    having c.max_uses <> sum(part.uses_left) + given.uses
      or c.max_money <> sum(part.money_left) + given.money`,
  "I4: a generation has all its codes or none, and all are deleted when it is": `
    select g.id from mass_generations g
      left join promotions p on p.mass_generation_id = g.id
    group by g.id
    having count(p.id) not in (0, g.num_codes)
      or (g.is_deleted and count(*) filter (where not p.is_deleted) > 0)`,
  "I4: no code exists twice": `
    select code from promotions group by code having count(*) > 1`,
  "F13: nothing was redeemed after the deletion of its promotion": `
    select t.id from transactions t join promotions p on p.id = t.promotion_id
    where t.created_at > p.deleted_at`,
  "F13: nothing was redeemed after the deletion of its mass generation": `
    select t.id from transactions t join promotions p on p.id = t.promotion_id
      join mass_generations g on g.id = p.mass_generation_id
    where t.created_at > g.deleted_at`,
  "a set is that of one promotion, or of one generation and of codes of it": `
    select s.id from assignment_sets s
      left join mass_generations g on g.set_id = s.id
      left join promotions p on p.set_id = s.id
    group by s.id, g.id
    having count(p.id) filter (where p.mass_generation_id is distinct from g.id) > 0
        and not (g.id is null and count(p.id) = 1)`,
  "the set of a code that was edited alone names the set of its generation, and no other set does": `
    select s.id from assignment_sets s join promotions p on p.set_id = s.id
      left join mass_generations g on g.id = p.mass_generation_id
    where s.copied_from is distinct from case when p.set_id <> g.set_id then g.set_id end`,
  "a set counts as assigned exactly when it has a machine or a group": `
    select s.id from assignment_sets s
    where s.is_assigned <> exists (select from assignments a where a.set_id = s.id)`,
  "a machine was last used when it was": `
    select m.id from machines m join (
      select machine_id, max(created_at) as at from transactions group by machine_id) latest
      on latest.machine_id = m.id
    where m.last_qr_used_at is distinct from latest.at`,
};

/** Holds the database of the test against I1–I4 and F13. */
export async function assertInvariants(): Promise<void> {
  for (const [name, query] of Object.entries(invariants)) {
    const { rows } = await db().raw<{ rows: object[] }>(`select * from (${query}) broken limit 5`);
    expect(rows, name).toEqual([]);
  }
}
