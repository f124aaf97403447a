/** Makes keys of integrations, new ones and successors. A secret is returned once and stored as a hash. */
import type { Knex } from "knex";
import { db, one } from "../../db/connection.server";
import { conflict, invalidFields } from "../../errors";
import { recordAction, type Actor } from "../activity/audit-log.server";
import { storeResult, withIdempotency, type ActionOptions } from "../activity/idempotency.server";
import { canBeSerial } from "../machines/machine";
import { machineBySerialSql } from "../machines/machines.server";
import type { KeyScope } from "../sign-in/key-scopes";
import { hashSecret, isTestSecret, newSecret } from "../sign-in/tokens.server";
import { lockActor } from "../sign-in/users.server";
import { failedLookupLimits, maxActiveKeys, maxKeyDays } from "./integration";
import { endKey, lockIntegration, lockKey } from "./integrations.server";

type NewKey = {
  machineSerial: string | null;
  days: number;
  scopes?: readonly KeyScope[];
  isTest?: boolean;
};

const redeemOnly: readonly KeyScope[] = ["redeem"];

/**
 * Creates a key. Its secret is returned once: a repetition means that it was never delivered, so it
 * revokes that key and makes another.
 * @param id the integration's, as it came in a URL
 * @param machineSerial the one machine it may redeem at, and do nothing else; null: any
 * @param days 1 to 365, from now by the database's clock
 * @param isTest makes a key that redeems test codes, and does nothing else (RULES X1)
 * @throws DomainError not_found; invalid: `fields.machineSerial`, `fields.days`, `fields.test_key`; conflict: the
 *   integration has too many active keys
 */
export async function createKey(
  id: string,
  input: NewKey,
  { actor, idempotencyKey = null }: ActionOptions,
): Promise<{ secret: string; id: string }> {
  const { days, machineSerial, scopes = redeemOnly, isTest = false } = input;
  if (!Number.isInteger(days) || days < 1 || days > maxKeyDays)
    throw invalidFields({ days: `Days must be a whole number from 1 to ${maxKeyDays}` });
  const isRedeemOnly = scopes.length === 1 && scopes[0] === "redeem";
  if (machineSerial !== null && !isRedeemOnly)
    throw invalidFields({ machineSerial: "A key of one machine may only redeem codes" });
  if (isTest && (machineSerial !== null || !isRedeemOnly))
    throw invalidFields({ test_key: "A test key may only redeem codes, at the test machine" });
  // Machine and days may differ: the secret of the first attempt is unknown in any case.
  return deliverSecret(id, { owner: id }, { actor, idempotencyKey }, async (trx) => {
    const secret = newKeySecret(isTest);
    const integrationId = await lockIntegration(trx, id);
    const machineId = machineSerial === null ? null : await findMachineId(trx, machineSerial);
    const key = await insertKey(trx, integrationId, { secret, machineId, days, scopes }, actor);
    await recordAction(trx, actor, "integration.key_created", integrationId, {
      details: { ...key, machine: machineSerial, scopes, ...(isTest && { is_test: true }) },
    });
    return { id: key.key, secret };
  });
}

const newKeySecret = (isTest: boolean) => newSecret(isTest ? "vqt_" : "vqm_");

type MadeKey = { id: string; secret: string };

/**
 * Makes a key with a new secret. A repetition means that the secret was never delivered, so it revokes the first key
 * and makes another, unless that was used or revoked since.
 * @param make inserts the key
 * @throws DomainError conflict: the first key was used or revoked since
 */
async function deliverSecret(
  integrationId: string,
  input: Record<string, string>,
  { actor, idempotencyKey = null }: ActionOptions,
  make: (trx: Knex) => Promise<MadeKey>,
): Promise<MadeKey> {
  const request = { userId: actor.id, key: idempotencyKey, input };
  return db().transaction(async (trx) => {
    await lockActor(trx, actor);
    let made: MadeKey | undefined;
    // The result is stored for repetitions, the secret never.
    const create = async () => {
      made = await make(trx);
      return { key: made.id };
    };
    const { result } = await withIdempotency(trx, request, create);
    if (made) return made;
    const first = await lockKey(trx, integrationId, result.key);
    if (first.lastUsedAt !== null || first.revokedAt !== null)
      throw conflict(
        "This form has made a key already, which was used or revoked since. Open the page again to make another.",
      );
    await endKey(trx, integrationId, result.key, actor);
    const repeated = await make(trx);
    await storeResult(trx, request, { key: repeated.id });
    return repeated;
  });
}

type KeyRow = {
  secret: string;
  machineId: string | null;
  days: number;
  scopes: readonly KeyScope[];
  maxFailedLookups?: number;
};

/**
 * Inserts a key of an integration that is locked.
 * @returns what the audit log says of it
 * @throws DomainError conflict: the integration has too many active keys
 */
async function insertKey(
  trx: Knex,
  integrationId: string,
  { secret, maxFailedLookups = failedLookupLimits[0], ...row }: KeyRow,
  actor: Actor,
) {
  const lastFour = secret.slice(-4);
  const key = await one<{ id: string; expiresAt: Date }>(
    trx,
    `insert into api_keys (hash, last_four, integration_id, machine_id, scopes, created_by, expires_at,
       max_failed_lookups, is_test)
     select :hash, :lastFour, :integrationId, :machineId, :scopes, :userId,
       now() + make_interval(days => :days), :maxFailedLookups, :isTest
     where (select count(*) from api_keys k where k.integration_id = :integrationId
       and k.revoked_at is null and k.expires_at > now()) < :maxActiveKeys
     returning id, expires_at`,
    {
      hash: hashSecret(secret),
      isTest: isTestSecret(secret),
      lastFour,
      integrationId,
      ...row,
      maxFailedLookups,
      userId: actor.id,
      maxActiveKeys,
    },
  );
  if (!key) throw conflict("This integration has too many keys. Revoke some first.");
  return { key: key.id, last_four: lastFour, expires_at: key.expiresAt };
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

type RenewableKey = {
  machineId: string | null;
  scopes: KeyScope[];
  isTest: boolean;
  maxFailedLookups: number;
  /** For how long it was made, or its last successor. */
  days: number;
};

/**
 * Makes a key with the scopes, the machine, the limit and the days of another, which ends a day later at the latest.
 * Its secret is returned once, as that of a new key is.
 * @param id the integration's, as it came in a URL
 * @throws DomainError not_found; conflict: the key is revoked, or the integration has too many active keys
 */
export async function renewKey(
  id: string,
  keyId: string,
  options: ActionOptions,
): Promise<{ secret: string; id: string }> {
  const { actor } = options;
  const input = { owner: id, renewed: keyId };
  return deliverSecret(id, input, options, async (trx) => {
    const old = await lockKey(trx, id, keyId);
    if (old.revokedAt !== null) throw conflict("This key is revoked. Create a new key instead.");
    const renewable = await one<RenewableKey>(
      trx,
      // Each successor but the last one was cut to a day, too.
      `with recursive chain as (
         select id, renewed_by, expires_at - created_at as lifetime from api_keys where id = :id
         union all
         select s.id, s.renewed_by, s.expires_at - s.created_at
         from api_keys s join chain on s.id = chain.renewed_by
       )
       select k.machine_id, k.scopes, k.is_test, k.max_failed_lookups,
         least(greatest(1, round(extract(epoch from chain.lifetime) / 86400)),
           ${maxKeyDays})::integer as days
       from api_keys k, chain where k.id = :id and chain.renewed_by is null`,
      { id: old.id },
    );
    const { isTest, ...row } = renewable!;
    const secret = newKeySecret(isTest);
    const renewal = await insertKey(trx, old.integrationId, { secret, ...row }, actor);
    const ended = await one<{ expiresAt: Date }>(
      trx,
      `update api_keys set renewed_by = :newId, expires_at = least(expires_at, now() + interval '1 day')
       where id = :id returning expires_at`,
      { id: old.id, newId: renewal.key },
    );
    await recordAction(trx, actor, "integration.key_renewed", old.integrationId, {
      details: {
        ...renewal,
        renewed: { key: old.id, last_four: old.lastFour, expires_at: ended!.expiresAt },
      },
    });
    return { id: renewal.key, secret };
  });
}

/**
 * Runs work with a test key of an integration that exists for it alone.
 * @param id the integration's, as it came in a URL
 * @throws DomainError not_found
 */
export async function withTestKey<Result>(
  id: string,
  actor: Actor,
  work: (secret: string) => Promise<Result>,
): Promise<Result> {
  const secret = newKeySecret(true);
  const key = await db().transaction(async (trx) =>
    insertKey(
      trx,
      await lockIntegration(trx, id),
      { secret, machineId: null, days: 1, scopes: redeemOnly },
      actor,
    ),
  );
  try {
    return await work(secret);
  } finally {
    await db()("api_keys").where({ id: key.key }).delete();
  }
}
