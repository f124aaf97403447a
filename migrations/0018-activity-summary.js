/**
 * Sums up transactions and refused attempts by site-local day and machine, and by month and campaign, so that
 * dashboard and reports don't read millions of rows. Nothing is written with a redemption: a periodic task adds
 * the rows that are old enough, and what is younger is read as it is. A transaction that is rolled back after it
 * was added is taken out again by a trigger.
 *
 * @param {import("knex").Knex} knex
 */
export async function up(knex) {
  await knex.raw(`
    -- One row. Transactions and attempts up to these ids are in the tables below. The marked ids come next, when
    -- every statement that ran at marked_at has ended, which marked_xid tells.
    create table activity_summary (
      only_row boolean primary key default true check (only_row),
      version integer not null default 0,
      last_transaction_id bigint not null default 0,
      last_attempt_id bigint not null default 0,
      marked_transaction_id bigint,
      marked_attempt_id bigint,
      marked_xid xid8,
      marked_at timestamptz,
      check (num_nonnulls(marked_transaction_id, marked_attempt_id, marked_xid, marked_at) in (0, 4))
    );
    insert into activity_summary default values;

    -- Redemptions that were not rolled back, and refused attempts. Machine 0 is the whole site, with attempts
    -- at unknown machines. Money is in cents; for a free drink it is the price of the drink. by_hour counts
    -- redemptions by the hour on the clock; refused counts by reason, in the order of refusalReasons.
    create table daily_activity (
      day date not null,
      machine_id bigint not null,
      drinks integer not null default 0,
      drink_discount bigint not null default 0,
      percentages integer not null default 0,
      percentage_discount bigint not null default 0,
      by_hour integer[] not null default array_fill(0, array[24]),
      refused integer[] not null default array_fill(0, array[7]),
      primary key (day, machine_id)
    );

    -- The same by campaign: the id of a single promotion, or that of a mass generation with a minus.
    create table campaign_activity (
      month date not null,
      campaign_id bigint not null,
      redemptions integer not null default 0,
      discount bigint not null default 0,
      first_use timestamptz,
      last_use timestamptz,
      refused integer[] not null default array_fill(0, array[7]),
      primary key (month, campaign_id)
    );

    -- The last redemption, not rolled back, of each code with a limit that is not renewed.
    create table last_uses (
      promotion_id bigint primary key,
      used_at timestamptz not null
    );
    create index last_uses_used_at on last_uses (used_at);

    -- Refused attempts by time. A redemption writes no entry.
    create index redemption_attempts_refused on redemption_attempts (created_at desc, id desc)
      where outcome <> 'accepted';

    create function correct_activity_summary() returns trigger language plpgsql as $$
    declare
      zone text := (select time_zone from site_settings);
      local_time timestamp := new.created_at at time zone zone;
      hour integer := extract(hour from local_time) + 1;
      change integer := case new.status when 'applied' then 1 else -1 end;
      is_drink boolean := new.type = 'free_drink';
      last_id bigint;
      campaign bigint;
      is_limited boolean;
    begin
      -- Waits for a refresh of the summary and makes the next one wait for this transaction.
      select last_transaction_id into last_id from activity_summary for share;
      if last_id < new.id then
        return null;
      end if;

      insert into daily_activity (day, machine_id)
        values (local_time::date, 0), (local_time::date, new.machine_id) on conflict do nothing;
      update daily_activity set
        drinks = drinks + case when is_drink then change else 0 end,
        drink_discount = drink_discount + case when is_drink then change * new.discount else 0 end,
        percentages = percentages + case when is_drink then 0 else change end,
        percentage_discount = percentage_discount + case when is_drink then 0 else change * new.discount end,
        by_hour[hour] = by_hour[hour] + change
      where day = local_time::date and machine_id in (0, new.machine_id);

      select coalesce(-p.mass_generation_id, p.id), p.max_uses is not null and not p.is_renewable
        into campaign, is_limited
        from promotions p where p.id = new.promotion_id;
      insert into campaign_activity (month, campaign_id)
        values (date_trunc('month', local_time)::date, campaign) on conflict do nothing;
      update campaign_activity set
        redemptions = redemptions + change, discount = discount + change * new.discount
      where month = date_trunc('month', local_time)::date and campaign_id = campaign;
      update campaign_activity set (first_use, last_use) = (
        select min(used.first_use), max(used.last_use)
        from (select p.id from promotions p where campaign > 0 and p.id = campaign
          union all select p.id from promotions p where campaign < 0 and p.mass_generation_id = -campaign) code,
          lateral (select min(t.created_at) as first_use, max(t.created_at) as last_use
            from transactions t
            where t.promotion_id = code.id and t.status = 'applied' and t.id <= last_id
              and t.created_at >= ((month - 1)::timestamp at time zone zone)
              and t.created_at < ((month + interval '1 month 1 day') at time zone zone)
              and date_trunc('month', t.created_at at time zone zone)::date = month) used)
      where month = date_trunc('month', local_time)::date and campaign_id = campaign
        and (change = 1 or first_use = new.created_at or last_use = new.created_at);

      if is_limited then
        delete from last_uses where promotion_id = new.promotion_id;
        insert into last_uses
          select t.promotion_id, max(t.created_at)
          from transactions t
          where t.promotion_id = new.promotion_id and t.status = 'applied' and t.id <= last_id
          group by t.promotion_id;
      end if;
      return null;
    end $$;

    -- A younger transaction is not in the summary yet. Rollbacks by machines are of such and pay nothing.
    create trigger transactions_summary after update of status on transactions for each row
      when (new.status <> old.status and new.created_at not between
        clock_timestamp() - interval '12 minutes' and clock_timestamp())
      execute function correct_activity_summary();
  `);
}
