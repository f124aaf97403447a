/**
 * Counts what is asked with keys that have ended or never were: a machine with an ended key is refused without a trace
 * otherwise. Requests are counted in memory and written every few seconds, so that a flood of them costs little.
 */
import { db, one, query } from "../../db/connection.server";
import { isDatabaseUnavailable } from "../../db/database-errors.server";
import type { Leftovers } from "../../db/sweep.server";
import { hashSecret, isWellFormedSecret } from "../sign-in/tokens.server";
import type { RefusedKey } from "./integration";

/** Between two writes. A client that tries many keys is counted without them. */
const maxEntries = 1_000;
const maxKeysOfAddress = 50;
/** Limits the addresses of an hour; requests of others are counted under ''. */
const maxAddresses = 1_000;

type Entry = { hash: string; address: string; requests: number };

let entries = new Map<string, Entry>();
let keysOfAddress = new Map<string, number>();

/** Counts a request that was answered by 401. Its key is a text that begins like one of an integration. */
export function countRefusedKey(secret: string, address: string): void {
  const hash = isWellFormedSecret(secret) ? hashSecret(secret).toString("hex") : "";
  addRequests({ hash, address, requests: 1 });
}

function addRequests({ hash, address, requests }: Entry): void {
  const entry =
    entries.get(`${hash} ${address}`) ??
    addEntry(hash, address) ??
    entries.get(` ${address}`) ??
    addEntry("", address) ??
    entries.get(" ") ??
    addEntry("", "", true)!;
  entry.requests += requests;
}

function addEntry(hash: string, address: string, isForced = false): Entry | null {
  const keys = keysOfAddress.get(address) ?? 0;
  const isTooMany = entries.size >= maxEntries || (hash !== "" && keys >= maxKeysOfAddress);
  if (isTooMany && !isForced) return null;
  const entry = { hash, address, requests: 0 };
  entries.set(`${hash} ${address}`, entry);
  if (hash !== "") keysOfAddress.set(address, keys + 1);
  return entry;
}

/**
 * Writes what was counted since the last time, in one statement. The counts of a write that failed are kept for the next
 * one, and written twice if only the answer was lost.
 */
export async function writeRefusedKeys(): Promise<void> {
  if (entries.size === 0) return;
  const counted = [...entries.values()];
  entries = new Map();
  keysOfAddress = new Map();
  try {
    await write(counted);
  } catch (error) {
    if (isDatabaseUnavailable(error)) counted.forEach(addRequests);
    throw error;
  }
}

async function write(counted: Entry[]): Promise<void> {
  await query(
    db(),
    `with counted as (
       select k.id as key_id, c.address, sum(c.requests)::integer as requests
       from jsonb_to_recordset(cast(:counted as jsonb)) as c (hash text, address text, requests integer)
         left join api_keys k on k.hash = decode(c.hash, 'hex') and k.integration_id is not null
       group by 1, 2
     ), known as (
       select distinct address from refused_key_requests where hour = date_trunc('hour', now())
     ), fresh as (
       select address, row_number() over (order by sum(requests) desc, address) as nth
       from counted where address not in (select address from known) group by address
     ), kept as (
       select address from known
       union all
       select address from fresh where nth <= ${maxAddresses} - (select count(*) from known)
     )
     insert into refused_key_requests as r (hour, key_id, address, requests, last_at)
     select date_trunc('hour', now()), c.key_id, coalesce(kept.address, '') as address, sum(c.requests), now()
     from counted c left join kept on kept.address = c.address
     group by c.key_id, coalesce(kept.address, '')
     order by c.key_id, coalesce(kept.address, '')
     on conflict (hour, key_id, address) do update set
       requests = r.requests + excluded.requests, last_at = excluded.last_at`,
    { counted: JSON.stringify(counted) },
  );
}

/**
 * Sums up what was asked within a day with each key `k`; unknown keys are one. A client that asks once a day may be an
 * hour late, and its key stays in the list.
 */
const refusedKeysSql = (
  conditionSql: string,
) => `select k.id, k.last_four, i.id as integration_id, i.name as integration_name,
    k.revoked_at is not null as is_revoked, sum(r.requests)::float8 as requests,
    count(distinct r.address) filter (where r.address <> '')::integer as addresses,
    (array_agg(r.address order by r.requests desc) filter (where r.address <> ''))[1] as address
  from refused_key_requests r
    left join api_keys k on k.id = r.key_id left join integrations i on i.id = k.integration_id
  where r.last_at > now() - interval '25 hours' and ${conditionSql}
  group by k.id, i.id`;

/**
 * Lists ended and revoked keys that were used within a day, without test keys, which no machine waits for, by their ids:
 * further uses change no place.
 */
export async function listRefusedKeys(limit: number): Promise<RefusedKey[]> {
  return query(db(), `${refusedKeysSql("not k.is_test")} order by k.id limit :limit`, { limit });
}

/** Reads how unknown keys were used within a day; null if none was. */
export async function readUnknownKeys(): Promise<RefusedKey | null> {
  return one(db(), refusedKeysSql("k.id is null"));
}

export const oldRefusedKeys: Leftovers = {
  table: "refused_key_requests",
  conditionSql: "hour < now() - interval '2 days'",
};
