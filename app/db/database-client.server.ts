/**
 * Connections on which settings such as timeouts hold. They are no startup parameters, which poolers reject. A session
 * of our own is told them once. A pooler in transaction mode gives us another session for each transaction, so there
 * they are local to each one, and are sent with it in the same round trip.
 */
import type { Knex } from "knex";
import pg from "pg";

/** Whether a connection has a session of the server to itself, or one for each transaction. */
export type Pooling = "session" | "transaction";

export type Settings = Record<string, string>;
type Client = new (config?: pg.ClientConfig) => pg.Client;

/** Returns the class of connections on which the settings hold. */
export function clientWith(settings: Settings, pooling: Pooling): Client {
  return pooling === "session" ? sessionClient(settings) : transactionClient(settings);
}

/** Sets the class of the connections of a pool of knex, which has no option for it. */
export function connectWith(pool: Knex, Client: Client): Knex {
  Object.assign(pool.client as object, { driver: { Client } });
  return pool;
}

/** Returns a statement that sets everything and has no rows. */
function settingsSql(settings: Settings, options: { isLocal: boolean }): string {
  const values = Object.entries(settings).map(([name, value]) => `('${name}', '${value}')`);
  return `select from (values ${values.join(", ")}) setting (name, value)
    where set_config(name, value, ${options.isLocal}) is null`;
}

function sessionClient(settings: Settings): Client {
  const sql = settingsSql(settings, { isLocal: false });
  return class extends pg.Client {
    override connect(): Promise<this>;
    override connect(callback: (error: Error | null) => void): void;
    override connect(callback?: (error: Error | null) => void): Promise<this> | void {
      const connected = this.#connect();
      if (!callback) return connected;
      connected.then(() => callback(null), callback);
    }

    async #connect(): Promise<this> {
      // Pools listen once this has settled: an error before that would end the process.
      let failure: Error | undefined;
      this.on("error", (error) => (failure = error));
      await super.connect();
      try {
        await this.query(sql);
        if (failure) throw failure;
      } catch (error) {
        this.end().catch(() => {});
        throw error;
      }
      return this;
    }
  };
}

type Statement = string | pg.QueryConfig;
type Callback = (error: Error | undefined, result: pg.QueryResult) => void;

/** Names no statement: the next transaction may run in a session that does not know it. */
function transactionClient(settings: Settings): Client {
  const sql = settingsSql(settings, { isLocal: true });
  const Client = class extends pg.Client {};

  function run(client: pg.Client, statement: Statement, callback: Callback): void {
    const { text, values } = typeof statement === "string" ? { text: statement } : statement;
    const query = pg.Client.prototype.query as (query: Statement | pg.Query, end: Callback) => void;
    const send = (statement: Statement | pg.Query) => query.call(client, statement, callback);
    const isAlone = client.getTransactionStatus() === "I";
    if (isAlone && /^begin\b/i.test(text)) send(`${text}; ${sql}`);
    // A vacuum can't run in a transaction.
    else if (!isAlone || /^vacuum\b/i.test(text)) send({ text, values });
    else send(queryBehind(sql, { text, values }));
  }
  Client.prototype.query = function (this: pg.Client, statement: Statement, callback?: Callback) {
    if (callback) return run(this, statement, callback);
    return new Promise((resolve, reject) =>
      run(this, statement, (error, result) => (error ? reject(error) : resolve(result))),
    );
  } as pg.Client["query"];
  return Client;
}

/** A query with the methods that the driver calls and its types leave out. */
type DriverQuery = pg.Query & { handleCommandComplete: (...message: unknown[]) => void };

/**
 * Returns a query that is sent behind the settings. Without a `begin`, all messages up to the next sync are one
 * transaction.
 */
function queryBehind(sql: string, statement: pg.QueryConfig): pg.Query {
  const config: pg.QueryConfig & { queryMode: "extended" } = {
    ...statement,
    queryMode: "extended",
  };
  const query = new pg.Query(config) as DriverQuery;
  const submit = query.submit.bind(query);
  const complete = query.handleCommandComplete.bind(query);
  query.submit = (connection) => {
    connection.stream.cork();
    connection.parse({ name: "", text: sql, types: [] }, true);
    connection.bind({}, true);
    connection.execute({}, true);
    submit(connection);
    connection.stream.uncork();
  };
  // The first one belongs to the settings.
  query.handleCommandComplete = () => (query.handleCommandComplete = complete);
  return query;
}
