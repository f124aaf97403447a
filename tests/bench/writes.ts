import { randomBytes, randomUUID } from "node:crypto";
import type pg from "pg";
import { connect, disconnect } from "../../app/db/connection.server";
import { loadSite } from "../../app/db/site.server";
import { generateCodes } from "../../app/features/promotions/code";
import { redeem } from "../../app/features/redemptions/redeem.server";
import { insertKeyAndMachines } from "../support/ledger";
import type { Figure, Row } from "./row";
import { withPostgres } from "./server";
import { withClient } from "../support/run-sql";

const serials = Array.from({ length: 50 }, (_, index) => String(1_001 + index));
const redemptions = 1_000;
const connections = 4;

type Kind = {
  codes: string[];
  /** Values of `termColumns`. */
  terms: string;
  /** Uses before those that are measured. */
  uses?: number;
  maxBytes: number;
  minHot?: number;
};

const random = (number: number) => generateCodes(number, randomBytes);

const kinds = {
  // The first use is the last one, and changes what indexes have of the code.
  "codes for one use": {
    codes: random(20_000),
    terms: "'percentage', 25, true, false, 1",
    maxBytes: 3_300,
  },
  "codes for 10 drinks": {
    codes: random(100),
    terms: "'free_drink', 10, false, false, 10",
    maxBytes: 3_300,
  },
  "one code without a limit": {
    codes: random(1),
    terms: "'percentage', 25, false, false, null",
    uses: 1_000,
    maxBytes: 1_800,
    minHot: 0.95,
  },
  "one renewable code": {
    codes: random(1),
    terms: "'free_drink', 1000, false, true, 1000",
    uses: 1_000,
    maxBytes: 1_800,
    minHot: 0.95,
  },
} satisfies Record<string, Kind>;
const termColumns = "discount_type, discount_value, is_single_use, is_renewable";

type KindName = keyof typeof kinds;
type Writes = { bytes: number; records: number; hot: number };

let measured: Promise<Record<KindName, Writes>> | undefined;

/** Measures what redemptions of each kind write, one kind after the other. */
function measure(): Promise<Record<KindName, Writes>> {
  // Whole pages, which the first write after a checkpoint logs, would hide what a redemption writes itself.
  const settings = ["full_page_writes=off", "autovacuum=off"];
  return withPostgres(
    (url) =>
      withClient(url, async (client) => {
        const key = await insertKeyAndMachines(client, serials);
        for (const kind of Object.values(kinds)) await insertCodes(client, kind);
        await client.query("vacuum analyze");
        const writes: Partial<Record<KindName, Writes>> = {};
        for (const [name, { codes }] of Object.entries(kinds)) {
          const before = await readCounters(client);
          await redeemAll(url, key, codes);
          const after = await readCounters(client);
          writes[name as KindName] = {
            bytes: (after.bytes - before.bytes) / redemptions,
            records: (after.records - before.records) / redemptions,
            hot: (after.hot - before.hot) / (after.updated - before.updated),
          };
        }
        return writes as Record<KindName, Writes>;
      }),
    settings,
  );
}

/** Inserts a mass generation, or a single code, that all machines accept. */
async function insertCodes(client: pg.Client, { codes, terms, uses = 0 }: Kind): Promise<void> {
  const ofGeneration = terms.slice(0, terms.lastIndexOf(","));
  if (codes.length === 1)
    await client.query(
      `insert into promotions (code, name, activation_count, ${termColumns}, max_uses)
       values ($1, 'Bench', $2, ${terms})`,
      [codes[0], uses],
    );
  else
    await client.query(
      `with generation as (
         insert into mass_generations (num_codes, name, ${termColumns})
         values (cardinality($1::text[]), 'Bench', ${ofGeneration}) returning id, set_id)
       insert into promotions (code, name, ${termColumns}, max_uses, mass_generation_id, set_id)
       select unnest($1::text[]), 'Bench', ${terms}, id, set_id from generation`,
      [codes],
    );
  await client.query(
    `insert into assignments (set_id, machine_id)
     select s.id, m.id from assignment_sets s, machines m where not s.is_assigned`,
  );
  await client.query("update assignment_sets set is_assigned = true");
}

/** Redeems the codes in turns, on connections that report what they wrote when they close. */
async function redeemAll(url: string, key: string, codes: string[]): Promise<void> {
  connect(url, { log: console.error });
  await loadSite();
  let turn = 0;
  const work = async () => {
    for (let next = turn++; next < redemptions; next = turn++) {
      const { outcome } = await redeem(
        {
          code: codes[(next * 7_919) % codes.length]!,
          serialNumber: serials[next % serials.length]!,
          originalPrice: 250,
          redemptionId: randomUUID(),
        },
        key,
      );
      if (outcome !== "applied") throw new Error(`It was ${outcome}`);
    }
  };
  await Promise.all(Array.from({ length: connections }, work));
  await disconnect();
}

/** Reads what was written so far, once all connections of the product have reported it. */
async function readCounters(client: pg.Client) {
  for (;;) {
    const { rowCount } = await client.query(
      "select from pg_stat_activity where application_name = 'promo-console'",
    );
    if (rowCount === 0) break;
  }
  // Otherwise what this connection has written itself would be counted later.
  await client.query("select pg_stat_force_next_flush()");
  type Counters = Record<"bytes" | "records" | "hot" | "updated", number>;
  const { rows } = await client.query<Counters>(
    `select wal_bytes::float8 as bytes, wal_records::float8 as records, n_tup_hot_upd::float8 as hot,
       n_tup_upd::float8 as updated
     from pg_stat_wal, pg_stat_user_tables
     where schemaname = 'public' and relname = 'promotions'`,
  );
  return rows[0]!;
}

export const writeRows: Row[] = Object.entries<Kind>(kinds).flatMap(([name, kind]) => {
  const row = (what: string, toFigure: (writes: Writes) => Omit<Figure, "detail">): Row => ({
    name: `A redemption writes, ${name}: ${what}`,
    async measure() {
      const writes = (await (measured ??= measure()))[name as KindName];
      const { bytes, records, hot } = writes;
      const detail = `${bytes.toFixed(0)} bytes in ${records.toFixed(1)} records, ${(hot * 100).toFixed(1)} % HOT`;
      return { ...toFigure(writes), detail } as Figure;
    },
  });
  const { maxBytes, minHot } = kind;
  return [
    row("bytes of WAL", ({ bytes }) => ({ ratio: bytes, ceiling: maxBytes })),
    ...(minHot ? [row("share of HOT updates", ({ hot }) => ({ ratio: hot, floor: minHot }))] : []),
  ];
});
