import type { Rejection } from "../http/rejection.server";
import { hashSecret, isWellFormedSecret } from "../features/sign-in/tokens.server";
import type { Release } from "../http/slots.server";

const rememberMs = 60 * 60 * 1_000;
const maxRemembered = 1_000;

/**
 * Lets redemptions in by their keys before anything else of them is read. A key that was valid within
 * the last hour costs nothing here; another is looked up once for all requests that bring it. This only
 * decides who is counted: the statement of a redemption checks the key itself.
 * @param lookUp tells why a well-formed key is rejected, or null for a valid one
 */
export function createKeyAdmission(lookUp: (secret: string) => Promise<Rejection | null>) {
  const validUntil = new Map<string, number>();
  const lookUps = new Map<string, Promise<Rejection | null>>();

  const remember = (hash: string) => {
    validUntil.delete(hash);
    validUntil.set(hash, performance.now() + rememberMs);
    // A map keeps the order of insertion: the first key is the oldest.
    if (validUntil.size > maxRemembered) validUntil.delete(validUntil.keys().next().value!);
  };

  return {
    /**
     * @param enter asks whether the client may have a key looked up
     * @returns null for a valid key
     */
    async rejectKey(secret: string, enter: () => Release | Rejection): Promise<Rejection | null> {
      if (!isWellFormedSecret(secret)) return lookUp(secret);
      const hash = hashSecret(secret).toString("base64");
      if ((validUntil.get(hash) ?? 0) > performance.now()) return null;

      let rejection = lookUps.get(hash);
      if (!rejection) {
        const leave = enter();
        if ("status" in leave) return leave;
        rejection = lookUp(secret).finally(() => {
          lookUps.delete(hash);
          leave();
        });
        lookUps.set(hash, rejection);
      }
      const result = await rejection;
      if (result === null) remember(hash);
      return result;
    },

    forgetKey(secret: string): void {
      validUntil.delete(hashSecret(secret).toString("base64"));
    },
  };
}
