/** Questions that `ui/form/passkey-script` asks browsers, and their answers; binary values are base64url. */
import type { startAddingPasskey, startPasskeySignIn } from "./passkeys.server";

/** Makes a passkey. */
export type PasskeyCreation = Awaited<ReturnType<typeof startAddingPasskey>>;

/** Signs in with any passkey that the browser has for this site. */
export type PasskeyRequest = Awaited<ReturnType<typeof startPasskeySignIn>>;

export const maxPasskeys = 10;

export type Passkey = { id: string; name: string; createdAt: Date; lastUsedAt: Date | null };
