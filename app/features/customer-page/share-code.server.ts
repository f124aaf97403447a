/** Mails a code to a customer (RULES K4). */
import { randomUUID } from "node:crypto";
import { countAttempt } from "../../db/rate-limits.server";
import { LimitError, notFound } from "../../errors";
import { countOf } from "../../format/number";
import { recordAction, type Actor } from "../activity/audit-log.server";
import { runOnce, type ActionOptions } from "../activity/idempotency.server";
import { enqueueMail } from "../mail/outbox.server";
import type { Database } from "../../db/connection.server";
import { getCustomerCode } from "./customer-code.server";
import type { MailedCode } from "./share-forms";

export const maxMailsADay = 20;
const hourMs = 3_600_000;

/** @throws DomainError not_found: there is no such code, or it is deleted */
export async function getSharedCode(id: string) {
  const code = await getCustomerCode(id);
  if (!code) throw notFound("This code does not exist, or it is deleted");
  return code;
}

/**
 * Adds a mail with a code to the outbox, which holds the id of the code alone.
 * @throws DomainError not_found; LimitError: the person has mailed as many codes as a day allows
 */
export async function mailCode(
  id: string,
  mail: MailedCode,
  options: ActionOptions,
): Promise<void> {
  const { actor } = options;
  const code = await getSharedCode(id);
  await runOnce(options, { action: "promotion.shared", id, mail }, async (trx) => {
    await countMail(trx, actor);
    const data = { id: code.id, language: mail.language };
    const dedupKey = `shared_code ${randomUUID()}`;
    await enqueueMail(trx, { template: "shared_code", data, recipient: mail.email, dedupKey });
    await recordAction(trx, actor, "promotion.shared", code.id, {
      details: { recipient: { from: null, to: mail.email } },
    });
  });
}

async function countMail(trx: Database, actor: Actor): Promise<void> {
  const limit = { key: `share/${actor.id}`, attempts: maxMailsADay, windowMs: 24 * hourMs };
  const [counted] = await countAttempt(trx, [limit]);
  if (!counted!.isExceeded) return;
  const wait = countOf(Math.ceil(counted!.msLeft / hourMs), "hour");
  throw new LimitError(
    `You have mailed ${maxMailsADay} codes within a day. Try again in ${wait}.`,
    { name: "shared-codes", quota: maxMailsADay, windowSeconds: limit.windowMs / 1_000 },
    Math.ceil(counted!.msLeft / 1_000),
  );
}
