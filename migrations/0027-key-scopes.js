/**
 * Keys have scopes, and those of integrations remember the admin for whom they act beyond redeeming.
 *
 * @param {import("knex").Knex} knex
 */
export async function up(knex) {
  await knex.raw(`
    -- A key of a person could call everything.
    update api_keys set scopes = '{read,promotions,machines,users}'
    where user_id is not null and scopes = '{}';

    alter table api_keys
      add constraint api_keys_scopes
        check (scopes <@ '{read,promotions,machines,users,redeem}'::text[]),
      add column created_by bigint references users on delete set null;
    create index api_keys_created_by on api_keys (created_by) where created_by is not null;
  `);
}
