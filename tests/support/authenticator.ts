import { createHash, generateKeyPairSync, randomBytes, sign } from "node:crypto";
import type { PasskeyCreation, PasskeyRequest } from "../../app/features/second-factor/passkey";

/** Deviations from what a browser and its authenticator do. */
type Deviation = {
  origin?: string;
  rpId?: string;
  counter?: number;
  isUserVerified?: boolean;
  /** Changes the signature. */
  isForged?: boolean;
};

const sha256 = (data: string | Buffer) => createHash("sha256").update(data).digest();

/** Makes an authenticator with one passkey, whose answers a browser would send (ES256, attestation 'none'). */
export function makeAuthenticator(origin: string) {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const { x = "", y = "" } = publicKey.export({ format: "jwk" }) as { x?: string; y?: string };
  const id = randomBytes(16);
  let counter = 0;

  const clientData = (type: string, challenge: string, deviation: Deviation) =>
    Buffer.from(JSON.stringify({ type, challenge, origin: deviation.origin ?? origin }));

  function authenticatorData(rpId: string, flags: number, deviation: Deviation): Buffer {
    const head = Buffer.alloc(5);
    head.writeUInt8(deviation.isUserVerified === false ? flags & ~4 : flags);
    head.writeUInt32BE(deviation.counter ?? ++counter, 1);
    return Buffer.concat([sha256(deviation.rpId ?? rpId), head]);
  }

  function toJson(response: Record<string, Buffer>): string {
    const parts = Object.entries(response).map(([name, value]) => [
      name,
      value.toString("base64url"),
    ]);
    const name = id.toString("base64url");
    return JSON.stringify({
      id: name,
      rawId: name,
      type: "public-key",
      clientExtensionResults: {},
      response: Object.fromEntries(parts) as object,
    });
  }

  return {
    /** Answers `navigator.credentials.create`. */
    create({ challenge, rp }: PasskeyCreation, deviation: Deviation = {}): string {
      const key = [
        Buffer.from("a5010203262001215820", "hex"),
        Buffer.from(x, "base64url"),
        Buffer.from("225820", "hex"),
        Buffer.from(y, "base64url"),
      ];
      const authData = Buffer.concat([
        // Present, verified, and with a key.
        authenticatorData(rp.id, 0x45, deviation),
        Buffer.alloc(16),
        Buffer.from([0, id.length]),
        id,
        ...key,
      ]);
      const attestationObject = Buffer.concat([
        Buffer.from("a363666d74646e6f6e656761747453746d74a068617574684461746158", "hex"),
        Buffer.from([authData.length]),
        authData,
      ]);
      const clientDataJSON = clientData("webauthn.create", challenge, deviation);
      return toJson({ clientDataJSON, attestationObject });
    },

    /** Answers `navigator.credentials.get`. */
    get({ challenge, rpId }: PasskeyRequest, deviation: Deviation = {}): string {
      const clientDataJSON = clientData("webauthn.get", challenge, deviation);
      const authData = authenticatorData(rpId, 0x05, deviation);
      const signed = Buffer.concat([authData, sha256(clientDataJSON)]);
      const signature = sign("sha256", signed, privateKey);
      if (deviation.isForged) signature[signature.length - 1]! ^= 1;
      return toJson({ clientDataJSON, authenticatorData: authData, signature });
    },
  };
}

/** Returns what a page asks the browser for. */
export function passkeyRequestOf<Request>(html: string): Request {
  const attribute = / data-passkey="([^"]*)"/.exec(html)?.[1];
  if (attribute === undefined) throw new Error(`The page asks for no passkey:\n${html}`);
  const text = attribute.replaceAll("&quot;", '"').replaceAll("&#x27;", "'");
  return JSON.parse(text.replaceAll("&amp;", "&")) as Request;
}
