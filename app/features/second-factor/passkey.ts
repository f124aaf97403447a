/** Questions that `ui/form/passkey-script` asks browsers, and their answers; binary values are base64url. */
import { isLongerThan, isStorableText } from "../../forms/storable-text";

/** Makes a passkey. */
export type PasskeyCreation = {
  challenge: string;
  rp: { id: string; name: string };
  user: { id: string; name: string; displayName: string };
  pubKeyCredParams: { type: "public-key"; alg: number }[];
  excludeCredentials: { type: "public-key"; id: string }[];
  authenticatorSelection: { residentKey: "required"; userVerification: "required" };
  attestation: "none";
  timeout: number;
};

/** Signs in with any passkey that the browser has for this site. */
export type PasskeyRequest = {
  challenge: string;
  rpId: string;
  userVerification: "required";
  timeout: number;
};

export const maxPasskeys = 10;

export type Passkey = { id: string; name: string; createdAt: Date; lastUsedAt: Date | null };

export function passkeyNameError(name: string): string | null {
  if (name.trim() === "") return "Enter a name for the passkey";
  if (isLongerThan(name.trim(), 100)) return "Name cannot exceed 100 characters";
  return isStorableText(name) ? null : "Name contains characters that cannot be stored";
}
