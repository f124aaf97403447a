import pg from "pg";

/** Works with a connection of its own, which ends with the work. */
export async function withClient<Result>(
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

/** Runs a statement by a connection of its own, and returns its rows. */
export const runSql = <Row extends pg.QueryResultRow>(
  connectionString: string,
  statement: string,
  values?: unknown[],
): Promise<Row[]> =>
  withClient(connectionString, async (client) => (await client.query<Row>(statement, values)).rows);
