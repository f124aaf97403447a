/**
 * Integrations and their keys: `vqm_…` secrets that are shown once and stored as a hash. They redeem, or act
 * within their scopes for the admin who made them. The audit log records what users do to them, never a secret.
 */
import type { Knex } from "knex";
import { db, one, prepareStatement, query, queryPrepared } from "../../db/connection.server";
import { DomainError, invalidFields } from "../../errors";
import { parseRecordId } from "../../forms/record-id";
import { nameError } from "../../forms/storable-text";
import { canBeSerial } from "../machines/machine";
import { recordAction, type Actor } from "../activity/audit-log.server";
import { storeResult, withIdempotency } from "../activity/idempotency.server";
import { machineBySerialSql } from "../machines/machines.server";
import type { KeyScope } from "../users/key-scopes";
import { hashSecret, isWellFormedSecret, newSecret } from "../users/tokens.server";
import {
  limitError,
  maxActiveKeys,
  maxIntegrations,
  maxKeyDays,
  type Integration,
  type IntegrationKey,
  type ThrottledKey,
} from "./integration";

type IntegrationOptions = {
  actor: Actor;
  /** Identifies the form, so that sending it twice has the effect of sending it once. */
  idempotencyKey?: string | null;
};

/**
 * @throws DomainError invalid: `fields.name`; conflict: there are too many, or the form was sent
 *   before with another name
 */
export async function createIntegration(
  input: { name: string },
  { actor, idempotencyKey = null }: IntegrationOptions,
): Promise<{ id: string }> {
  const name = input.name.trim();
  const error = nameError(name);
  if (error !== null) throw invalidFields({ name: error });
  const request = { userId: actor.id, key: idempotencyKey, input: { integration: name } };
  const { result } = await withIdempotency(db(), request, async (trx) => {
    const created = await one<{ id: string }>(
      trx,
      `insert into integrations (name, created_by)
       select :name, :userId where (select count(*) from integrations) < :maxIntegrations
       returning id`,
      { name, userId: actor.id, maxIntegrations },
    );
    if (!created)
      throw new DomainError(
        "conflict",
        "The limit of integrations is reached. Use an existing one.",
      );
    await recordAction(trx, actor, "integration.created", created.id, { details: { name } });
    return created;
  });
  return result;
}

const selectIntegrationsSql = `
  select i.id, i.name, i.created_at, keys.active_keys, keys.last_used_at
  from integrations i cross join lateral (
    select (count(*) filter (where k.revoked_at is null and k.expires_at > now()))::integer
        as active_keys,
      max(k.last_used_at) as last_used_at
    from api_keys k where k.integration_id = i.id) keys`;

/**
 * Lists the keys that were throttled within a day and are still in use, the last one first. One that is
 * revoked needs nobody's attention any more.
 */
export async function listThrottledKeys(): Promise<ThrottledKey[]> {
  return query(
    db(),
    `select k.id, k.last_four, i.id as integration_id, i.name as integration_name,
       max(a.created_at) as last_at, count(*)::integer as count,
       (array_agg(a.details -> 'limit' order by a.id desc))[1] as limit
     from audit_log a
       join api_keys k on k.id = cast(a.details ->> 'key' as bigint)
         and k.revoked_at is null and k.expires_at > now()
       join integrations i on i.id = k.integration_id
     where a.action = 'integration.key_throttled' and a.created_at > now() - interval '24 hours'
     group by k.id, i.id order by max(a.id) desc limit ${maxThrottledKeys}`,
  );
}

/** More than an admin looks at one by one. */
const maxThrottledKeys = 10;

export async function listIntegrations(): Promise<Integration[]> {
  const sql = `${selectIntegrationsSql} order by lower(i.name), i.id`;
  return query(db(), sql, {}, { isKept: true });
}

/** Lists ids and names, by name, for a field that chooses one. */
export async function listIntegrationChoices(): Promise<Pick<Integration, "id" | "name">[]> {
  const sql = "select id, name from integrations order by lower(name), id";
  return query(db(), sql, {}, { isKept: true });
}

/** @throws DomainError not_found, also for malformed ids */
export async function getIntegration(id: string) {
  const integration = await one<Integration>(db(), `${selectIntegrationsSql} where i.id = :id`, {
    id: parseRecordId(id),
  });
  if (!integration) throw integrationNotFound();
  const keys = await query<IntegrationKey>(
    db(),
    `select * from (
       select k.id, k.last_four, k.created_at, k.expires_at, k.last_used_at, k.revoked_at,
         k.max_failed_lookups, k.scopes,
         case when m.id is not null then json_build_object(
           'serialNumber', m.serial_number, 'humanName', m.human_name) end as machine,
         case when k.revoked_at is not null then 'revoked'
           when k.expires_at <= now() then 'expired' else 'active' end as state
       from api_keys k left join machines m on m.id = k.machine_id
       where k.integration_id = :integrationId) keys
     order by state = 'active' desc, created_at desc, id desc`,
    { integrationId: integration.id },
  );
  return { ...integration, keys };
}

type NewKey = { machineSerial: string | null; days: number; scopes?: readonly KeyScope[] };

const redeemOnly: readonly KeyScope[] = ["redeem"];

/**
 * Creates a key. Its secret is returned once: a repetition means that it was never delivered, so it
 * revokes that key and makes another.
 * @param id the integration's, as it came in a URL
 * @param machineSerial the one machine it may redeem at, and do nothing else; null: any
 * @param days 1 to 365, from now by the database's clock
 * @throws DomainError not_found; invalid: `fields.machineSerial`, `fields.days`; conflict: the
 *   integration has too many active keys
 */
export async function createKey(
  id: string,
  input: NewKey,
  { actor, idempotencyKey = null }: IntegrationOptions,
): Promise<{ secret: string; id: string }> {
  const { days, machineSerial, scopes = redeemOnly } = input;
  if (!Number.isInteger(days) || days < 1 || days > maxKeyDays)
    throw invalidFields({ days: `Days must be a whole number from 1 to ${maxKeyDays}` });
  const isRedeemOnly = scopes.length === 1 && scopes[0] === "redeem";
  if (machineSerial !== null && !isRedeemOnly)
    throw invalidFields({ machineSerial: "A key of one machine may only redeem codes" });
  const secret = newSecret("vqm_");
  // Machine and days may differ: the secret of the first attempt is unknown in any case.
  const request = { userId: actor.id, key: idempotencyKey, input: { owner: id } };
  return db().transaction(async (trx) => {
    const create = async () => ({
      key: await insertKey(
        trx,
        await lockIntegration(trx, id),
        { secret, machineSerial, days, scopes },
        actor,
      ),
    });
    const { result, wasReplayed } = await withIdempotency(trx, request, create);
    if (!wasReplayed) return { secret, id: result.key };
    await endKey(trx, id, result.key, actor);
    const repeated = await create();
    await storeResult(trx, request, repeated);
    return { secret, id: repeated.key };
  });
}

async function insertKey(
  trx: Knex,
  integrationId: string,
  { secret, machineSerial, days, scopes }: Required<NewKey> & { secret: string },
  actor: Actor,
): Promise<string> {
  const lastFour = secret.slice(-4);
  const key = await one<{ id: string; expiresAt: Date }>(
    trx,
    `insert into api_keys (hash, last_four, integration_id, machine_id, scopes, created_by, expires_at)
     select :hash, :lastFour, :integrationId, :machineId, :scopes, :userId,
       now() + make_interval(days => :days)
     where (select count(*) from api_keys k where k.integration_id = :integrationId
       and k.revoked_at is null and k.expires_at > now()) < :maxActiveKeys
     returning id, expires_at`,
    {
      hash: hashSecret(secret),
      lastFour,
      integrationId,
      machineId: machineSerial === null ? null : await findMachineId(trx, machineSerial),
      days,
      scopes,
      userId: actor.id,
      maxActiveKeys,
    },
  );
  if (!key)
    throw new DomainError("conflict", "This integration has too many keys. Revoke some first.");
  await recordAction(trx, actor, "integration.key_created", integrationId, {
    details: {
      key: key.id,
      last_four: lastFour,
      machine: machineSerial,
      scopes,
      expires_at: key.expiresAt,
    },
  });
  return key.id;
}

/** Lets the keys of an integration change one at a time. */
async function lockIntegration(trx: Knex, id: string): Promise<string> {
  const integration = await one<{ id: string }>(
    trx,
    "select id from integrations where id = :id for no key update",
    { id: parseRecordId(id) },
  );
  if (!integration) throw integrationNotFound();
  return integration.id;
}

async function findMachineId(trx: Knex, serialNumber: string): Promise<string> {
  const machine = await one<{ id: string }>(
    trx,
    `select m.id from ${machineBySerialSql} m where not m.is_deleted`,
    { serialNumber: canBeSerial(serialNumber) ? serialNumber : null },
  );
  if (!machine) throw invalidFields({ machineSerial: "No machine has this serial number" });
  return machine.id;
}

/**
 * Ends a key at once and for good; a key that is revoked already stays as it is.
 * @param id the integration's, as it came in a URL
 * @throws DomainError not_found: the integration, or it has no such key
 */
export async function revokeKey(
  id: string,
  keyId: string,
  { actor }: IntegrationOptions,
): Promise<{ changed: boolean }> {
  return db().transaction((trx) => endKey(trx, id, keyId, actor));
}

/**
 * Changes how many redemptions of codes that don't exist a key may send in a minute.
 * @param id the integration's, as it came in a URL
 * @throws DomainError invalid: `fields.limit`; not_found: the integration, or it has no such key;
 *   conflict: the key is revoked
 */
export async function changeKeyLimit(
  id: string,
  keyId: string,
  limit: number,
  { actor }: IntegrationOptions,
): Promise<void> {
  const error = limitError(limit);
  if (error !== null) throw invalidFields({ limit: error });
  await db().transaction(async (trx) => {
    const key = await lockKey(trx, id, keyId);
    if (key.revokedAt !== null) throw new DomainError("conflict", "This key is revoked.");
    if (key.maxFailedLookups === limit) return;
    await trx("api_keys").where({ id: key.id }).update({ max_failed_lookups: limit });
    await recordAction(trx, actor, "integration.key_limit_changed", key.integrationId, {
      details: {
        key: key.id,
        last_four: key.lastFour,
        limit: { from: key.maxFailedLookups, to: limit },
      },
    });
  });
}

async function endKey(
  trx: Knex,
  id: string,
  keyId: string,
  actor: Actor,
): Promise<{ changed: boolean }> {
  const key = await lockKey(trx, id, keyId);
  if (key.revokedAt !== null) return { changed: false };
  await trx.raw("update api_keys set revoked_at = now() where id = :id", { id: key.id });
  await recordAction(trx, actor, "integration.key_revoked", key.integrationId, {
    details: { key: key.id, last_four: key.lastFour },
  });
  return { changed: true };
}

type LockedKey = { id: string; integrationId: string } & Pick<
  IntegrationKey,
  "lastFour" | "revokedAt" | "maxFailedLookups"
>;

async function lockKey(trx: Knex, id: string, keyId: string): Promise<LockedKey> {
  const integrationId = await lockIntegration(trx, id);
  const key = await one<LockedKey>(
    trx,
    `select id, integration_id, last_four, revoked_at, max_failed_lookups from api_keys
     where id = :keyId and integration_id = :integrationId for no key update`,
    { keyId: parseRecordId(keyId), integrationId },
  );
  if (!key) throw new DomainError("not_found", "Key not found");
  return key;
}

function integrationNotFound(): DomainError {
  return new DomainError("not_found", "Integration not found");
}

const keyStatement = prepareStatement(
  "find an active key",
  ["hash"],
  `select id from api_keys where hash = cast(:hash as bytea) and integration_id is not null
     and revoked_at is null and expires_at > now() and 'redeem' = any(scopes)`,
);

/** Whether the secret is an active key that may redeem; malformed ones cost no query. */
export async function isIntegrationKey(secret: string): Promise<boolean> {
  if (!secret.startsWith("vqm_") || !isWellFormedSecret(secret)) return false;
  return (await queryPrepared(keyStatement, { hash: hashSecret(secret) })).length > 0;
}

/** Reads what integrations are called; those of unknown ids are left out. */
export function integrationNames(ids: readonly string[]): Promise<{ id: string; name: string }[]> {
  const sql = "select id, name from integrations where id = any(cast(:ids as bigint[]))";
  return query(db(), sql, { ids });
}
