/**
 * Integrations and their keys (security T16): `vqm_…` secrets that may only redeem, shown once and
 * kept as a hash. What people do to them is in the audit log; no secret ever is.
 */
import type { Knex } from "knex";
import { db } from "../../db/connection.server";
import { DomainError } from "../../errors";
import { parseRecordId } from "../../forms/record-id";
import { isLongerThan, isStorableText } from "../../forms/storable-text";
import { machineBySerialSql } from "../machines/find-machine.server";
import { recordAction, type Actor } from "../activity/audit-log.server";
import { storeResult, claimIdempotencyKey } from "../activity/idempotency.server";
import { hashSecret, isWellFormedSecret, newSecret } from "../users/tokens.server";
import {
  integrationNameError,
  maxActiveKeys,
  maxIntegrations,
  maxKeyDays,
  type Integration,
  type IntegrationKey,
} from "./integration";

export type { Integration, IntegrationKey } from "./integration";

type Rows<Row> = { rows: Row[] };

export type IntegrationOptions = {
  actor: Actor;
  /** Of the form: sent twice, it is done once (rulings 3.7). */
  idempotencyKey?: string | null;
};

/**
 * @throws DomainError invalid: `fields.name`; conflict: there are too many, or the form was sent
 *   before with another name
 */
export async function createIntegration(
  { name }: { name: string },
  { actor, idempotencyKey = null }: IntegrationOptions,
): Promise<{ id: string }> {
  const trimmed = name.trim();
  const wrong = integrationNameError(trimmed);
  if (wrong !== null) throw new DomainError("invalid", wrong, { name: wrong });
  return db().transaction(async (trx) => {
    const once = idempotencyKeyOf(trx, actor, idempotencyKey, { integration: trimmed });
    const known = await once.claim();
    if (known) return { id: String(known.id) };
    const { rows } = await trx.raw<Rows<{ id: string }>>(
      `insert into integrations (name, created_by)
       select :name, :userId where (select count(*) from integrations) < :most
       returning id`,
      { name: trimmed, userId: actor.id, most: maxIntegrations },
    );
    const id = rows[0]?.id;
    if (id === undefined) throw new DomainError("conflict", "There are too many integrations.");
    await recordAction(trx, {
      actor,
      action: "integration.created",
      subjectType: "integration",
      subjectId: id,
      details: { name: trimmed },
    });
    await once.answer({ id });
    return { id };
  });
}

/** The key of a form within a transaction; without one each call is a new one. */
function idempotencyKeyOf(trx: Knex.Transaction, actor: Actor, key: string | null, input: object) {
  return {
    claim: async () =>
      key === null ? null : claimIdempotencyKey(trx, { userId: actor.id, key, input }),
    answer: async (result: object) =>
      key === null ? undefined : storeResult(trx, { userId: actor.id, key, result }),
  };
}

type IntegrationRow = {
  id: string;
  name: string;
  created_at: Date;
  active_keys: number;
  last_used_at: Date | null;
};

const selectIntegrations = `
  select i.id, i.name, i.created_at, keys.active_keys, keys.last_used_at
  from integrations i cross join lateral (
    select (count(*) filter (where k.revoked_at is null and k.expires_at > now()))::integer
        as active_keys,
      max(k.last_used_at) as last_used_at
    from api_keys k where k.integration_id = i.id) keys`;

function toIntegration(row: IntegrationRow): Integration {
  return {
    id: row.id,
    name: row.name,
    createdAt: row.created_at,
    activeKeys: row.active_keys,
    lastUsedAt: row.last_used_at,
  };
}

/** All of them, by name. */
export async function listIntegrations(): Promise<Integration[]> {
  const { rows } = await db().raw<Rows<IntegrationRow>>(
    `${selectIntegrations} order by lower(i.name), i.id`,
  );
  return rows.map(toIntegration);
}

/**
 * One with its keys, those in use first, each part newest first.
 * @param id as it came in a URL
 * @throws DomainError not_found
 */
export async function getIntegration(
  id: string,
): Promise<Integration & { keys: IntegrationKey[] }> {
  const integrationId = parseRecordId(id);
  if (!integrationId) throw integrationNotFound();
  const { rows } = await db().raw<Rows<IntegrationRow>>(
    `${selectIntegrations} where i.id = :integrationId`,
    { integrationId },
  );
  if (!rows[0]) throw integrationNotFound();
  return { ...toIntegration(rows[0]), keys: await readKeys(integrationId) };
}

type KeyRow = {
  id: string;
  last_four: string;
  serial_number: string | null;
  human_name: string;
  created_at: Date;
  expires_at: Date;
  last_used_at: Date | null;
  revoked_at: Date | null;
  state: IntegrationKey["state"];
};

async function readKeys(integrationId: string): Promise<IntegrationKey[]> {
  const { rows } = await db().raw<Rows<KeyRow>>(
    `select * from (
       select k.id, k.last_four, m.serial_number, m.human_name, k.created_at, k.expires_at,
         k.last_used_at, k.revoked_at,
         case when k.revoked_at is not null then 'revoked'
           when k.expires_at <= now() then 'expired' else 'active' end as state
       from api_keys k left join machines m on m.id = k.machine_id
       where k.integration_id = :integrationId) keys
     order by state = 'active' desc, created_at desc, id desc`,
    { integrationId },
  );
  return rows.map((row) => ({
    id: row.id,
    lastFour: row.last_four,
    machine:
      row.serial_number === null
        ? null
        : { serialNumber: row.serial_number, humanName: row.human_name },
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    lastUsedAt: row.last_used_at,
    revokedAt: row.revoked_at,
    state: row.state,
  }));
}

/**
 * Makes a key; its secret is in this answer and nowhere else.
 * @param integrationId as it came in a URL
 * @param machineSerial the one machine it may redeem at; null: any
 * @param days 1 to 365, from now by the database's clock
 * @throws DomainError not_found; invalid: `fields.machineSerial`, `fields.days`; conflict: the
 *   integration has too many keys in use, or the form was sent before, and then nobody has the
 *   secret any more
 */
export async function createKey(
  integrationId: string,
  { machineSerial, days }: { machineSerial: string | null; days: number },
  { actor, idempotencyKey = null }: IntegrationOptions,
): Promise<{ secret: string; id: string }> {
  if (!Number.isInteger(days) || days < 1 || days > maxKeyDays) {
    const sentence = `Days must be a whole number from 1 to ${maxKeyDays}`;
    throw new DomainError("invalid", sentence, { days: sentence });
  }
  return db().transaction(async (trx) => {
    const owner = await lockIntegration(trx, integrationId);
    const once = idempotencyKeyOf(trx, actor, idempotencyKey, { owner, machineSerial, days });
    if (await once.claim())
      throw new DomainError(
        "conflict",
        "This key was made already; its secret is shown only once.",
      );
    const machineId = machineSerial === null ? null : await findMachineId(trx, machineSerial);
    const secret = newSecret("vqm_");
    const { rows } = await trx.raw<Rows<{ id: string; expires_at: Date }>>(
      `insert into api_keys (hash, last_four, integration_id, machine_id, scopes, expires_at)
       select :hash, :lastFour, :owner, :machineId, '{redeem}', now() + make_interval(days => :days)
       where (select count(*) from api_keys k where k.integration_id = :owner
         and k.revoked_at is null and k.expires_at > now()) < :most
       returning id, expires_at`,
      {
        hash: hashSecret(secret),
        lastFour: secret.slice(-4),
        owner,
        machineId,
        days,
        most: maxActiveKeys,
      },
    );
    const key = rows[0];
    if (!key)
      throw new DomainError("conflict", "This integration has too many keys. Revoke some first.");
    await recordAction(trx, {
      actor,
      action: "integration.key_created",
      subjectType: "integration",
      subjectId: owner,
      details: {
        key: key.id,
        last_four: secret.slice(-4),
        machine: machineSerial,
        expires_at: key.expires_at,
      },
    });
    await once.answer({ key: key.id });
    return { secret, id: key.id };
  });
}

/** One change at a time of an integration's keys. */
async function lockIntegration(trx: Knex, id: string): Promise<string> {
  const integrationId = parseRecordId(id);
  const { rows } = integrationId
    ? await trx.raw<Rows<{ id: string }>>(
        "select id from integrations where id = :integrationId for no key update",
        { integrationId },
      )
    : { rows: [] };
  if (!rows[0]) throw integrationNotFound();
  return rows[0].id;
}

async function findMachineId(trx: Knex, serialNumber: string): Promise<string> {
  const { rows } =
    serialNumber !== "" && isStorableText(serialNumber) && !isLongerThan(serialNumber, 100)
      ? await trx.raw<Rows<{ id: string }>>(
          `select m.id from ${machineBySerialSql} m where not m.is_deleted`,
          { serialNumber },
        )
      : { rows: [] };
  if (rows[0]) return rows[0].id;
  const sentence = "There is no such machine";
  throw new DomainError("invalid", sentence, { machineSerial: sentence });
}

/**
 * Ends a key at once and for good; nothing happens when it is revoked already.
 * @throws DomainError not_found: the integration, or it has no such key
 */
export async function revokeKey(
  integrationId: string,
  keyId: string,
  { actor }: IntegrationOptions,
): Promise<void> {
  await db().transaction(async (trx) => {
    const owner = await lockIntegration(trx, integrationId);
    const id = parseRecordId(keyId);
    const { rows } = id
      ? await trx.raw<Rows<{ last_four: string; revoked_at: Date | null }>>(
          `select last_four, revoked_at from api_keys
           where id = :id and integration_id = :owner for no key update`,
          { id, owner },
        )
      : { rows: [] };
    const key = rows[0];
    if (!key) throw new DomainError("not_found", "Key not found");
    if (key.revoked_at !== null) return;
    await trx.raw("update api_keys set revoked_at = now() where id = :id", { id });
    await recordAction(trx, {
      actor,
      action: "integration.key_revoked",
      subjectType: "integration",
      subjectId: owner,
      details: { key: id, last_four: key.last_four },
    });
  });
}

function integrationNotFound(): DomainError {
  return new DomainError("not_found", "Integration not found");
}

/** Whether the secret is a key of an integration that is in use; no query for what can't be one. */
export async function isIntegrationKey(secret: string): Promise<boolean> {
  if (!secret.startsWith("vqm_") || !isWellFormedSecret(secret)) return false;
  const { rows } = await db().raw<Rows<object>>(
    `select from api_keys where hash = :hash and integration_id is not null
       and revoked_at is null and expires_at > now()`,
    { hash: hashSecret(secret) },
  );
  return rows.length > 0;
}
