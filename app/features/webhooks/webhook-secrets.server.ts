/** Secrets and signatures of webhooks, as the Standard Webhooks specification has them. */
import { createHmac, randomBytes } from "node:crypto";
import { decrypt, encrypt } from "../../db/encryption.server";

const purpose = "webhook secret";
const prefix = "whsec_";

/** Makes a secret that is shown once: `whsec_` and 32 random bytes in base64. */
export function newWebhookSecret(): string {
  return prefix + randomBytes(32).toString("base64");
}

/** @param owner the webhook's `secret_owner` */
export function encryptWebhookSecret(secret: string, owner: string): Buffer {
  return encrypt(secret, purpose, owner);
}

/** @returns null if APP_SECRET has changed since */
export function decryptWebhookSecret(encrypted: Buffer, owner: string): string | null {
  return decrypt(encrypted, purpose, owner);
}

/**
 * Returns the headers of a signed call.
 * @param message.timestamp seconds since 1970
 * @param secrets the current one first; during a rotation, the receiver may verify with either
 */
export function signedHeaders(
  { id, timestamp, body }: { id: string; timestamp: number; body: string },
  secrets: readonly string[],
): Record<string, string> {
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(prefix.length), "base64");
    return `v1,${createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest("base64")}`;
  });
  return {
    "Content-Type": "application/json; charset=utf-8",
    "User-Agent": "Promo-Console-Webhooks/1",
    "webhook-id": id,
    "webhook-timestamp": String(timestamp),
    "webhook-signature": signatures.join(" "),
  };
}
