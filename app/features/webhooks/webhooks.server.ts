/** Webhooks: read, created, changed and removed by admins. The audit log never holds a secret. */
import { namesIn } from "../../db/pages.server";
import type { Knex } from "knex";
import { isIP } from "node:net";
import { db, one, query, readValue } from "../../db/connection.server";
import { environment } from "../../env.server";
import { conflict, invalidFields, notFound, requireVersion } from "../../errors";
import { parseRecordId } from "../../forms/record-id";
import { hostOf, isAllowedAddress } from "../../services/webhooks/webhook-address.server";
import { changesBetween, recordAction } from "../activity/audit-log.server";
import {
  storeResult,
  runOnce,
  withIdempotency,
  type ActionOptions,
  type IdempotentRequest,
} from "../activity/idempotency.server";
import { maxWebhooks, urlError, type Webhook, type WebhookValues } from "./webhook";
import { restartDeliveries } from "./webhook-queue.server";
import { encryptWebhookSecret, newWebhookSecret } from "./webhook-secrets.server";

/** Whether a delivery `d` waits after an attempt without success. The first attempt counts before it has ended. */
const isFailingSql =
  "d.state = 'pending' and d.attempts > cast(d.is_running as integer) and d.last_error is not null";

const selectWebhooksSql = `select w.id, w.url, w.event_types, w.is_enabled, w.disabled_reason, w.version,
    w.last_success_at, w.created_at, case when w.previous_secret_until > now() then w.previous_secret_until end
      as previous_secret_until,
    waiting.pending, waiting.failed, waiting.failure
  from webhooks w cross join lateral (
    select (count(*) filter (where d.state = 'pending'))::integer as pending,
      (count(*) filter (where d.state = 'failed'))::integer as failed,
      case when bool_or(${isFailingSql}) then jsonb_build_object(
        'since', min(d.created_at) filter (where ${isFailingSql}),
        'reason', (array_agg(d.last_error order by d.attempted_at desc) filter (where ${isFailingSql}))[1]) end as failure
    from webhook_deliveries d where d.webhook_id = w.id and d.state in ('pending', 'failed')) waiting`;

type WebhookRow = Omit<Webhook, "failure"> & { failure: { since: string; reason: string } | null };

const toWebhook = ({ failure, ...row }: WebhookRow): Webhook => ({
  ...row,
  failure: failure && { ...failure, since: new Date(failure.since) },
});

export async function listWebhooks(): Promise<Webhook[]> {
  return (await query<WebhookRow>(db(), `${selectWebhooksSql} order by w.id`)).map(toWebhook);
}

/** @throws DomainError not_found, also for malformed ids */
export async function getWebhook(id: string, database: Knex = db()): Promise<Webhook> {
  const webhook = await one<WebhookRow>(database, `${selectWebhooksSql} where w.id = :id`, {
    id: parseRecordId(id),
  });
  if (!webhook) throw notFound("Webhook not found");
  return toWebhook(webhook);
}

/** Returns why calls can't be sent to a complete address on this site. */
function siteUrlError(url: URL): string | null {
  const { webhookPrivate } = environment();
  const host = hostOf(url);
  if (url.protocol === "http:" && !webhookPrivate) return "The address must begin with https://";
  if (isIP(host) && !isAllowedAddress(host, { allowsPrivate: webhookPrivate }))
    return "This address is in a private or reserved network, where webhooks may not be sent";
  return null;
}

/** @throws DomainError invalid: `fields.url` */
function assertUrl(url: string): void {
  const error = urlError(url) ?? siteUrlError(new URL(url));
  if (error !== null) throw invalidFields({ url: error });
}

/**
 * Creates a webhook for events from now on. Its secret is returned once: a repetition means that it was never
 * delivered, and gets another one.
 * @throws DomainError invalid: `fields.url`; conflict: there are too many webhooks, or its secret was rotated since
 */
export async function createWebhook(
  { url, eventTypes }: WebhookValues,
  { actor, idempotencyKey = null }: ActionOptions,
): Promise<{ id: string; secret: string }> {
  assertUrl(url);
  const request = {
    userId: actor.id,
    key: idempotencyKey,
    input: { webhook: { url, eventTypes } },
  };
  return db().transaction((trx) =>
    deliverSecret(trx, request, async () => {
      // One at a time, so that two can't both be the last one.
      await query(trx, "select pg_advisory_xact_lock(hashtext('webhooks'))");
      const created = await one<{ id: string }>(
        trx,
        `insert into webhooks (url, event_types, secret, last_position, created_by)
         select :url, :eventTypes, '', last_position, :actorId from event_log
         where (select count(*) from webhooks) < ${maxWebhooks} returning id`,
        { url, eventTypes, actorId: actor.id },
      );
      if (!created) throw conflict(`There are ${maxWebhooks} webhooks already. Remove one first.`);
      const details = { url: { from: null, to: url }, events: { from: [], to: eventTypes } };
      await recordAction(trx, actor, "webhook.created", created.id, { details });
      return created.id;
    }),
  );
}

/**
 * Gives a webhook a new secret, which is returned once. For 24 hours calls are signed with the one before, too.
 * A repetition replaces the new one, which was never delivered.
 * @throws DomainError not_found; conflict: it was rotated again since
 */
export async function rotateSecret(
  id: string,
  { actor, idempotencyKey = null }: ActionOptions,
): Promise<{ secret: string }> {
  const request = { userId: actor.id, key: idempotencyKey, input: { rotated: id } };
  return db().transaction(async (trx) => {
    const webhook = await lockWebhook(trx, id);
    const { secret } = await deliverSecret(trx, request, async () => {
      await query(
        trx,
        `update webhooks set previous_secret = secret, previous_secret_until = now() + interval '24 hours'
         where id = :id`,
        { id: webhook.id },
      );
      return webhook.id;
    });
    await recordAction(trx, actor, "webhook.secret_rotated", webhook.id);
    return { secret };
  });
}

/**
 * Stores a new secret of a webhook. A repetition replaces it, unless the webhook has got another one since, which may have
 * been delivered.
 * @param prepare makes the webhook ready for it and returns its id
 * @throws DomainError conflict: the webhook has another secret since; not_found: it was removed since
 */
async function deliverSecret(
  trx: Knex.Transaction,
  request: IdempotentRequest,
  prepare: () => Promise<string>,
): Promise<{ id: string; secret: string }> {
  const secret = newWebhookSecret();
  const { result, wasReplayed } = await withIdempotency(trx, request, async () => {
    const id = await prepare();
    return { webhook: id, fingerprint: await storeSecret(trx, id, secret) };
  });
  const { webhook: id, fingerprint } = result;
  if (wasReplayed) {
    await lockWebhook(trx, id);
    // Release 1.0.0 stored no fingerprint.
    const sql = `select from webhooks where id = :id and ${fingerprintSql} = :fingerprint`;
    if (!(await one(trx, sql, { id, fingerprint: fingerprint ?? null })))
      throw conflict(
        "The secret of this webhook was rotated since. Rotate it again to get another one.",
      );
    const replaced = { webhook: id, fingerprint: await storeSecret(trx, id, secret) };
    await storeResult(trx, request, replaced);
  }
  return { id, secret };
}

const fingerprintSql = "encode(sha256(secret), 'hex')";

/** @returns the fingerprint of the secret as it is stored, by which a repetition knows it */
async function storeSecret(trx: Knex, id: string, secret: string): Promise<string> {
  const ownerSql = "select secret_owner from webhooks where id = :id";
  const owner = await readValue<string>(trx, ownerSql, { id });
  const updateSql = `update webhooks set secret = :encrypted where id = :id returning ${fingerprintSql}`;
  return readValue(trx, updateSql, { id, encrypted: encryptWebhookSecret(secret, owner) });
}

type WebhookChange = { action: string; details?: object };

/**
 * Changes a webhook under its lock.
 * @param change returns what the audit log says of it, or null if nothing is changed
 * @throws DomainError not_found
 */
async function changeWebhook(
  id: string,
  options: ActionOptions,
  change: (trx: Knex, webhook: Webhook) => Promise<WebhookChange | null>,
  values: object = {},
): Promise<{ changed: boolean }> {
  return runOnce(options, { changed: id, ...values }, async (trx) => {
    const webhook = await lockWebhook(trx, id);
    const changed = await change(trx, webhook);
    if (!changed) return { changed: false };
    const { action, details = {} } = changed;
    await recordAction(trx, options.actor, `webhook.${action}`, webhook.id, { details });
    return { changed: true };
  });
}

/** Ends a rotation: from now on calls are signed with the current secret alone. */
export function endPreviousSecret(id: string, options: ActionOptions) {
  return changeWebhook(id, options, async (trx, webhook) => {
    if (webhook.previousSecretUntil === null) return null;
    const sql =
      "update webhooks set previous_secret = null, previous_secret_until = null where id = :id";
    await query(trx, sql, { id: webhook.id });
    return { action: "previous_secret_ended" };
  });
}

/**
 * Changes where events are sent and which. Those that wait already are sent to a new address at once, with another
 * 3 days.
 * @throws DomainError not_found; invalid: `fields.url`; conflict: the version has moved
 */
export async function editWebhook(
  id: string,
  { url, eventTypes, version }: WebhookValues & { version: number },
  options: ActionOptions,
) {
  assertUrl(url);
  const change = async (trx: Knex, webhook: Webhook) => {
    const before = { url: webhook.url, events: webhook.eventTypes };
    const details = changesBetween(before, { url, events: eventTypes });
    if (Object.keys(details).length === 0) return null;
    requireVersion(webhook.version, version, "Someone else changed this webhook");
    const sql = `update webhooks set url = :url, event_types = :eventTypes, version = version + 1
      where id = :id`;
    await query(trx, sql, { id: webhook.id, url, eventTypes });
    if (url !== webhook.url) await restartDeliveries(trx, webhook.id);
    return { action: "changed", details };
  };
  return changeWebhook(id, options, change, { url, eventTypes });
}

/**
 * Disables a webhook, or enables it again: it goes on where it stopped, and what waits gets another 3 days.
 * @returns `changed`: false if it was so already
 * @throws DomainError not_found
 */
export function setEnabled(id: string, isEnabled: boolean, options: ActionOptions) {
  return changeWebhook(id, options, async (trx, webhook) => {
    if (webhook.isEnabled === isEnabled) return null;
    const sql =
      "update webhooks set is_enabled = :isEnabled, disabled_reason = null where id = :id";
    await query(trx, sql, { id: webhook.id, isEnabled });
    if (isEnabled) await restartDeliveries(trx, webhook.id);
    return { action: isEnabled ? "enabled" : "disabled" };
  });
}

/** @throws DomainError not_found */
export function removeWebhook(id: string, options: ActionOptions) {
  return changeWebhook(id, options, async (trx, { id, url }) => {
    await query(trx, "delete from webhooks where id = :id", { id });
    return { action: "removed", details: { url: { from: url, to: null } } };
  });
}

/** Locks a webhook, so that its deliveries get their places one after the other. */
export async function lockWebhook(trx: Knex, id: string): Promise<Webhook> {
  await query(trx, "select id from webhooks where id = :id for update", { id: parseRecordId(id) });
  return getWebhook(id, trx);
}

export const webhookNames = namesIn("webhooks", "url");
