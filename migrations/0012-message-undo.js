/**
 * Lets a message offer to undo what it tells: a path that its button posts to.
 *
 * @param {import("knex").Knex} knex
 */
export async function up(knex) {
  await knex.raw("alter table flash_messages add column undo_path text");
}
