import type { AddressInfo } from "node:net";
import { SMTPServer, type SMTPServerOptions } from "smtp-server";
import { onTestFinished } from "vitest";

export type ReceivedMail = { from: string; recipients: string[]; raw: string };

type Answer = (error?: Error | null) => void;
type Behaviour = {
  /** Answers RCPT TO; by default accepts. */
  onRecipient?: (address: string, answer: Answer) => void;
  /** Answers the end of DATA; by default accepts. `drop` closes the connection without an answer. */
  onMail?: (mail: ReceivedMail, answer: Answer, drop: () => void) => void;
  options?: SMTPServerOptions;
};

/** Makes the answer of a server: '550 No such user'. */
export function smtpError(responseCode: number, message: string): Error {
  return Object.assign(new Error(message), { responseCode });
}

/**
 * Runs a real SMTP server on loopback.
 * @param atEnd is given the function that stops it; by default it stops when the test ends
 */
export async function startSmtp(
  behaviour: Behaviour = {},
  atEnd: (stop: () => Promise<void>) => void = onTestFinished,
) {
  const received: ReceivedMail[] = [];
  let connections = 0;
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    disableReverseLookup: true,
    closeTimeout: 100,
    onConnect(_session, answer) {
      connections++;
      answer();
    },
    onRcptTo({ address }, _session, answer) {
      if (behaviour.onRecipient) behaviour.onRecipient(address, answer);
      else answer();
    },
    onData(stream, session, answer) {
      let raw = "";
      stream.setEncoding("utf8");
      stream.on("data", (chunk: string) => (raw += chunk));
      stream.on("end", () => {
        const { mailFrom, rcptTo } = session.envelope;
        const mail = {
          from: mailFrom ? mailFrom.address : "",
          recipients: rcptTo.map(({ address }) => address),
          raw,
        };
        const accept: Answer = (error) => {
          if (!error) received.push(mail);
          answer(error);
        };
        if (behaviour.onMail) behaviour.onMail(mail, accept, dropConnections);
        else accept();
      });
    },
    ...behaviour.options,
  });
  const dropConnections = () => {
    const { connections: open } = server as unknown as {
      connections: Set<{ _socket: { destroy(): void } }>;
    };
    for (const { _socket } of open) _socket.destroy();
  };
  server.on("error", () => {});
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.server.address() as AddressInfo;
  const stop = () => new Promise<void>((resolve) => server.close(() => resolve()));
  atEnd(stop);
  return {
    received,
    url: `smtp://127.0.0.1:${port}`,
    connectionCount: () => connections,
    dropConnections,
    stop,
  };
}

/** Returns a header of a mail as it was sent, unfolded. */
export function headerOf({ raw }: ReceivedMail, name: string): string | undefined {
  const head = raw.split("\r\n\r\n")[0]!.replace(/\r\n[ \t]/g, " ");
  return new RegExp(`^${name}: (.*)$`, "im").exec(head)?.[1];
}

/** Returns the texts of a mail, decoded from quoted-printable. */
export function bodyOf({ raw }: ReceivedMail): string {
  const bytes = raw
    .slice(raw.indexOf("\r\n\r\n"))
    .replace(/=\r\n/g, "")
    .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, "latin1").toString("utf8");
}
