import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import path from "node:path";
import pg from "pg";
import { expect, it, vi } from "vitest";
import { connect, disconnect } from "../../app/db/connection.server";
import { loadSite } from "../../app/db/site.server";
import { generateCodes } from "../../app/features/promotions/code";
import { hashSecret, newSecret } from "../../app/features/users/tokens.server";
import { dataFolder, freePort, startApp } from "../support/app";
import { embeddedUrl } from "../support/embedded-url";
import { assertInvariants } from "../support/invariants";
import { noPlatform } from "../support/platform";
import { startVendingMachines } from "../support/vending-machines";

const rounds = 20;
const serials = ["VM-1", "VM-2", "VM-3", "VM-4"];
/** A good number of redemptions stand between two faults. */
const answersBetween = 300;
/** The longest that nobody may be answered, in ms. */
const maxOutage = 5_000;

it(
  "keeps every acknowledged redemption over kill -9 and immediate restarts of the database",
  { timeout: 60_000 * (rounds + 1) },
  async () => {
    const dataDir = dataFolder();
    const port = await freePort();
    const start = async () => {
      const app = await startApp({
        DATA_DIR: dataDir,
        PORT: String(port),
        SAMPLE_DATA: "0",
        // The machines are those of the test: a platform that is away changes none of them.
        ...noPlatform,
      });
      await app.ready();
      return app;
    };
    let app = await start();
    const { codes, key } = await prepare(dataDir);
    const machines = startVendingMachines({
      origin: app.origin,
      key,
      codes,
      serials,
      machines: 12,
    });

    for (let round = 0; round < rounds; round++) {
      const before = machines.redemptions.size;
      await vi.waitFor(
        () => expect(machines.redemptions.size).toBeGreaterThan(before + answersBetween),
        { timeout: 50_000, interval: 10 },
      );
      const hitsServer = round % 3 !== 1;
      const hitsDatabase = round % 3 !== 0;
      if (hitsServer) app.signal("SIGKILL");
      // The immediate mode: no checkpoint, every connection cut, recovery at the next start.
      if (hitsDatabase) process.kill(postmaster(dataDir), "SIGQUIT");
      if (hitsServer) {
        await app.ended;
        expectQuiet(app.output());
        app = await start();
      }
    }
    const before = machines.redemptions.size;
    await vi.waitFor(
      () => expect(machines.redemptions.size).toBeGreaterThan(before + answersBetween),
      { timeout: 50_000, interval: 10 },
    );
    await machines.stop();
    expectQuiet(app.output());
    expect(machines.violations).toEqual([]);
    const outages = machines.outages.map((ms) => (ms / 1_000).toFixed(1)).join(", ");
    console.log(
      `${machines.redemptions.size} answers, ${rounds} faults, outages in seconds: ${outages}`,
    );
    expect(Math.max(...machines.outages)).toBeLessThanOrEqual(maxOutage);

    // Everything acknowledged is stored, and a repeated request gets the same answer.
    const { rows } = await query<{ redemption_id: string; status: string }>(
      dataDir,
      "select redemption_id, status from transactions",
    );
    const kept = new Map(rows.map((row) => [row.redemption_id, row.status]));
    for (const [id, told] of machines.redemptions) {
      const isBack = machines.rollbacks.has(id);
      const status = told.status === 201 ? (isBack ? "rolled_back" : "applied") : undefined;
      expect([id, kept.get(id)]).toEqual([id, status]);
    }
    const sample = [...machines.redemptions].filter(
      ([id], at) => at % 7 === 0 && !machines.rollbacks.has(id),
    );
    for (const [id, told] of sample) {
      expect(await machines.again(id)).toMatchObject({ status: told.status, body: told.body });
    }
    machines.close();

    connect(embeddedUrl(dataDir));
    try {
      await loadSite();
      await assertInvariants();
    } finally {
      await disconnect();
    }
  },
);

/** A fault is answered and logged, but is none of ours. */
function expectQuiet(output: string): void {
  expect(output).not.toMatch(/unhandled|UnhandledPromise|uncaught/i);
  expect(output).not.toMatch(/"statusCode":500/);
}

/** Machines, a key, and codes of each kind: unlimited ones, and ones that are used up on the way. */
async function prepare(dataDir: string): Promise<{ codes: string[]; key: string }> {
  const key = newSecret("vqm_");
  const codes = generateCodes(40, randomBytes);
  await query(
    dataDir,
    `with integration as (insert into integrations (name) values ('Platform') returning id)
     insert into api_keys (integration_id, hash, last_four, scopes, expires_at)
     select id, $1, $2, '{redeem}', now() + interval '1 day' from integration`,
    [hashSecret(key), key.slice(-4)],
  );
  await query(
    dataDir,
    "insert into machines (serial_number, human_name) select unnest($1::text[]), 'Lobby'",
    [serials],
  );
  await query(
    dataDir,
    `insert into promotions (code, name, discount_type, discount_value, is_single_use, is_renewable,
       max_uses)
     select code, 'Fault', case at % 4 when 0 then 'percentage' else 'free_drink' end,
       case at % 4 when 0 then 25 when 1 then 1 when 2 then 50 else 1000 end, at % 4 = 1, at % 8 = 3,
       case at % 4 when 0 then null when 1 then 1 when 2 then 50 else 1000 end
     from unnest($1::text[]) with ordinality as listed (code, at)`,
    [codes],
  );
  await query(
    dataDir,
    `insert into assignments (set_id, machine_id)
     select p.set_id, m.id from promotions p, machines m
     where m.serial_number <> 'VM-4' or p.id % 2 = 0`,
  );
  await query(dataDir, "update assignment_sets set is_assigned = true");
  return { codes, key };
}

async function query<Row extends pg.QueryResultRow>(
  dataDir: string,
  statement: string,
  values: unknown[] = [],
) {
  const client = new pg.Client({ connectionString: embeddedUrl(dataDir) });
  await client.connect();
  try {
    return await client.query<Row>(statement, values);
  } finally {
    await client.end();
  }
}

function postmaster(dataDir: string): number {
  return Number(readFileSync(path.join(dataDir, "postgres/postmaster.pid"), "utf8").split("\n")[0]);
}
