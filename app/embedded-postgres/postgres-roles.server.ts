/** The roles of the embedded PostgreSQL, and how they connect. */
import pg from "pg";
import { codeOf } from "../errors";

export const appRole = "promo_console";
export const wrongPassword = "28P01";

export function appAddress(password: string, socketFolder: string): string {
  return addressOf(`${appRole}:${password}`, appRole, socketFolder);
}

export function adminAddress(password: string, database: string, socketFolder: string): string {
  return addressOf(`postgres:${password}`, database, socketFolder);
}

/** Port and mode are named because pg takes what is missing from PGPORT and PGSSLMODE, which may be for another server. */
function addressOf(user: string, database: string, socketFolder: string): string {
  const folder = encodeURIComponent(socketFolder);
  return `postgresql://${user}@/${database}?host=${folder}&port=5432&sslmode=disable`;
}

/** The superuser has the password of the product's role in data of earlier releases. */
export async function setAdminPassword(
  url: string,
  sharedUrl: string,
  password: string,
): Promise<void> {
  const isSet = await withClient(url, () => Promise.resolve(true)).catch((error: unknown) => {
    if (codeOf(error) !== wrongPassword) throw error;
    return false;
  });
  if (isSet) return;
  await withClient(sharedUrl, (client) =>
    client.query(`alter role postgres password ${client.escapeLiteral(password)}`),
  );
}

/** Creates the product's role and its database, where they are missing. */
export async function createDatabase(adminUrl: string, password: string): Promise<void> {
  await withClient(adminUrl, async (client) => {
    const roles = await client.query("select from pg_roles where rolname = $1", [appRole]);
    await client.query(
      `${roles.rowCount === 0 ? "create" : "alter"} role ${appRole} login password ${client.escapeLiteral(password)}`,
    );
    const databases = await client.query("select from pg_database where datname = $1", [appRole]);
    if (databases.rowCount === 0) await client.query(`create database ${appRole}`);
  });
}

async function withClient<Result>(
  connectionString: string,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
