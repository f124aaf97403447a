/** Encrypts what the database holds but nobody who reads it may know. */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";
import { appSecret } from "./app-secret.server";

const algorithm = "aes-256-gcm";
const [nonceBytes, tagBytes] = [12, 16];

const keys = new Map<string, Buffer>();

function keyFor(purpose: string): Buffer {
  const known = keys.get(purpose);
  if (known) return known;
  const key = Buffer.from(hkdfSync("sha256", appSecret(), "", `promo-console/${purpose}`, 32));
  keys.set(purpose, key);
  return key;
}

/**
 * Encrypts a text with AES-256-GCM under a key of APP_SECRET.
 * @param purpose names what the text is: each purpose has a key of its own
 * @param owner the row that it belongs to: it can't be decrypted as another row's
 */
export function encrypt(text: string, purpose: string, owner: string): Buffer {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv(algorithm, keyFor(purpose), nonce).setAAD(Buffer.from(owner));
  const encrypted = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), encrypted]);
}

/** @returns null if it was encrypted for something else, or under another APP_SECRET */
export function decrypt(encrypted: Buffer, purpose: string, owner: string): string | null {
  try {
    const decipher = createDecipheriv(algorithm, keyFor(purpose), encrypted.subarray(0, nonceBytes))
      .setAAD(Buffer.from(owner))
      .setAuthTag(encrypted.subarray(nonceBytes, nonceBytes + tagBytes));
    const text = decipher.update(encrypted.subarray(nonceBytes + tagBytes));
    return Buffer.concat([text, decipher.final()]).toString("utf8");
  } catch {
    return null;
  }
}
