/** Webhooks: read, created, changed and removed by admins. The audit log never holds a secret. */
import { randomUUID } from "node:crypto";
import type { Knex } from "knex";
import { isIP } from "node:net";
import { db, one, query } from "../../db/connection.server";
import { environment } from "../../env.server";
import { DomainError, invalidFields } from "../../errors";
import { parseRecordId } from "../../forms/record-id";
import { paths } from "../../paths";
import { hostOf, isAllowedAddress } from "../../services/webhooks/webhook-address.server";
import { recordAction, systemActor, type Actor } from "../activity/audit-log.server";
import { storeResult, withIdempotency } from "../activity/idempotency.server";
import { testType } from "../events/event";
import { enqueueMail } from "../mail/outbox.server";
import { maxWebhooks, urlError, type Webhook, type WebhookValues } from "./webhook";
import { restartDeliveries } from "./webhook-queue.server";
import { encryptWebhookSecret, newWebhookSecret } from "./webhook-secrets.server";

type WebhookOptions = { actor: Actor };
type CreateOptions = WebhookOptions & {
  /** Identifies the form, so that sending it twice has the effect of sending it once. */
  idempotencyKey: string | null;
};

const selectWebhooksSql = `select w.id, w.url, w.event_types, w.is_enabled, w.disabled_reason, w.last_success_at,
    w.created_at, case when w.previous_secret_until > now() then w.previous_secret_until end
      as previous_secret_until,
    (select count(*) from webhook_deliveries d where d.webhook_id = w.id and d.state = 'pending')::integer
      as pending
  from webhooks w`;

export async function listWebhooks(): Promise<Webhook[]> {
  return query(db(), `${selectWebhooksSql} order by w.id`);
}

/** @throws DomainError not_found, also for malformed ids */
export async function getWebhook(id: string, database: Knex = db()): Promise<Webhook> {
  const webhook = await one<Webhook>(database, `${selectWebhooksSql} where w.id = :id`, {
    id: parseRecordId(id),
  });
  if (!webhook) throw new DomainError("not_found", "Webhook not found");
  return webhook;
}

/** Returns why calls can't be sent to an address on this site. */
function siteUrlError(text: string): string | null {
  const error = urlError(text);
  if (error !== null) return error;
  const { webhookPrivate } = environment();
  const url = new URL(text);
  const host = hostOf(url);
  if (url.protocol === "http:" && !webhookPrivate) return "The address must begin with https://";
  if (isIP(host) && !isAllowedAddress(host, { allowsPrivate: webhookPrivate }))
    return "This address is in a private or reserved network, where webhooks may not be sent";
  return null;
}

/** @throws DomainError invalid: `fields.url` */
function assertUrl(url: string): void {
  const error = siteUrlError(url);
  if (error !== null) throw invalidFields({ url: error });
}

/**
 * Creates a webhook for events from now on. Its secret is returned once: a repetition means that it was never
 * delivered, and gets another one.
 * @throws DomainError invalid: `fields.url`; conflict: there are too many webhooks
 */
export async function createWebhook(
  { url, eventTypes }: WebhookValues,
  { actor, idempotencyKey }: CreateOptions,
): Promise<{ id: string; secret: string }> {
  assertUrl(url);
  const secret = newWebhookSecret();
  const request = {
    userId: actor.id,
    key: idempotencyKey,
    input: { webhook: { url, eventTypes } },
  };
  return db().transaction(async (trx) => {
    const { result, wasReplayed } = await withIdempotency(trx, request, async () => {
      const created = await one<{ id: string }>(
        trx,
        `insert into webhooks (url, event_types, secret, last_position, created_by)
         select :url, :eventTypes, '', last_position, :actorId from event_log
         where (select count(*) from webhooks) < ${maxWebhooks} returning id`,
        { url, eventTypes, actorId: actor.id },
      );
      if (!created)
        throw new DomainError(
          "conflict",
          `There are ${maxWebhooks} webhooks already. Remove one first.`,
        );
      const details = { url: { from: null, to: url }, events: { from: [], to: eventTypes } };
      await recordAction(trx, actor, "webhook.created", created.id, { details });
      return { webhook: created.id };
    });
    if (wasReplayed) await lockWebhook(trx, result.webhook);
    await storeSecret(trx, result.webhook, secret);
    return { id: result.webhook, secret };
  });
}

async function storeSecret(trx: Knex, id: string, secret: string): Promise<void> {
  const row = await one<{ secretOwner: string }>(
    trx,
    "select secret_owner from webhooks where id = :id",
    { id },
  );
  const encrypted = encryptWebhookSecret(secret, row!.secretOwner);
  await query(trx, "update webhooks set secret = :encrypted where id = :id", { id, encrypted });
}

/**
 * Gives a webhook a new secret, which is returned once. For 24 hours calls are signed with the one before, too.
 * A repetition replaces the new one, which was never delivered.
 * @throws DomainError not_found
 */
export async function rotateSecret(
  id: string,
  { actor, idempotencyKey }: CreateOptions,
): Promise<{ secret: string }> {
  const secret = newWebhookSecret();
  const request = { userId: actor.id, key: idempotencyKey, input: { rotated: id } };
  return db().transaction(async (trx) => {
    const webhook = await lockWebhook(trx, id);
    const { wasReplayed } = await withIdempotency(trx, request, async () => {
      await query(
        trx,
        `update webhooks set previous_secret = secret, previous_secret_until = now() + interval '24 hours'
         where id = :id`,
        { id: webhook.id },
      );
      return {};
    });
    await storeSecret(trx, webhook.id, secret);
    if (wasReplayed) await storeResult(trx, request, {});
    await recordAction(trx, actor, "webhook.secret_rotated", webhook.id);
    return { secret };
  });
}

/** Ends a rotation: from now on calls are signed with the current secret alone. */
export async function endPreviousSecret(
  id: string,
  { actor }: WebhookOptions,
): Promise<{ changed: boolean }> {
  return db().transaction(async (trx) => {
    const webhook = await lockWebhook(trx, id);
    if (webhook.previousSecretUntil === null) return { changed: false };
    await query(
      trx,
      "update webhooks set previous_secret = null, previous_secret_until = null where id = :id",
      { id: webhook.id },
    );
    await recordAction(trx, actor, "webhook.previous_secret_ended", webhook.id);
    return { changed: true };
  });
}

/**
 * Changes where events are sent and which. Those that wait already are sent to the new address.
 * @throws DomainError not_found; invalid: `fields.url`
 */
export async function editWebhook(
  id: string,
  { url, eventTypes }: WebhookValues,
  { actor }: WebhookOptions,
): Promise<void> {
  assertUrl(url);
  await db().transaction(async (trx) => {
    const webhook = await lockWebhook(trx, id);
    await query(trx, "update webhooks set url = :url, event_types = :eventTypes where id = :id", {
      ...{ id: webhook.id, url, eventTypes },
    });
    const hasOtherEvents = webhook.eventTypes.join() !== eventTypes.join();
    const details = {
      ...(webhook.url !== url && { url: { from: webhook.url, to: url } }),
      ...(hasOtherEvents && { events: { from: webhook.eventTypes, to: eventTypes } }),
    };
    if (Object.keys(details).length > 0)
      await recordAction(trx, actor, "webhook.changed", webhook.id, { details });
  });
}

/**
 * Disables a webhook, or enables it again: it goes on where it stopped, and what waits gets another 3 days.
 * @returns `changed`: false if it was so already
 * @throws DomainError not_found
 */
export async function setEnabled(
  id: string,
  isEnabled: boolean,
  { actor }: WebhookOptions,
): Promise<{ changed: boolean }> {
  return db().transaction(async (trx) => {
    const webhook = await lockWebhook(trx, id);
    if (webhook.isEnabled === isEnabled) return { changed: false };
    await query(
      trx,
      "update webhooks set is_enabled = :isEnabled, disabled_reason = null where id = :id",
      { id: webhook.id, isEnabled },
    );
    if (isEnabled) await restartDeliveries(trx, webhook.id);
    await recordAction(trx, actor, `webhook.${isEnabled ? "enabled" : "disabled"}`, webhook.id);
    return { changed: true };
  });
}

/** @throws DomainError not_found */
export async function removeWebhook(id: string, { actor }: WebhookOptions): Promise<void> {
  await db().transaction(async (trx) => {
    const webhook = await lockWebhook(trx, id);
    await query(trx, "delete from webhooks where id = :id", { id: webhook.id });
    const details = { url: { from: webhook.url, to: null } };
    await recordAction(trx, actor, "webhook.removed", webhook.id, { details });
  });
}

/**
 * Queues an event that tells of nothing.
 * @throws DomainError not_found; conflict: the webhook is disabled
 */
export async function sendTestEvent(
  id: string,
  { actor, idempotencyKey }: CreateOptions,
): Promise<void> {
  const request = { userId: actor.id, key: idempotencyKey, input: { tested: id } };
  await withIdempotency(db(), request, async (trx) => {
    const webhook = await lockWebhook(trx, id);
    assertEnabled(webhook);
    await query(
      trx,
      `insert into webhook_deliveries (webhook_id, event_id, type, subject, occurred_at)
       select :id, test, :testType, 'test:' || test, now() from gen_random_uuid() test`,
      { id: webhook.id, testType },
    );
    await recordAction(trx, actor, "webhook.tested", webhook.id);
    return {};
  });
}

/** @throws DomainError conflict */
export function assertEnabled({ isEnabled }: Pick<Webhook, "isEnabled">): void {
  if (!isEnabled) throw new DomainError("conflict", "Enable the webhook first.");
}

/** Locks a webhook, so that its deliveries get their places one after the other. */
export async function lockWebhook(trx: Knex, id: string): Promise<Webhook> {
  await query(trx, "select id from webhooks where id = :id for update", { id: parseRecordId(id) });
  return getWebhook(id, trx);
}

const disablingReasons = {
  gone: "The receiver answered 410, which means that the address is gone for good.",
  silent: "No event was accepted for 3 days.",
  unreadable: "Its secret can't be decrypted, because APP_SECRET has changed. Rotate the secret.",
};

/**
 * Disables a webhook whose receiver is gone, that has accepted nothing since an event was created that is given up
 * now, or whose secret can't be read, and mails the admins.
 * @param deliveryId the delivery at which this was found
 */
export async function disableAutomatically(
  webhookId: string,
  reason: keyof typeof disablingReasons,
  deliveryId: string,
): Promise<void> {
  await db().transaction(async (trx) => {
    const { id, isEnabled, url } = await lockWebhook(trx, webhookId);
    if (!isEnabled || (reason === "silent" && !(await isSilent(trx, deliveryId)))) return;
    const text = disablingReasons[reason];
    await query(
      trx,
      "update webhooks set is_enabled = false, disabled_reason = :text where id = :id",
      { id, text },
    );
    await recordAction(trx, systemActor, "webhook.disabled", id, { details: { reason: text } });
    const admins = await query<{ email: string }>(
      trx,
      "select email from users where role = 'admin' and not is_disabled order by id limit 20",
    );
    for (const { email } of admins)
      await enqueueMail(trx, {
        template: "webhook_disabled",
        data: { url, reason: text, path: paths.webhook(id) },
        recipient: email,
        dedupKey: `webhook ${id} disabled ${randomUUID()} ${email}`.slice(0, 200),
      });
  });
}

/** Tells whether nothing was delivered since a delivery was created. */
async function isSilent(trx: Knex, deliveryId: string): Promise<boolean> {
  const sql = `select from webhooks w join webhook_deliveries d on d.webhook_id = w.id
    where d.id = :deliveryId and (w.last_success_at is null or w.last_success_at < d.created_at)`;
  return (await one(trx, sql, { deliveryId })) !== null;
}

/** Reads the addresses of webhooks; those of unknown ids are left out. */
export function webhookNames(ids: readonly string[]): Promise<{ id: string; name: string }[]> {
  const sql = "select id, url as name from webhooks where id = any(cast(:ids as bigint[]))";
  return query(db(), sql, { ids });
}
