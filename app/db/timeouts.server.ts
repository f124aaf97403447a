/** Timeouts of one transaction, where those of its connection are too short. */
import { one, query, type Database } from "./connection.server";

/** Lets statements take as long as those on up to 1,000,000 codes do. */
export async function allowLongStatements(trx: Database): Promise<void> {
  await trx.raw("set local statement_timeout = '60s'");
}

type Timeouts = { lockTimeout: string; statementTimeout: string };

/** Runs work with other timeouts, and sets those of before again. After an error the transaction ends anyway. */
export async function withTimeouts<Result>(
  trx: Database,
  timeouts: Partial<Timeouts>,
  work: () => Promise<Result>,
): Promise<Result> {
  const before = await one<Timeouts>(
    trx,
    `select current_setting('lock_timeout') as lock_timeout,
       current_setting('statement_timeout') as statement_timeout`,
  );
  await setTimeouts(trx, { ...before!, ...timeouts });
  const result = await work();
  await setTimeouts(trx, before!);
  return result;
}

async function setTimeouts(trx: Database, timeouts: Timeouts): Promise<void> {
  await query(
    trx,
    `select set_config('lock_timeout', :lockTimeout, true),
       set_config('statement_timeout', :statementTimeout, true)`,
    timeouts,
  );
}
