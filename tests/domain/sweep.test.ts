import { beforeAll, expect, it } from "vitest";
import { db } from "../../app/db/connection.server";
import { endedLimits } from "../../app/db/rate-limits.server";
import { sweep } from "../../app/db/sweep.server";
import { oldKeys } from "../../app/features/activity/idempotency.server";
import { oldMails } from "../../app/features/mail/outbox.server";
import { oldOperations } from "../../app/features/promotions/lifecycle/stored-operations.server";
import { endedSessions } from "../../app/features/sign-in/sessions.server";
import { unreadMessages } from "../../app/http/messages.server";
import { insertUser } from "../factories/people-and-machines";
import { ago } from "../factories/rows";
import { openTransaction } from "../support/database-sessions";
import { useDatabase } from "../support/postgres";

useDatabase();
const everything = [
  ...endedSessions,
  unreadMessages,
  oldKeys,
  endedLimits,
  oldMails(),
  oldOperations,
];
const tables = [
  "sessions",
  "tokens",
  "flash_messages",
  "idempotency_keys",
  "rate_limits",
  "outbox",
  "lifecycle_operations",
];
const counts = () =>
  Promise.all(tables.map(async (table) => (await db()(table).select(db().raw("1"))).length));

/** Inserts a row that has ended and one that has not into each table. */
beforeAll(async () => {
  const { id } = await insertUser();
  const hash = (text: string) => Buffer.from(text.padEnd(32));
  await db()("sessions").insert([
    { id_hash: hash("old"), user_id: id, expires_at: ago("1 second") },
    {
      id_hash: hash("unused"),
      user_id: id,
      expires_at: ago("-1 day"),
      last_seen_at: ago("9 hours"),
    },
    { id_hash: hash("new"), user_id: id, expires_at: ago("-1 day") },
  ]);
  const message = { session_id_hash: hash("new"), kind: "info", message: "", hide_after_ms: 1 };
  await db()("flash_messages").insert([
    { ...message, id: "old", created_at: ago("25 hours") },
    { ...message, id: "new", created_at: ago("1 hour") },
  ]);
  const token = { user_id: id, kind: "access", family_id: "00000000-0000-4000-8000-000000000000" };
  await db()("tokens").insert([
    { ...token, hash: hash("old"), expires_at: ago("1 second") },
    { ...token, hash: hash("new"), expires_at: ago("-1 hour") },
  ]);
  const key = { user_id: id, request_hash: hash(""), result: {} };
  await db()("idempotency_keys").insert([
    { ...key, key: "old", created_at: ago("25 hours") },
    { ...key, key: "new", created_at: ago("23 hours") },
  ]);
  const mail = (state: string, age: string) => ({
    dedup_key: `${state} ${age}`,
    message_id: "00000000-0000-4000-8000-000000000000",
    template: "test",
    data: {},
    recipient: "a@example.com",
    state,
    give_up_at: ago(age),
    finished_at: state === "pending" ? null : ago(age),
  });
  await db()("outbox").insert([
    mail("sent", "31 days"),
    mail("sent", "29 days"),
    mail("failed", "91 days"),
    mail("failed", "31 days"),
    mail("pending", "91 days"),
  ]);
  const operation = (row: object) => ({
    action: "deactivate",
    parameters: {},
    actor_id: id,
    generation_ids: [],
    promotion_ids: [],
    outcome: {},
    created_at: ago("25 hours"),
    started_at: null,
    done_at: null,
    ...row,
  });
  await db()("lifecycle_operations").insert([
    operation({}),
    operation({ created_at: ago("23 hours") }),
    operation({ started_at: ago("25 hours") }),
    operation({ started_at: ago("25 hours"), done_at: ago("25 hours") }),
    operation({ started_at: ago("25 hours"), done_at: ago("23 hours") }),
  ]);
  await db().raw(
    `insert into rate_limits (key, points, expire)
     select 'limit ' || n, 1, case when n > 0 then 1 else 9e15::bigint end from generate_series(0, 2500) n`,
  );
});

it("deletes what has ended, in batches", async () => {
  await sweep(everything);
  expect(await counts()).toEqual([1, 1, 1, 1, 1, 3, 3]);
});

it("leaves rows that others have locked for the next time", async () => {
  await db()("rate_limits").insert({ key: "locked", points: 1, expire: 1 });
  const holder = await openTransaction();
  await holder("rate_limits").where({ key: "locked" }).forUpdate();
  await sweep(everything);
  expect(await db()("rate_limits").where({ key: "locked" })).toHaveLength(1);
  await holder.commit();
  await sweep(everything);
  expect(await db()("rate_limits").where({ key: "locked" })).toEqual([]);
});
