/** The lock under which one process at a time migrates, fills, backs up or archives a database. */
import { setTimeout as delay } from "node:timers/promises";
import knex, { type Knex } from "knex";
import type pg from "pg";
import { EnvironmentError } from "../env.server";
import { connectionTo, readValue } from "./connection.server";
import { clientWith, connectWith } from "./database-client.server";

const oldestServer = 15;
/** The advisory lock of migrations: any number that never changes. */
const migrationLock = 7_203_511;

/** Has no timeouts, whatever a managed server gives the role: an index on a million rows takes long. */
const PatientClient = clientWith(
  {
    statement_timeout: "0",
    lock_timeout: "0",
    idle_in_transaction_session_timeout: "0",
    idle_session_timeout: "0",
  },
  "session",
);

/**
 * Runs `work` while no other process migrates or fills this database.
 * @param isShared whether `work` changes nothing, so that backups may run meanwhile
 */
export async function withMigrationLock<Result>(
  url: string,
  work: (database: Knex) => Promise<Result>,
  isShared: (database: Knex) => Promise<boolean> = async () => false,
): Promise<Result> {
  // knex's own lock is a row that a killed process leaves behind; PostgreSQL releases this one.
  const lock = new PatientClient(connectionTo(url, { name: "promo-console migrations" }));
  let connectionError: Error | null = null;
  lock.on("error", (error) => (connectionError = error));
  await lock.connect();
  const migrations = connectWith(
    knex({
      client: "pg",
      connection: { connectionString: url, application_name: "promo-console migrations" },
      pool: { min: 0, max: 2 },
      log: { warn() {}, error() {}, deprecate() {}, debug() {} },
    }),
    PatientClient,
  );
  try {
    await assertServer(lock);
    await assertOwnSession(lock, migrations);
    await acquireMigrationLock(lock, { isShared: await isShared(migrations) });
    const result = await work(migrations);
    if (connectionError) throw connectionError;
    return result;
  } finally {
    await migrations.destroy();
    await lock.end().catch(() => {});
  }
}

/**
 * Takes the lock of migrations for the session, or shares it with others that don't migrate. It is polled for: a
 * statement that waited for it would hold a snapshot, and `create index concurrently` waits for all of those.
 */
export async function acquireMigrationLock(
  client: pg.Client,
  { isShared }: { isShared: boolean },
): Promise<void> {
  const acquire = `pg_try_advisory_lock${isShared ? "_shared" : ""}`;
  for (;;) {
    const { rows } = await client.query<{ isMine: boolean }>(
      `select ${acquire}(${migrationLock}) as "isMine"`,
    );
    if (rows[0]!.isMine) return;
    await delay(50);
  }
}

async function assertServer(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ version: string; encoding: string }>(
    "select current_setting('server_version_num') as version, current_setting('server_encoding') as encoding",
  );
  const { encoding, ...server } = rows[0]!;
  const version = Math.floor(Number(server.version) / 10_000);
  if (version < oldestServer)
    throw new EnvironmentError(
      `DATABASE_URL leads to PostgreSQL ${version}, but it must be ${oldestServer} or newer.`,
    );
  if (encoding !== "UTF8")
    throw new EnvironmentError(
      `DATABASE_URL leads to a database in ${encoding}, but it must be UTF8.`,
    );
}

/** A pooler in transaction mode gives its session to whoever asks next, and with it the lock. */
async function assertOwnSession(lock: pg.Client, other: Knex): Promise<void> {
  const sql = "select pg_backend_pid() as pid";
  const { rows } = await lock.query<{ pid: number }>(sql);
  if (rows[0]!.pid === (await readValue<number>(other, sql)))
    throw new EnvironmentError(
      "DATABASE_URL leads to a pooler in transaction mode: set DATABASE_POOLING=transaction, and DATABASE_DIRECT_URL to the address of the database itself.",
    );
}
