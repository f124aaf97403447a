import { createHmac } from "node:crypto";

/**
 * Makes stored secrets depend on APP_SECRET: of each session, token and key the database held the SHA-256, and
 * now holds the HMAC-SHA256 of that. What browsers and machines hold stays valid. The HMAC is taken here, so
 * that the secret never reaches the database.
 *
 * A release before this one finds no session and no key from now on: it sends people to the sign-in page and
 * rejects redemptions with 401. So its instances must be stopped before this migration runs, other than with
 * later releases.
 *
 * @param {import("knex").Knex} knex
 * @param {() => string} appSecret
 */
export async function up(knex, appSecret) {
  await knex.raw(
    `lock table sessions, tokens, api_keys in exclusive mode;
     alter table flash_messages drop constraint flash_messages_session_id_hash_fkey,
       add foreign key (session_id_hash) references sessions on delete cascade on update cascade;`,
  );
  const columns = { sessions: "id_hash", tokens: "hash", api_keys: "hash" };
  for (const [table, column] of Object.entries(columns)) {
    const before = await knex(table).pluck(column);
    const after = before.map((hash) => createHmac("sha256", appSecret()).update(hash).digest());
    await knex.raw(
      `update ${table} set ${column} = migrated.after
       from unnest(?::bytea[], ?::bytea[]) as migrated (before, after)
       where ${column} = migrated.before`,
      [before, after],
    );
  }
}
