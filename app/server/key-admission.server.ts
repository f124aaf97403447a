import { LRUCache } from "lru-cache";
import type { Rejection } from "../http/rejection.server";
import { hashSecret, isWellFormedSecret } from "../features/sign-in/tokens.server";
import type { Release } from "../http/slots.server";

/**
 * Lets redemptions in by their keys before anything else of them is read. A key that was valid within
 * the last hour costs nothing here; another is looked up once for all requests that bring it. This only
 * decides who is counted: the statement of a redemption checks the key itself.
 * @param lookUp tells why a well-formed key is rejected, or null for a valid one
 */
export function createKeyAdmission(lookUp: (secret: string) => Promise<Rejection | null>) {
  const validKeys = new LRUCache<string, true>({ max: 1_000, ttl: 60 * 60 * 1_000 });
  const lookUps = new Map<string, Promise<Rejection | null>>();

  return {
    /**
     * @param enter asks whether the client may have a key looked up
     * @returns null for a valid key
     */
    async rejectKey(secret: string, enter: () => Release | Rejection): Promise<Rejection | null> {
      if (!isWellFormedSecret(secret)) return lookUp(secret);
      const hash = hashSecret(secret).toString("base64");
      if (validKeys.has(hash)) return null;

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
      if (result === null) validKeys.set(hash, true);
      return result;
    },

    forgetKey(secret: string): void {
      validKeys.delete(hashSecret(secret).toString("base64"));
    },
  };
}
