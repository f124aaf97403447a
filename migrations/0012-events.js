/**
 * A log of what has happened, numbered in the order of commits, for webhooks and for the event feed. A redemption
 * writes nothing for it but a column of its transaction: a periodic task numbers the transactions by their ids, with
 * a mark, as the summary of redemptions does. Other events are recorded in the transaction that causes them.
 *
 * @param {import("knex").Knex} knex
 */
export async function up(knex) {
  await knex.raw(`
    -- One row. Transactions up to last_transaction_id are in the log. The marked id comes next, when every statement
    -- that ran when it was marked has ended, which marked_xid tells. Expirations up to expired_until are recorded.
    create table event_log (
      only_row boolean primary key default true check (only_row),
      last_position bigint not null default 0,
      last_transaction_id bigint not null default 0,
      marked_transaction_id bigint,
      marked_xid xid8,
      expired_until timestamptz,
      check (num_nonnulls(marked_transaction_id, marked_xid) in (0, 2))
    );
    insert into event_log default values;

    -- Position is dense and follows the order of commits. What is not in data is read from the transaction. Events of
    -- one subject, such as 'promotion:17', have an order that clients may rely on.
    create table events (
      position bigint primary key,
      id uuid not null default gen_random_uuid(),
      type text not null,
      subject text not null,
      transaction_id bigint,
      data jsonb,
      occurred_at timestamptz not null,
      check (num_nonnulls(transaction_id, data) >= 1)
    );
    create index events_occurred on events (occurred_at);

    -- Events that wait for their position. after_transaction_id places them among the redemptions: a redemption of
    -- the same code has a larger id exactly if it waited for this event's transaction.
    create table recorded_events (
      id bigint generated always as identity primary key,
      type text not null,
      subject text not null,
      transaction_id bigint,
      data jsonb,
      occurred_at timestamptz not null default now(),
      xid xid8 not null default pg_current_xact_id(),
      after_transaction_id bigint not null
        default coalesce(pg_sequence_last_value('transactions_id_seq'), 0),
      check (num_nonnulls(transaction_id, data) >= 1)
    );

    create function record_rollback() returns trigger language plpgsql as $$
    begin
      insert into recorded_events (type, subject, transaction_id, occurred_at) values
        ('promotion.rolled_back', 'promotion:' || new.promotion_id, new.id, new.rolled_back_at);
      return null;
    end $$;
    create trigger transactions_rollback_recorded after update of status on transactions for each row
      when (new.status = 'rolled_back' and old.status <> 'rolled_back')
      execute function record_rollback();

    create function record_machine_change() returns trigger language plpgsql as $$
    begin
      insert into recorded_events (type, subject, data) values (
        case when new.is_deleted then 'machine.deleted' else 'machine.restored' end, 'machine:' || new.id,
        jsonb_build_object('machine',
          jsonb_build_object('serialNumber', new.serial_number, 'humanName', new.human_name)));
      return null;
    end $$;
    create trigger machines_deletion_recorded after update of is_deleted on machines for each row
      when (new.is_deleted <> old.is_deleted)
      execute function record_machine_change();

    -- A key is throttled by the statement of a redemption, which pays for this only then. The rows of a backup, which
    -- have an earlier time, are no events.
    create function record_throttle() returns trigger language plpgsql as $$
    begin
      insert into recorded_events (type, subject, data) values ('key.throttled', 'key:' || (new.details ->> 'key'),
        jsonb_build_object(
          'integration', jsonb_build_object('id', new.subject_id),
          'key', jsonb_build_object('id', (new.details ->> 'key')::bigint, 'last_four', new.details ->> 'last_four'),
          'limit', new.details -> 'limit'));
      return null;
    end $$;
    create trigger audit_log_throttle_recorded after insert on audit_log for each row
      when (new.action = 'integration.key_throttled' and new.created_at = transaction_timestamp())
      execute function record_throttle();
  `);
}
