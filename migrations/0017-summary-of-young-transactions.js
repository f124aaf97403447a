/**
 * The summary has transactions of seconds ago, so that each rollback corrects it: those of machines, within 12 minutes,
 * did not. A refresh of an older release, which leaves out the last 15 minutes, is corrected as well.
 *
 * @param {import("knex").Knex} knex
 */
export async function up(knex) {
  await knex.raw(`
    drop trigger transactions_summary on transactions;
    create trigger transactions_summary after update of status on transactions for each row
      when (new.status <> old.status) execute function correct_activity_summary();
    drop trigger transactions_summary_years on transactions;
    create trigger transactions_summary_years after update of status on transactions for each row
      when (new.status <> old.status) execute function correct_campaign_years();
    drop trigger transactions_code_counts on transactions;
    create constraint trigger transactions_code_counts after update of status on transactions
      deferrable initially deferred for each row
      when (new.status <> old.status) execute function correct_code_counts();
  `);
}
