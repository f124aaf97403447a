/**
 * Events of refused redemptions, which are made from their attempts, of campaigns and of unknown machines. What was
 * refused before is no event. Whatever was subscribed to new mass generations gets all new campaigns.
 *
 * @param {import("knex").Knex} knex
 */
export async function up(knex) {
  await knex.raw(`
    -- Attempts up to last_attempt_id have their events. The marked id comes next, when every statement that ran when it
    -- was marked has ended, which marked_attempt_xid tells.
    alter table event_log add column last_attempt_id bigint not null default 0,
      add column marked_attempt_id bigint, add column marked_attempt_xid xid8;
    update event_log set last_attempt_id = coalesce((select max(id) from redemption_attempts), 0);

    create index events_unknown_machines on events (subject, occurred_at) where type = 'machine.unknown';

    update webhooks set event_types = array_replace(event_types, 'mass_generation.created', 'campaign.created')
      where 'mass_generation.created' = any (event_types);
    update webhook_deliveries set type = 'campaign.created' where type = 'mass_generation.created';
    update events set type = 'campaign.created', data = jsonb_build_object('campaign',
        data -> 'mass_generation' || '{"type": "mass", "code": null}')
      where type = 'mass_generation.created';
    update recorded_events set type = 'campaign.created', data = jsonb_build_object('campaign',
        data -> 'mass_generation' || '{"type": "mass", "code": null}')
      where type = 'mass_generation.created';

    create function record_deactivation() returns trigger language plpgsql as $$
    declare
      row jsonb := to_jsonb(new);
      is_single boolean := tg_table_name = 'promotions';
    begin
      insert into recorded_events (type, subject, data) values ('campaign.deactivated',
        case when is_single then 'promotion:' else 'mass_generation:' end || new.id,
        jsonb_build_object('campaign', jsonb_build_object(
          'id', new.id, 'type', case when is_single then 'single' else 'mass' end, 'name', new.name,
          'code', row -> 'code', 'num_codes', coalesce(row -> 'num_codes', '1'),
          'discount_type', new.discount_type, 'discount_value', new.discount_value)));
      return null;
    end $$;
    create trigger mass_generations_deactivation_recorded after update of is_active on mass_generations for each row
      when (old.is_active and not new.is_active)
      execute function record_deactivation();
    create trigger promotions_deactivation_recorded after update of is_active on promotions for each row
      when (old.is_active and not new.is_active and new.mass_generation_id is null)
      execute function record_deactivation();
  `);
}
