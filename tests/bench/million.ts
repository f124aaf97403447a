import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { connect, db, disconnect } from "../../app/db/connection.server";
import {
  startEmbeddedPostgres,
  type EmbeddedPostgres,
} from "../../app/embedded-postgres/embedded-postgres.server";
import { loadSite } from "../../app/db/site.server";
import { createFirstAdmin } from "../../app/features/sign-in/users.server";
import { prepareEmptyDatabase } from "../support/test-cluster";
import { inTurns, secondsOf } from "./row";
import { admin } from "./server";

/**
 * The data that the queries are measured on, always the same: 1,000,000 promotions (1,000 mass
 * generations of 900 codes and 100,000 single ones) of every status, 2,000 machines, 20 groups.
 */
const data = `
  select setseed(0.5);

  insert into machines (serial_number, human_name)
  select 'VM-' || (10000 + g), (array['Lobby', 'Canteen', 'Platform', 'Gate', 'Hall'])[1 + g % 5] || ' ' || g
  from generate_series(1, 2000) g;

  insert into machine_groups (name) select 'Route ' || g from generate_series(1, 20) g;
  insert into machine_group_members (group_id, machine_id)
  select 1 + m.id % 20, m.id from machines m;

  insert into mass_generations (name, num_codes, discount_type, discount_value, is_single_use,
    is_renewable, expires_at, is_deleted, deleted_at, created_at)
  select 'Batch ' || g || (array[' summer', ' winter', ' festival', ''])[1 + g % 4], 900,
    case when g % 3 = 0 then 'percentage' else 'free_drink' end,
    case when g % 3 = 0 then 5 + g % 90 else 1 end, true, false,
    case when g % 5 = 0 then now() - interval '1 day' * (g % 300 + 1)
         when g % 5 < 3 then now() + interval '1 day' * (g % 300 + 1) end,
    g % 20 = 7, case when g % 20 = 7 then now() end,
    now() - interval '1 minute' * (g * 1050)
  from generate_series(1, 1000) g;

  insert into promotions (code, mass_generation_id, name, discount_type, discount_value,
    is_single_use, is_renewable, expires_at, max_uses, period_uses, activation_count, is_active,
    set_id, is_deleted, deleted_at, created_at)
  select translate(upper(substr(md5('mass' || g.id || '/' || n), 1, 12)), '01', 'XY'), g.id, g.name,
    g.discount_type, g.discount_value, true, false, g.expires_at, 1,
    case when n % 4 = 0 then 1 else 0 end, case when n % 4 = 0 then 1 else 0 end,
    n % 33 <> 0, g.set_id, g.is_deleted, g.deleted_at, g.created_at
  from mass_generations g, generate_series(1, 900) n;

  insert into promotions (code, name, discount_type, discount_value, is_single_use, is_renewable,
    expires_at, max_uses, period_key, period_uses, activation_count, is_active,
    is_deleted, deleted_at, created_at)
  select translate(upper(substr(md5('single' || g), 1, 12)), '01', 'XY'),
    (array['Summer', 'Winter', 'Complaint', 'Staff', 'Welcome'])[1 + g % 5] || ' ' || g,
    case when g % 2 = 0 then 'percentage' else 'free_drink' end, 1 + g % 100, false, g % 7 = 0,
    case when g % 7 <> 0 and g % 3 = 0 then now() + interval '1 hour' * ((g % 8000) - 2000) end,
    case when g % 2 = 1 then 1 + g % 100 end,
    case when g % 7 = 0 then to_char(now() at time zone 'Europe/Berlin', 'YYYYMM')::integer else 0 end,
    case when g % 2 = 1 and g % 6 = 1 then 1 + g % 100 else 0 end,
    case when g % 2 = 1 and g % 6 = 1 then 1 + g % 100 else g % 4 end,
    g % 25 <> 0, g % 19 = 0, case when g % 19 = 0 then now() end,
    now() - interval '10 seconds' * (g * 6.3)
  from generate_series(1, 100000) g;

  -- A tenth of both is assigned to nothing.
  insert into assignments (set_id, machine_id)
  select g.set_id, 1 + (g.id * 37 + n * 61) % 2000 from mass_generations g, generate_series(1, 20) n
  where g.id % 10 <> 0 on conflict do nothing;
  insert into assignments (set_id, group_id)
  select g.set_id, 1 + g.id % 20 from mass_generations g where g.id % 10 <> 0 and g.id % 9 = 0;
  insert into assignments (set_id, machine_id)
  select p.set_id, 1 + (p.id * 13 + n * 7) % 2000 from promotions p, generate_series(1, 3) n
  where p.mass_generation_id is null and p.id % 10 <> 0;
  insert into assignments (set_id, group_id)
  select p.set_id, 1 + p.id % 20 from promotions p
  where p.mass_generation_id is null and p.id % 10 <> 0 and p.id % 50 = 1;
  update assignment_sets set is_assigned = true where id in (select set_id from assignments);
`;

let running: { postgres: EmbeddedPostgres; dataDir: string } | undefined;

/** Creates the data, and an admin who can sign in, at the first call, and connects `db()` to it. */
export async function openMillion(): Promise<void> {
  if (running) return;
  const dataDir = mkdtempSync(path.join(tmpdir(), "promo-million-"));
  const postgres = await startEmbeddedPostgres({ dataDir, settings: ["max_wal_size=4GB"] });
  running = { postgres, dataDir };
  await prepareEmptyDatabase(postgres.ownerUrl, {
    createAdmin: async (database) => void (await createFirstAdmin(admin, database)),
  });
  connect(postgres.ownerUrl, { log: console.error });
  await loadSite();
  await db().transaction(async (trx) => {
    await trx.raw("set local statement_timeout = 0");
    await trx.raw(data);
  });
  await runLongStatement("vacuum analyze");
}

/** Measures queries in turns with look-ups of a promotion by its primary key. @returns the ms that each took */
export function againstLookUp(
  rounds: { warmUps: number; rounds: number },
  query: () => Promise<unknown>,
): Promise<[number[], number[]]> {
  const lookUp = () => db().raw("select * from promotions where id = ?", [500_000]);
  const msOf = (run: () => Promise<unknown>) => async () => (await secondsOf(run)) * 1_000;
  return inTurns(rounds, msOf(query), msOf(lookUp));
}

/** Runs a statement that takes longer than the product allows, on a connection of its own. */
export async function runLongStatement(statement: string): Promise<void> {
  const connection = await db().client.acquireConnection();
  try {
    await connection.query("set statement_timeout = 0");
    await connection.query(statement);
    await connection.query("reset statement_timeout");
  } finally {
    await db().client.releaseConnection(connection);
  }
}

/** The address of the database, which `db()` is connected to, too. */
export function millionUrl(): string {
  return running!.postgres.ownerUrl;
}

export async function closeMillion(): Promise<void> {
  if (!running) return;
  await disconnect();
  await running.postgres.stop();
  rmSync(running.dataDir, { recursive: true, force: true });
  running = undefined;
}
