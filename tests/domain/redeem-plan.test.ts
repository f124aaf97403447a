import { expect, inject, test } from "vitest";
import { db, preparedSettings, type PreparedStatement } from "../../app/db/connection.server";
import { clientWith } from "../../app/db/database-client.server";
import {
  cappedStatement,
  redemptionStatement,
  waitingStatement,
} from "../../app/features/redemptions/redemption-statements.server";
import { rollbackStatement } from "../../app/features/redemptions/roll-back.server";
import { hashSecret } from "../../app/features/sign-in/tokens.server";
import { setIdOf } from "../factories/assignments";
import { insertRedeemable, makeKey, request } from "../factories/redemptions";
import { useDatabase } from "../support/postgres";

useDatabase();

const redemptions = [
  ["redeem", redemptionStatement],
  ["redeem_capped", cappedStatement],
  ["redeem_waiting", waitingStatement],
] as const;

type Node = { "Node Type": string; "Actual Rows": number; "Actual Loops": number; Plans?: Node[] };

/** The most rows that any step of a plan has met. */
function maxRows(node: Node): number {
  return Math.max(
    node["Actual Rows"] * node["Actual Loops"],
    ...(node.Plans ?? []).map((child) => maxRows(child)),
  );
}

/**
 * Connections keep a plan for as long as they are busy. One that was made when the tables were
 * empty must not read them as a whole when they no longer are.
 */
test("a plan that was made for empty tables stays good when they fill", async () => {
  const { rows: database } = await db().raw<{ rows: { name: string }[] }>(
    "select current_database() as name",
  );
  const { url } = inject("postgres");
  const Client = clientWith(preparedSettings, "session");
  const client = new Client({
    connectionString: url.replace("/promo_console?", `/${database[0]!.name}?`),
  });
  await client.connect();
  try {
    const literal = (value: unknown) =>
      value === null
        ? "null"
        : client.escapeLiteral(Buffer.isBuffer(value) ? `\\x${value.toString("hex")}` : `${value}`);
    const run = async (name: string, { parameters }: PreparedStatement, values: object) => {
      const args = parameters.map((parameter) =>
        literal((values as Record<string, unknown>)[parameter]),
      );
      const { rows } = await client.query<{ "QUERY PLAN": [{ Plan: Node }] }>(
        `explain (analyze, format json) execute ${name} (${args.join(", ")})`,
      );
      return maxRows(rows[0]!["QUERY PLAN"][0].Plan);
    };
    const prepare = (name: string, { text }: PreparedStatement, types: string) =>
      client.query(`prepare ${name} (${types}) as ${text}`);
    // Updates the statistics, so that the planner knows that the tables are empty.
    await client.query("vacuum analyze");
    const types = "bytea,text,text,integer,text,text,timestamptz";
    for (const [name, statement] of redemptions)
      await prepare(name, statement, statement === cappedStatement ? `${types},integer` : types);
    await prepare("roll_back", rollbackStatement, "bytea,bigint,timestamptz,text,text,timestamptz");
    const nobody = {
      hash: hashSecret("none"),
      code: "ABCDEFGHJKMN",
      serialNumber: "VM-1",
      originalPrice: 1,
      redemptionId: "none",
      timeZone: "Europe/Berlin",
      idempotencyKey: null,
      now: null,
      firstPart: 0,
      attemptId: null,
      attemptedAt: null,
    };
    for (const [name, statement] of redemptions) await run(name, statement, nobody);
    await run("roll_back", rollbackStatement, nobody);

    const { secret } = await makeKey();
    const target = await insertRedeemable();
    await db().raw(
      `insert into machines (serial_number, human_name)
       select 'Full ' || g, 'Lobby' from generate_series(1, 2000) g;
       insert into assignments (set_id, machine_id)
       select ${await setIdOf("promotions", target.id)}, id from machines where human_name = 'Lobby'
       on conflict do nothing;
       insert into promotions (code, name, discount_type, discount_value, is_single_use, is_renewable)
       select translate(upper(substr(md5('full' || g), 1, 12)), '01', 'XY'), 'Full', 'percentage', 5,
         false, false from generate_series(1, 3000) g;
       insert into transactions (redemption_id, promotion_id, machine_id, type, original_price, discount)
       select 'full-' || p.id, p.id, (select min(id) from machines), 'percentage', 100, 5
       from promotions p;
       insert into redemption_attempts (redemption_id, code, serial_number, original_price, outcome,
         transaction_id)
       select redemption_id, 'ABCDEFGHJKMN', 'Full 1', 100, 'accepted', id from transactions;`,
    );
    const asked = { ...nobody, ...request(target), hash: hashSecret(secret) };
    for (const [name, statement] of redemptions)
      for (const redemptionId of [asked.redemptionId, `another, ${name}`])
        expect(await run(name, statement, { ...asked, redemptionId }), name).toBeLessThanOrEqual(
          10,
        );
    expect(await run("roll_back", rollbackStatement, asked)).toBeLessThanOrEqual(10);
    const { rows } = await db().raw<{ rows: { attemptedAt: string }[] }>(
      `select attempt_id as "attemptId", created_at::text as "attemptedAt"
       from redemption_ids where redemption_id = ?`,
      [asked.redemptionId],
    );
    const attempt = { ...asked, ...rows[0] };
    expect(await run("roll_back", rollbackStatement, attempt)).toBeLessThanOrEqual(10);
    const spent = await db()("transactions").where({ redemption_id: asked.redemptionId }).first();
    expect(spent).toMatchObject({ status: "rolled_back" });
  } finally {
    await client.end();
  }
});
