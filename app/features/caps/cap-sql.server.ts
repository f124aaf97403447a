/**
 * Steps of the statements of redemptions that keep a campaign's caps (RULES U6).
 *
 * The remainder of a cap lies in up to 16 parts. A redemption takes its use and its money from one part that nobody has
 * locked, so that codes of one campaign don't wait for each other. Where no part has enough left, it locks all parts
 * and takes from several: then nothing is refused while the parts together have enough, and nothing is given beyond
 * them.
 *
 * Parts are locked before the promotion, by redemptions and rollbacks alike. A redemption that waits for a part
 * holds nothing that another one waits for.
 */

/** The parts of a campaign's caps; a campaign with small caps has fewer. */
export const maxParts = 16;

/**
 * Selects the id of the caps of a promotion; a code has those of its mass generation. Never a join, for which a plan that
 * was made while the tables were empty would read all of them.
 * @param promotionId an expression
 */
export const capsIdOf = (promotionId: string) => `(select coalesce(p.caps_id, g.caps_id)
  from promotions p left join mass_generations g on g.id = p.mass_generation_id
  where p.id = ${promotionId})`;

/** Selects `Caps` by the id of their row; null without. */
export const capsOf = (id: string) => `(select jsonb_build_object('uses', selected.max_uses,
    'usesPerDay', selected.max_uses_per_day, 'usesPerMachineAndDay', selected.max_uses_per_machine_day,
    'money', selected.max_money, 'lowestPrice', selected.lowest_price, 'highestDiscount', selected.highest_discount)
  from caps selected where selected.id = ${id})`;

const todaySql = "cast((select local_time from clock) as date)";
/** A part of a later day stays as it is: a statement that began before midnight, or a clock that steps back, counts there. */
export const leftOfDaySql = (part: string, today = todaySql) =>
  `case when ${part}.day >= ${today} then ${part}.uses_left_of_day else ${part}.uses_a_day end`;

/** Selects whether a cap is reached that every redemption would pass; false without caps. Needs `clockSql`. */
export const isCapReachedOf = (capsId: string) => `coalesce((
    select sum(part.uses_left) <= 0 or sum(${leftOfDaySql("part")}) <= 0 or sum(part.money_left) <= 0
    from cap_parts part where part.caps_id = ${capsId}), false)`;

const hasRoomSql = (part: string, discount: string) => `coalesce(${part}.uses_left > 0, true)
      and coalesce(${part}.money_left >= ${discount}, true)
      and coalesce(${leftOfDaySql(part)} > 0, true)`;

/**
 * Joins the caps of a row `p` of promotions, joined by `joinGenerationSql`, and what is left of them; all null without
 * caps. Needs `clockSql` and the machine `m`.
 */
export const joinCapsSql = `left join caps on caps.id = coalesce(p.caps_id, generation.caps_id)
      left join lateral (select count(*) > 0 as has_parts,
          sum(part.uses_left) as uses, sum(part.money_left) as money,
          sum(${leftOfDaySql("part")}) as uses_of_day
        from cap_parts part where part.caps_id = caps.id) remaining on true
      left join cap_machine_days machine_day on machine_day.caps_id = caps.id
        and machine_day.machine_id = m.id and machine_day.day >= ${todaySql}`;

/**
 * The cap that a redemption would pass, or null. Needs `joinCapsSql`.
 * @param discount in cents, as SQL
 */
export const reachedCapSql = (discount: string) => `case
        when remaining.uses <= 0 then 'uses'
        when remaining.uses_of_day <= 0 then 'uses_per_day'
        when machine_day.uses >= caps.max_uses_per_machine_day then 'uses_per_machine_and_day'
        when ${discount} > caps.highest_discount then 'highest_discount'
        when remaining.money < ${discount} then 'money' end`;

/** Columns of `facts` that `takeFromCapsSql` reads. */
export const capColumnsSql = `caps.id as caps_id, caps.max_uses_per_machine_day, remaining.has_parts`;

/**
 * CTEs that lock what a redemption takes from: `taken`, with one row for each part; none where the parts that it needs are
 * not to be had, and then nothing is written. Needs `facts` with its verdict and discount.
 * @param parts a free one, where the binding `:firstPart` spreads redemptions; or all, whoever has them
 */
export const takeFromCapsSql = (parts: "free part" | "all parts") => `capped as materialized (
    select caps_id, discount from facts where verdict = 'accepted' and has_parts
  ), ${parts === "all parts" ? takeFromAllSql : takeFromFreeSql}`;

const takeFromFreeSql = `taken as materialized (
    select part.part, 1 as uses, (select discount from capped) as money, 1 as uses_of_day
    from cap_parts part
    where part.caps_id = (select caps_id from capped)
      and ${hasRoomSql("part", "(select discount from capped)")}
    order by (part.part + cast(:firstPart as integer)) % ${maxParts}
    limit 1 for no key update skip locked
  )`;

const takeFromAllSql = `all_parts as materialized (
    select part.part, part.uses_left, part.money_left, ${leftOfDaySql("part")} as uses_left_of_day
    from cap_parts part
    where part.caps_id = (select caps_id from capped)
    order by part.part for no key update
  ), before as (
    select all_parts.*,
      coalesce(sum(uses_left) over earlier, 0) as uses_before,
      coalesce(sum(money_left) over earlier, 0) as money_before,
      coalesce(sum(uses_left_of_day) over earlier, 0) as uses_of_day_before,
      coalesce(sum(uses_left) over () > 0, true)
        and coalesce(sum(money_left) over () >= (select discount from capped), true)
        and coalesce(sum(uses_left_of_day) over () > 0, true) as suffices
    from all_parts
    window earlier as (order by part rows between unbounded preceding and 1 preceding)
  ), taken as materialized (
    select part,
      least(greatest(uses_left, 0), greatest(1 - uses_before, 0)) as uses,
      least(greatest(money_left, 0), greatest((select discount from capped) - money_before, 0))
        as money,
      least(greatest(uses_left_of_day, 0), greatest(1 - uses_of_day_before, 0)) as uses_of_day
    from before where suffices
  )`;

/** Whether a day ended while the statement waited; false when the clock stepped back. */
const hasDayEndedSql = `(cast(:now as timestamptz) is null
    and cast(clock_timestamp() at time zone :timeZone as date) > ${todaySql})`;

/**
 * Whether a redemption that is accepted has what it takes from the caps. One that waited past midnight runs again, so
 * that it counts on the day of its transaction, to which a rollback gives it back.
 */
export const isWithinCapsSql = `case when facts.has_parts is not true or exists (select from taken)
          then not ${hasDayEndedSql} else false end`;

/**
 * CTEs that take from what was locked, once the promotion is `consumed`. Reads `facts`, whose one row is that of
 * `consumed`.
 */
export const countCapsSql = `parts_counted as (
    update cap_parts part set
      uses_left = part.uses_left - (select taken.uses from taken where taken.part = part.part),
      money_left = part.money_left - (select taken.money from taken where taken.part = part.part),
      uses_left_of_day = ${leftOfDaySql("part")}
        - (select taken.uses_of_day from taken where taken.part = part.part),
      day = greatest(part.day, ${todaySql})
    where part.caps_id = (select facts.caps_id from facts, consumed)
      and part.part = any(array(select taken.part from taken))
  ), machine_day_counted as (
    insert into cap_machine_days as counted (caps_id, machine_id, day, uses, max_uses)
    select facts.caps_id, facts.machine_id, ${todaySql}, 1, facts.max_uses_per_machine_day
    from facts, consumed where facts.max_uses_per_machine_day is not null
    on conflict (caps_id, machine_id) do update set
      uses = case when counted.day >= excluded.day then counted.uses + 1 else 1 end,
      day = greatest(counted.day, excluded.day), max_uses = excluded.max_uses
  )`;

/**
 * CTEs that give back what a redemption took, to part 0. Needs `clock` with `local_time`, and `facts` with `caps_id`,
 * `machine_id`, `discount` and the day of the redemption, all null where nothing is given back. `part_locked` comes
 * before the lock of the promotion.
 */
export const lockCapsSql = `part_locked as materialized (
    select part.part from cap_parts part
    where part.caps_id = (select caps_id from facts where verdict = 'applied') and part.part = 0
    for no key update
  )`;

export const giveBackToCapsSql = `part_given_back as (
    update cap_parts part set
      uses_left = part.uses_left + 1,
      money_left = part.money_left + (select discount from facts),
      uses_left_of_day = ${leftOfDaySql("part")}
        + ((select day from facts) = greatest(part.day, ${todaySql}))::integer,
      day = greatest(part.day, ${todaySql})
    where part.caps_id = (select facts.caps_id from facts, rolled_back) and part.part = 0
  ), machine_day_given_back as (
    update cap_machine_days counted set uses = counted.uses - 1
    where counted.caps_id = (select facts.caps_id from facts, rolled_back)
      and counted.machine_id = (select machine_id from facts)
      and counted.day = (select day from facts)
  )`;
