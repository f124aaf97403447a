/** Questions that `ui/form/passkey-script` asks browsers, and their answers; binary values are base64url. */
import { isLongerThan, isStorableText } from "../../forms/storable-text";
import type { startAddingPasskey, startPasskeySignIn } from "./passkeys.server";

/** Makes a passkey. */
export type PasskeyCreation = Awaited<ReturnType<typeof startAddingPasskey>>;

/** Signs in with any passkey that the browser has for this site. */
export type PasskeyRequest = Awaited<ReturnType<typeof startPasskeySignIn>>;

export const maxPasskeys = 10;

export type Passkey = { id: string; name: string; createdAt: Date; lastUsedAt: Date | null };

export function passkeyNameError(name: string): string | null {
  if (name.trim() === "") return "Enter a name for the passkey";
  if (isLongerThan(name.trim(), 100)) return "Name cannot exceed 100 characters";
  return isStorableText(name) ? null : "Name contains characters that cannot be stored";
}
