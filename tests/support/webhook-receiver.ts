import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Webhook } from "standardwebhooks";
import { onTestFinished } from "vitest";
import type { ApiEvent } from "../../app/features/events/event";

export type ReceivedCall = {
  path: string;
  headers: Record<string, string>;
  body: string;
  event: ApiEvent;
  /** The status that it was answered with; null before, or if it never was. */
  status: number | null;
};

/** Checks the signature of a call. @throws Error if the key did not sign it */
export const verify = ({ body, headers }: ReceivedCall, key: string) =>
  new Webhook(key).verify(body, headers);

type Answering = (
  call: ReceivedCall,
  response: ServerResponse,
  request: IncomingMessage,
) => number | null | Promise<number | null>;

/**
 * Starts a receiver of webhooks on loopback, which ends with the test.
 * @param answer returns the status; null leaves the response to it
 */
export async function startReceiver(answer: Answering = () => 204, port = 0) {
  const calls: ReceivedCall[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const body = Buffer.concat(chunks).toString("utf8");
      const call: ReceivedCall = {
        path: request.url ?? "",
        headers: request.headers as Record<string, string>,
        body,
        event: JSON.parse(body) as ApiEvent,
        status: null,
      };
      calls.push(call);
      void Promise.resolve(answer(call, response, request)).then((status) => {
        if (status === null) return;
        call.status = status;
        response.writeHead(status).end();
      });
    });
  });
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  const { port: actual } = server.address() as AddressInfo;
  const close = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  onTestFinished(close);
  return { url: `http://127.0.0.1:${actual}/hook`, port: actual, calls, close };
}

/** Returns the events that were accepted for each subject, in order and without repetitions. */
export function acceptedBySubject(calls: readonly ReceivedCall[]): Map<string, string[]> {
  const accepted = new Map<string, string[]>();
  for (const { event, status } of calls) {
    if (status === null || status >= 300) continue;
    const ids = accepted.get(event.subject) ?? [];
    if (!ids.includes(event.id)) ids.push(event.id);
    accepted.set(event.subject, ids);
  }
  return accepted;
}
