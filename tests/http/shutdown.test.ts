import { once } from "node:events";
import { get, Agent, type IncomingMessage, type RequestListener } from "node:http";
import { connect } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { createHttpServer, listen } from "../../app/server/listen.server";

const noWait = { requestMs: 10_000, downloadMs: 20_000 };

async function serve(handle: RequestListener, host = "127.0.0.1") {
  let port = 0;
  const listener = await listen(createHttpServer(), handle, {
    host,
    port: 0,
    isBehindProxy: false,
    onPort: (chosen) => (port = chosen),
    onConnection: () => {},
    isExempt: () => false,
  });
  onTestFinished(() => listener.stop(0, { requestMs: 0, downloadMs: 0 }));
  return { ...listener, port };
}

function request(
  port: number,
  { host = "127.0.0.1", agent }: { host?: string; agent?: Agent } = {},
) {
  const outgoing = get({ host, port, path: "/", agent: agent ?? false });
  return new Promise<IncomingMessage>((resolve, reject) =>
    outgoing.once("response", resolve).once("error", reject),
  );
}

/** Resolves to the text, or to the code of the error that ended it. */
async function read(answer: Promise<IncomingMessage>): Promise<string> {
  try {
    const chunks = (await (await answer).toArray()) as Buffer[];
    return Buffer.concat(chunks).toString();
  } catch (error) {
    return String((error as NodeJS.ErrnoException).code);
  }
}

function isListening(port: number, host: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, host).once("error", () => resolve(false));
    socket.once("connect", () => {
      socket.destroy();
      resolve(true);
    });
  });
}

/** A handler that waits, and what tells that it has been called. */
function holdAnswers(begin: RequestListener = () => {}) {
  let release = () => {};
  let arrive = () => {};
  const gate = new Promise<void>((resolve) => (release = resolve));
  const arrived = new Promise<void>((resolve) => (arrive = resolve));
  const handle: RequestListener = (incoming, response) => {
    begin(incoming, response);
    arrive();
    void gate.then(() => response.end("done"));
  };
  return { handle, arrived, release };
}

it("answers during the drain, each time as the last answer of a connection", async () => {
  const { port, stop } = await serve((_request, response) => response.end("done"));
  const agent = new Agent({ keepAlive: true });
  expect((await request(port, { agent })).resume().headers.connection).toBe("keep-alive");
  let isStopped = false;
  const stopped = stop(1_500, noWait).then(() => (isStopped = true));
  const during = await request(port, { agent });
  expect(during.headers.connection).toBe("close");
  expect(await read(Promise.resolve(during))).toBe("done");
  expect(isStopped).toBe(false);
  await stopped;
  expect(await read(request(port))).toBe("ECONNREFUSED");
});

it.each(["127.0.0.1", "::1"])("finishes what runs when it stops (%s)", async (host) => {
  const held = holdAnswers();
  const { port, stop } = await serve(held.handle, "localhost");
  const answer = read(request(port, { host }));
  await held.arrived;
  const stopped = stop(0, noWait);
  await expect.poll(() => isListening(port, host)).toBe(false);
  held.release();
  expect(await answer).toBe("done");
  await stopped;
});

it("gives downloads more time than pages", async () => {
  const page = holdAnswers();
  const download = holdAnswers((_request, response) => response.write("begun, "));
  const { port, stop } = await serve((incoming, response) =>
    (incoming.headers["x-kind"] === "download" ? download : page).handle(incoming, response),
  );
  const outgoing = get({ port, agent: false, headers: { "X-Kind": "download" } });
  const [answer] = (await once(outgoing, "response")) as [IncomingMessage];
  const lost = read(request(port));
  await page.arrived;
  const stopped = stop(0, { requestMs: 50, downloadMs: 20_000 });
  expect(await lost).toBe("ECONNRESET");
  download.release();
  expect(await read(Promise.resolve(answer))).toBe("begun, done");
  await stopped;
});
