import pg from "pg";

/** Runs a statement by a connection of its own, and returns its rows. */
export async function runSql<Row extends pg.QueryResultRow>(
  connectionString: string,
  statement: string,
  values?: unknown[],
): Promise<Row[]> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    return (await client.query<Row>(statement, values)).rows;
  } finally {
    await client.end();
  }
}
