/**
 * Sums of transactions and refused attempts by site-local day and machine, and by month, year and campaign, so that
 * dashboard and reports don't read millions of rows; and counts of codes by what decides their status. Nothing is
 * written with a redemption: a periodic task adds the rows that are old enough, and what is younger is read as it is.
 * Triggers correct what was added when a transaction is rolled back, and count what people change about codes.
 *
 * @param {import("knex").Knex} knex
 */
export async function up(knex) {
  await knex.raw(`
    -- One row. Transactions and attempts up to these ids are in the tables below. The marked ids come next, when every
    -- statement that ran at marked_at has ended, which marked_xid tells. has_code_counts says whether code_counts is
    -- filled; it and used_up_codes count the uses by transactions up to last_transaction_id.
    create table activity_summary (
      only_row boolean primary key default true check (only_row),
      version integer not null default 0,
      last_transaction_id bigint not null default 0,
      last_attempt_id bigint not null default 0,
      marked_transaction_id bigint,
      marked_attempt_id bigint,
      marked_xid xid8,
      marked_at timestamptz,
      has_code_counts boolean not null default false,
      check (num_nonnulls(marked_transaction_id, marked_attempt_id, marked_xid, marked_at) in (0, 4))
    );
    insert into activity_summary (has_code_counts) values (true);

    -- Redemptions that were not rolled back, and refused attempts. Machine 0 is the whole site, with attempts at unknown
    -- machines. Money is in cents; for a free drink it is the price of the drink. by_hour counts redemptions by the hour
    -- on the clock; refused counts by reason, in the order of refusalReasons.
    create table daily_activity (
      day date not null,
      machine_id bigint not null,
      drinks integer not null default 0,
      drink_discount bigint not null default 0,
      percentages integer not null default 0,
      percentage_discount bigint not null default 0,
      by_hour integer[] not null default array_fill(0, array[24]),
      refused integer[] not null default array_fill(0, array[8]),
      primary key (day, machine_id)
    );
    -- What free drinks are worth at each machine, for the liability.
    create index daily_activity_drinks on daily_activity (day) include (machine_id, drinks, drink_discount)
      where machine_id > 0;

    -- The same by campaign: the id of a single promotion, or that of a mass generation with a minus.
    create table campaign_activity (
      month date not null,
      campaign_id bigint not null,
      redemptions integer not null default 0,
      discount bigint not null default 0,
      first_use timestamptz,
      last_use timestamptz,
      refused integer[] not null default array_fill(0, array[8]),
      primary key (month, campaign_id)
    );
    create table campaign_years (
      year date not null,
      campaign_id bigint not null,
      redemptions integer not null default 0,
      discount bigint not null default 0,
      first_use timestamptz,
      last_use timestamptz,
      refused integer[] not null default array_fill(0, array[8]),
      primary key (year, campaign_id)
    );

    create function correct_activity_summary() returns trigger language plpgsql as $$
    declare
      zone text := (select time_zone from site_settings);
      local_time timestamp := new.created_at at time zone zone;
      hour integer := extract(hour from local_time) + 1;
      change integer := case new.status when 'applied' then 1 else -1 end;
      is_drink boolean := new.type = 'free_drink';
      last_id bigint;
      campaign bigint;
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

      select coalesce(-p.mass_generation_id, p.id) into campaign
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
      return null;
    end $$;
    -- A younger transaction is not in the summary yet. Rollbacks by machines are of such and pay nothing.
    create trigger transactions_summary after update of status on transactions for each row
      when (new.status <> old.status and new.created_at not between
        clock_timestamp() - interval '12 minutes' and clock_timestamp())
      execute function correct_activity_summary();

    -- Follows correct_activity_summary, by the name of its trigger, and so finds the months corrected.
    create function correct_campaign_years() returns trigger language plpgsql as $$
    declare
      local_time timestamp := new.created_at at time zone (select time_zone from site_settings);
      change integer := case new.status when 'applied' then 1 else -1 end;
      last_id bigint;
      campaign bigint;
    begin
      select last_transaction_id into last_id from activity_summary for share;
      if last_id < new.id then
        return null;
      end if;
      select coalesce(-p.mass_generation_id, p.id) into campaign
        from promotions p where p.id = new.promotion_id;
      insert into campaign_years (year, campaign_id)
        values (date_trunc('year', local_time)::date, campaign) on conflict do nothing;
      update campaign_years set
        redemptions = redemptions + change, discount = discount + change * new.discount
      where year = date_trunc('year', local_time)::date and campaign_id = campaign;
      update campaign_years set (first_use, last_use) = (
        select min(m.first_use), max(m.last_use) from campaign_activity m
        where m.campaign_id = campaign and m.month >= year and m.month < year + interval '1 year')
      where year = date_trunc('year', local_time)::date and campaign_id = campaign;
      return null;
    end $$;
    create trigger transactions_summary_years after update of status on transactions for each row
      when (new.status <> old.status and new.created_at not between
        clock_timestamp() - interval '12 minutes' and clock_timestamp())
      execute function correct_campaign_years();

    ------------------------------------------------------------ counts of codes

    -- A ledger: changes add rows with differences, which a periodic task sums up, so that nobody waits for a row that
    -- another transaction changes. The sums of codes and uses left by the other columns count the codes that are not
    -- deleted. set_id is the set of a mass generation, 0 for codes with a set of their own. A renewable code counts with
    -- all its uses, one without a limit with none.
    create table code_counts (
      set_id bigint not null,
      is_active boolean not null,
      expires_at timestamptz not null,
      discount_type text not null,
      is_used_up boolean not null,
      codes integer not null,
      uses bigint not null
    );

    -- The last use of codes that are used up for good and not deleted.
    create table used_up_codes (
      promotion_id bigint primary key,
      used_at timestamptz not null
    );
    create index used_up_codes_used_at on used_up_codes (used_at);

    -- Codes as code_counts counts them, with the uses that they have left now.
    create view countable_codes as
      select p.id, coalesce(g.set_id, 0) as set_id, p.is_active, coalesce(p.expires_at, 'infinity') as expires_at, p.discount_type,
        p.max_uses is not null and not p.is_renewable as is_limited,
        coalesce(p.max_uses - case when p.is_renewable then 0 else p.period_uses end, 0) as uses_left
      from promotions p
        left join mass_generations g on g.id = p.mass_generation_id and g.set_id = p.set_id
      where not p.is_deleted;

    create function count_new_codes() returns trigger language plpgsql as $$
    begin
      insert into code_counts
        select coalesce(g.set_id, 0), p.is_active, coalesce(p.expires_at, 'infinity'), p.discount_type,
          not p.is_renewable and p.period_uses >= coalesce(p.max_uses, p.period_uses + 1), count(*),
          coalesce(sum(p.max_uses - case when p.is_renewable then 0 else p.period_uses end), 0)
        from inserted p
          left join mass_generations g on g.id = p.mass_generation_id and g.set_id = p.set_id
        where not p.is_deleted
        group by 1, 2, 3, 4, 5;
      return null;
    end $$;
    create trigger promotions_counted after insert on promotions referencing new table as inserted
      for each statement execute function count_new_codes();

    create function count_changed_code() returns trigger language plpgsql as $$
    declare
      is_limited boolean := new.max_uses is not null and not new.is_renewable;
      last_id bigint;
      later_uses bigint := 0;
      uses_left bigint;
    begin
      if is_limited and new.activation_count > 0 then
        select last_transaction_id into last_id from activity_summary;
        if old.is_deleted <> new.is_deleted or exists (select from transactions t
          where t.promotion_id = new.id and t.id > last_id and t.status = 'applied') then
          -- Waits for a refresh that may be counting the uses, and makes the next one wait for this transaction.
          select last_transaction_id into last_id from activity_summary for share;
          select count(*) into later_uses from transactions t
            where t.promotion_id = new.id and t.id > last_id and t.status = 'applied';
        end if;
      end if;
      uses_left := coalesce(new.max_uses - case when new.is_renewable then 0 else new.period_uses end, 0) + later_uses;

      insert into code_counts
        select coalesce(g.set_id, 0), code.is_active, coalesce(code.expires_at, 'infinity'), new.discount_type,
          is_limited and uses_left = 0, code.number, code.number * uses_left
        from (values
            (-1, old.is_deleted, old.set_id, old.is_active, old.expires_at),
            (1, new.is_deleted, new.set_id, new.is_active, new.expires_at)
          ) as code (number, is_deleted, set_id, is_active, expires_at)
          left join mass_generations g on g.id = new.mass_generation_id and g.set_id = code.set_id
        where not code.is_deleted;

      if old.is_deleted <> new.is_deleted and is_limited and uses_left = 0 then
        if new.is_deleted then
          delete from used_up_codes where promotion_id = new.id;
        else
          insert into used_up_codes
            select t.promotion_id, max(t.created_at) from transactions t
            where t.promotion_id = new.id and t.status = 'applied' group by t.promotion_id;
        end if;
      end if;
      return null;
    end $$;
    create trigger promotions_recounted
      after update of is_deleted, set_id, is_active, expires_at on promotions for each row
      when (old.is_deleted <> new.is_deleted or old.set_id <> new.set_id or old.is_active <> new.is_active
        or old.expires_at is distinct from new.expires_at)
      execute function count_changed_code();

    -- A transaction that is rolled back after its use was counted gives the use back. It is counted at the end of the
    -- database transaction, when the row of the code has changed as well.
    create function correct_code_counts() returns trigger language plpgsql as $$
    declare
      last_id bigint;
      code countable_codes;
      was_used_up boolean;
      is_used_up boolean;
    begin
      select last_transaction_id into last_id from activity_summary for share;
      select * into code from countable_codes c where c.id = new.promotion_id and c.is_limited;
      if code.id is null or last_id < new.id then
        return null;
      end if;
      is_used_up := code.uses_left = 0 and not exists (select from transactions t
        where t.promotion_id = code.id and t.id > last_id and t.status = 'applied');
      delete from used_up_codes where promotion_id = code.id;
      was_used_up := found;
      if is_used_up then
        insert into used_up_codes
          select t.promotion_id, max(t.created_at) from transactions t
          where t.promotion_id = code.id and t.status = 'applied' group by t.promotion_id;
      end if;
      insert into code_counts values
        (code.set_id, code.is_active, code.expires_at, code.discount_type, was_used_up, -1, 0),
        (code.set_id, code.is_active, code.expires_at, code.discount_type, is_used_up, 1, 0),
        (code.set_id, code.is_active, code.expires_at, code.discount_type, false, 0,
          case new.status when 'applied' then -1 else 1 end);
      return null;
    end $$;
    create constraint trigger transactions_code_counts after update of status on transactions
      deferrable initially deferred for each row
      when (new.status <> old.status and new.created_at not between
        clock_timestamp() - interval '12 minutes' and clock_timestamp())
      execute function correct_code_counts();
  `);
}
