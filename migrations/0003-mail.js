/**
 * Mails to send. What creates a mail adds its row in its own transaction; a worker of each instance sends those that
 * are due.
 *
 * @param {import("knex").Knex} knex
 */
export async function up(knex) {
  await knex.raw(`
    create table outbox (
      id bigint generated always as identity primary key,
      -- Two mails with the same key are one: the second is not added.
      dedup_key text not null unique check (length(dedup_key) between 1 and 200),
      -- Part of the Message-ID, the same in each attempt.
      message_id uuid not null,
      template text not null,
      -- Never holds a link or another secret.
      data jsonb not null,
      recipient text not null check (length(recipient) between 3 and 254),
      -- Encrypted under APP_SECRET; erased once the mail is sent or the link has expired.
      link bytea,
      link_expires_at timestamptz,
      state text not null default 'pending' check (state in ('pending', 'sent', 'failed')),
      -- Attempts that have begun; tells the attempts of two workers apart.
      attempts integer not null default 0,
      -- During an attempt, the end of its lease.
      next_attempt_at timestamptz not null default now(),
      give_up_at timestamptz not null,
      last_error text,
      created_at timestamptz not null default now(),
      finished_at timestamptz,
      check ((state = 'pending') = (finished_at is null)),
      check (link is null or state <> 'sent')
    );
    create index outbox_due on outbox (next_attempt_at) where state = 'pending';
    create index outbox_by_state on outbox (state, id desc);
    create index outbox_links on outbox (link_expires_at) where link is not null;
    create index outbox_finished on outbox (finished_at);
  `);
}
