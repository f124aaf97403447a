/**
 * Integrations and their keys: `vqm_…` secrets, of test keys `vqt_…`, that are shown once and stored as a hash. They redeem, or act
 * within their scopes for the admin who made them. The audit log records what users do to them, never a secret.
 */
import { namesIn } from "../../db/pages.server";
import type { Knex } from "knex";
import { db, one, prepareStatement, query, queryPrepared } from "../../db/connection.server";
import { conflict, notFound } from "../../errors";
import { parseRecordId } from "../../forms/record-id";
import { parseFields } from "../../forms/form-validator";
import { recordAction, type Actor } from "../activity/audit-log.server";
import { runOnce, type ActionOptions } from "../activity/idempotency.server";
import { canBeIntegrationKey, hashSecret } from "../sign-in/tokens.server";
import {
  integrationSchema,
  keyName,
  limitSchema,
  maxIntegrations,
  type Integration,
  type IntegrationKey,
  type ThrottledKey,
} from "./integration";

/**
 * @throws DomainError invalid: `fields.name`; conflict: there are too many, or the form was sent
 *   before with another name
 */
export async function createIntegration(
  input: { name: string },
  options: ActionOptions,
): Promise<{ id: string }> {
  const { actor } = options;
  const { name } = parseFields(integrationSchema, input);
  return runOnce(options, { integration: name }, async (trx) => {
    // One at a time, so that two can't both be the last one.
    await query(trx, "select pg_advisory_xact_lock(hashtext('integrations'))");
    const created = await one<{ id: string }>(
      trx,
      `insert into integrations (name, created_by)
       select :name, :userId where (select count(*) from integrations) < :maxIntegrations
       returning id`,
      { name, userId: actor.id, maxIntegrations },
    );
    if (!created) throw conflict("The limit of integrations is reached. Use an existing one.");
    await recordAction(trx, actor, "integration.created", created.id, { details: { name } });
    return { ...created, integrationId: created.id };
  });
}

/** Whether a key `k` that isn't for tests ends within 14 days without a successor. */
export const endsSoonSql = `(k.revoked_at is null and k.renewed_by is null and not k.is_test and k.expires_at > now()
    and k.expires_at <= now() + interval '14 days')`;

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
  return query(db(), sql, {}, { isPrepared: true });
}

/** Lists ids and names, by name, for a field that chooses one. */
export async function listIntegrationChoices(): Promise<Pick<Integration, "id" | "name">[]> {
  const sql = "select id, name from integrations order by lower(name), id";
  return query(db(), sql, {}, { isPrepared: true });
}

/** @throws DomainError not_found, also for malformed ids */
export async function getIntegration(id: string) {
  const integration = await one<Integration>(db(), `${selectIntegrationsSql} where i.id = :id`, {
    id: parseRecordId(id),
  });
  if (!integration) throw notFound("Integration not found");
  const keys = await query<IntegrationKey>(
    db(),
    `select * from (
       select k.id, k.last_four, k.created_at, k.expires_at, k.last_used_at, k.revoked_at,
         k.max_failed_lookups, k.scopes, k.is_test, k.renewed_by is not null as is_renewed,
         ${endsSoonSql} as ends_soon,
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

/**
 * Returns what dialogs about a key show of it.
 * @throws DomainError not_found: the integration, or it has no such key
 */
export async function getKey({
  integrationId = "",
  keyId,
}: {
  integrationId?: string;
  keyId?: string;
}) {
  const { id, name, keys } = await getIntegration(integrationId);
  const key = keys.find((one) => one.id === keyId);
  if (!key) throw notFound("Key not found");
  return {
    integrationId: id,
    integrationName: name,
    name: keyName(key),
    limit: key.maxFailedLookups,
    isActive: key.state === "active",
  };
}

/** Lets the keys of an integration change one at a time. */
export async function lockIntegration(trx: Knex, id: string): Promise<string> {
  const integration = await one<{ id: string }>(
    trx,
    "select id from integrations where id = :id for no key update",
    { id: parseRecordId(id) },
  );
  if (!integration) throw notFound("Integration not found");
  return integration.id;
}

/**
 * Ends a key at once and for good; a key that is revoked already stays as it is.
 * @param id the integration's, as it came in a URL
 * @throws DomainError not_found: the integration, or it has no such key
 */
export async function revokeKey(
  id: string,
  keyId: string,
  { actor }: ActionOptions,
): Promise<{ changed: boolean }> {
  return db().transaction((trx) => endKey(trx, id, keyId, actor));
}

/**
 * Changes how many redemptions of codes that don't exist a key may send in a minute, once for each idempotency key.
 * @param id the integration's, as it came in a URL
 * @throws DomainError invalid: `fields.limit`; not_found: the integration, or it has no such key;
 *   conflict: the key is revoked
 */
export async function changeKeyLimit(
  id: string,
  keyId: string,
  newLimit: number,
  options: ActionOptions,
): Promise<void> {
  const { limit } = parseFields(limitSchema, { limit: String(newLimit) });
  await runOnce(options, { limited: keyId, limit }, async (trx) => {
    const key = await lockKey(trx, id, keyId);
    if (key.revokedAt !== null) throw conflict("This key is revoked.");
    if (key.maxFailedLookups === limit) return;
    await trx("api_keys").where({ id: key.id }).update({ max_failed_lookups: limit });
    await recordAction(trx, options.actor, "integration.key_limit_changed", key.integrationId, {
      details: {
        key: key.id,
        last_four: key.lastFour,
        limit: { from: key.maxFailedLookups, to: limit },
      },
    });
  });
}

/** Ends a key in the transaction of its caller. */
export async function endKey(
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
  "lastFour" | "revokedAt" | "lastUsedAt" | "maxFailedLookups"
>;

/** @throws DomainError not_found: the integration, or it has no such key */
export async function lockKey(trx: Knex, id: string, keyId: string): Promise<LockedKey> {
  const integrationId = await lockIntegration(trx, id);
  const key = await one<LockedKey>(
    trx,
    `select id, integration_id, last_four, revoked_at, last_used_at, max_failed_lookups from api_keys
     where id = :keyId and integration_id = :integrationId for no key update`,
    { keyId: parseRecordId(keyId), integrationId },
  );
  if (!key) throw notFound("Key not found");
  return key;
}

const keyStatement = prepareStatement(
  "find an active key",
  ["hash"],
  `select id from api_keys where hash = cast(:hash as bytea) and integration_id is not null
     and revoked_at is null and expires_at > now() and 'redeem' = any(scopes)`,
);

/** Whether the secret is an active key that may redeem; malformed ones cost no query. */
export async function isIntegrationKey(secret: string): Promise<boolean> {
  if (!canBeIntegrationKey(secret)) return false;
  return (await queryPrepared(keyStatement, { hash: hashSecret(secret) })).length > 0;
}

export const integrationNames = namesIn("integrations", "name");
