/**
 * Sums campaigns up by year besides by month: a report of a year added up twelve rows of each of a hundred thousand.
 *
 * @param {import("knex").Knex} knex
 */
export async function up(knex) {
  await knex.raw(`
    create table campaign_years (
      year date not null,
      campaign_id bigint not null,
      redemptions integer not null default 0,
      discount bigint not null default 0,
      first_use timestamptz,
      last_use timestamptz,
      refused integer[] not null default array_fill(0, array[7]),
      primary key (year, campaign_id)
    );
    insert into campaign_years
      select date_trunc('year', month)::date, campaign_id, sum(redemptions), sum(discount), min(first_use),
        max(last_use), array[sum(refused[1]), sum(refused[2]), sum(refused[3]), sum(refused[4]), sum(refused[5]),
          sum(refused[6]), sum(refused[7])]::integer[]
      from campaign_activity group by 1, 2;

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
  `);
}
