/**
 * Remembers which alerts a person was mailed. That they were raised before the last mail doesn't tell: the mail leaves out what
 * is cleared, dismissed or muted by then.
 *
 * @param {import("knex").Knex} knex
 */
export async function up(knex) {
  await knex.raw("alter table alert_mails add column mailed_alerts bigint[] not null default '{}'");
}
