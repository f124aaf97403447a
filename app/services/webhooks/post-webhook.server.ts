/** Posts one call of a webhook: to a checked address, without redirects, bounded in time and in what it reads. */
import {
  Agent as HttpAgent,
  request as httpRequest,
  type ClientRequest,
  type IncomingMessage,
  type RequestOptions,
} from "node:http";
import { Agent as HttpsAgent, request as httpsRequest } from "node:https";
import { isIP } from "node:net";
import { codeOf } from "../../errors";
import { hostOf, isAllowedAddress, resolveByDns, type Resolve } from "./webhook-address.server";

type WebhookCall = { url: string; headers: Record<string, string>; body: string };

export type WebhookAnswer = {
  status: number;
  headers: Record<string, string>;
  /** The beginning, as text. */
  body: string;
};

/** There was no answer. The message is a sentence for admins. */
export class WebhookError extends Error {
  override name = "WebhookError";
}

/** The whole attempt: name, connection, call and answer. */
const attemptTimeoutMs = 10_000;
/** More of an answer is not read. */
const maxBodyBytes = 8_192;
const maxHeaders = 20;
const maxHeaderLength = 300;

export type WebhookPoster = {
  /** @throws WebhookError */
  post(call: WebhookCall, signal: AbortSignal): Promise<WebhookAnswer>;
  /** Closes the connections that are kept for the next call. */
  close(): void;
};

/**
 * Makes what posts the calls of one webhook; connections are kept between calls.
 * @param allowsPrivate whether private networks and this machine are allowed
 */
export function webhookPoster({
  allowsPrivate,
  resolve = resolveByDns,
  timeoutMs = attemptTimeoutMs,
}: {
  allowsPrivate: boolean;
  resolve?: Resolve;
  timeoutMs?: number;
}): WebhookPoster {
  // The connection goes to the address that was checked: the name is not resolved a second time.
  const lookup: RequestOptions["lookup"] = (hostname, options, callback) => {
    resolve(hostname).then(
      (addresses) => {
        const isAllowed = addresses.every(({ address }) =>
          isAllowedAddress(address, { allowsPrivate }),
        );
        const [first] = addresses;
        if (!first) callback(new WebhookError("The host has no address."), "");
        else if (!isAllowed) callback(forbidden(), "");
        else if (options.all) callback(null, addresses);
        else callback(null, first.address, first.family);
      },
      () => callback(new WebhookError("The host is not known."), ""),
    );
  };
  const connections = { keepAlive: true, maxSockets: 20, lookup };
  const agents = { "http:": new HttpAgent(connections), "https:": new HttpsAgent(connections) };
  return {
    async post({ url, headers, body }, signal) {
      const target = new URL(url);
      const { protocol } = target;
      if (protocol !== "https:" && !(protocol === "http:" && allowsPrivate))
        throw new WebhookError("The address must begin with https.");
      const host = hostOf(target);
      if (isIP(host) && !isAllowedAddress(host, { allowsPrivate })) throw forbidden();
      const options = {
        method: "POST",
        agent: agents[protocol],
        headers: { ...headers, "Content-Length": String(Buffer.byteLength(body)) },
      };
      const request = protocol === "https:" ? httpsRequest : httpRequest;
      try {
        return await exchange(request(target, options), body, { signal, timeoutMs });
      } catch (cause) {
        if (cause instanceof WebhookError) throw cause;
        throw new WebhookError(
          knownReasons[codeOf(cause)] ?? `The receiver can't be reached: ${reasonOf(cause)}.`,
        );
      }
    },
    close() {
      for (const agent of Object.values(agents)) agent.destroy();
    },
  };
}

function forbidden(): WebhookError {
  return new WebhookError(
    "The host is in a private or reserved network, where webhooks may not be sent.",
  );
}

/**
 * Sends the call and settles in any case: with an answer, with an upgrade, with a closed connection or at the limit.
 * It has a timer and a listener of its own, because signals that are made from others cost as much as the call.
 */
function exchange(
  outgoing: ClientRequest,
  body: string,
  { signal, timeoutMs }: { signal: AbortSignal; timeoutMs: number },
): Promise<WebhookAnswer> {
  return new Promise<WebhookAnswer>((resolve, reject) => {
    let answer: IncomingMessage | null = null;
    const breakOff = (reason: string) => {
      // The status has decided, whatever of the answer is still to come.
      if (answer) return void answer.destroy();
      const error = new WebhookError(reason);
      reject(error);
      outgoing.destroy(error);
    };
    const timer = setTimeout(
      () => breakOff(`There was no answer within ${timeoutMs / 1_000} seconds.`),
      timeoutMs,
    );
    const onAbort = () => breakOff("The call was broken off.");
    if (signal.aborted) onAbort();
    signal.addEventListener("abort", onAbort);
    outgoing.once("close", () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", onAbort);
      if (!answer)
        reject(new WebhookError("The receiver closed the connection without an answer."));
    });
    outgoing.once("error", reject);
    // An answer of 101 leaves the connection to whoever asked for an upgrade, which nobody did.
    outgoing.once("upgrade", (incoming, socket) => {
      resolve({ status: 101, headers: firstHeaders(incoming.rawHeaders), body: "" });
      socket.destroy();
    });
    outgoing.once("response", (incoming) => {
      answer = incoming;
      const chunks: Buffer[] = [];
      let size = 0;
      const finish = () =>
        resolve({
          status: incoming.statusCode ?? 0,
          headers: firstHeaders(incoming.rawHeaders),
          body: toText(Buffer.concat(chunks).subarray(0, maxBodyBytes)),
        });
      incoming.on("data", (chunk: Buffer) => {
        chunks.push(chunk);
        size += chunk.length;
        // The status has decided; what else comes is of no use.
        if (size > maxBodyBytes) incoming.destroy();
      });
      incoming.once("end", finish).once("close", finish).once("error", finish);
    });
    outgoing.end(body);
  });
}

function firstHeaders(raw: readonly string[]): Record<string, string> {
  const headers: Record<string, string> = {};
  for (let at = 0; at < Math.min(raw.length, maxHeaders * 2); at += 2)
    headers[raw[at]!.slice(0, maxHeaderLength)] = toText(Buffer.from(raw[at + 1]!)).slice(
      0,
      maxHeaderLength,
    );
  return headers;
}

/** PostgreSQL stores no NUL. */
function toText(bytes: Buffer): string {
  return bytes.toString("utf8").replaceAll("\0", "�");
}

/** Reasons that people can do something about, by the code of the error. */
const knownReasons: Record<string, string> = {
  ECONNREFUSED: "The receiver refused the connection: nothing listens at this address.",
  ECONNRESET: "The receiver closed the connection without an answer.",
  EHOSTUNREACH: "There is no way to the receiver's network.",
  ENETUNREACH: "There is no way to the receiver's network.",
  ETIMEDOUT: "The receiver did not accept the connection in time.",
  CERT_HAS_EXPIRED: "The receiver's certificate has expired.",
  DEPTH_ZERO_SELF_SIGNED_CERT: "The receiver's certificate is not signed by a known authority.",
  SELF_SIGNED_CERT_IN_CHAIN: "The receiver's certificate is not signed by a known authority.",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "The receiver's certificate is not signed by a known authority.",
  ERR_TLS_CERT_ALTNAME_INVALID: "The receiver's certificate is for another name.",
};

function reasonOf(cause: unknown): string {
  const text = cause instanceof Error ? cause.message || cause.name : String(cause);
  return text
    .replace(/[\p{C}\s]+/gu, " ")
    .trim()
    .slice(0, 200)
    .replace(/\.$/, "");
}
