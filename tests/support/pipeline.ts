import { mkdtempSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import type { Server, ServerOptions } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { Writable } from "node:stream";
import type { LoaderFunctionArgs, ServerBuild } from "@remix-run/node";
import { afterAll, beforeAll, beforeEach } from "vitest";
import { handleError } from "../../app/entry.server";
import { createHttpHandler } from "../../app/server/http-pipeline.server";
import { createHttpServer } from "../../app/server/listen.server";
import { createLoadLimits, type defaultLimits } from "../../app/server/load-limits.server";
import { createLog } from "../../app/server/request-log.server";
import { send, type Answer, type Sending } from "./server";

const future = {
  v3_fetcherPersist: true,
  v3_relativeSplatPath: true,
  v3_throwAbortReason: true,
  v3_routeConfig: false,
  v3_singleFetch: false,
  v3_lazyRouteDiscovery: false,
  unstable_optimizeDeps: false,
};

type Loader = (args: LoaderFunctionArgs) => unknown;

/**
 * Runs the HTTP pipeline alone, before a build whose routes do what a test wants: `/screen`, `/login`,
 * `/download` and `/api/x`.
 */
export function usePipeline({
  limits = {},
  metricsToken = null,
  times = {},
}: {
  limits?: Partial<typeof defaultLimits>;
  metricsToken?: string | null;
  /** Limits on the time that requests take to arrive. */
  times?: ServerOptions;
} = {}) {
  let server: Server;
  const pipeline = {
    /** Runs for loaders and actions. */
    loader: (() => null) as Loader,
    isReady: async () => true,
    isDatabaseAlive: async () => true,
    origin: "",
    clientFolder: "",
    /** The lines logged in this test. */
    lines: [] as string[],
    send: (target: string, sending?: Sending): Promise<Answer> =>
      send(pipeline.origin, target, sending),
  };
  const run: Loader = (args) => pipeline.loader(args);
  const module = { loader: run, action: run };
  const build = {
    entry: {
      module: {
        default: (_request: Request, status: number) => new Response("<p>page</p>", { status }),
        handleError,
      },
    },
    routes: {
      screen: { id: "screen", path: "screen", module: { ...module, default: () => null } },
      login: { id: "login", path: "login", module: { ...module, default: () => null } },
      download: { id: "download", path: "download", module },
      api: { id: "api", path: "api/x", module },
      rest: {
        id: "rest",
        path: "*",
        module: { loader: () => Response.json(null, { status: 404 }), default: () => null },
      },
    },
    assets: { entry: { imports: [], module: "" }, routes: {}, url: "", version: "1" },
    publicPath: "/",
    assetsBuildDirectory: "",
    future,
    isSpaMode: false,
  } as unknown as ServerBuild;

  beforeAll(async () => {
    const folder = (pipeline.clientFolder = mkdtempSync(path.join(tmpdir(), "promo-client-")));
    mkdirSync(path.join(folder, "assets"));
    writeFileSync(path.join(folder, "assets/a-1.js"), "let a = 1;");
    writeFileSync(path.join(folder, "assets/a-1.js.br"), "brotli");
    writeFileSync(path.join(folder, "assets/a-1.js.gz"), "gzip");
    writeFileSync(path.join(folder, "service-worker.js"), "// worker");
    const log = createLog(
      new Writable({
        write(chunk, _encoding, done) {
          pipeline.lines.push(String(chunk));
          done();
        },
      }),
    );
    const loadLimits = createLoadLimits({
      runningPerClient: 1_000,
      connectionsPerPeer: 1_000,
      ...limits,
    });
    server = createHttpServer(times).on(
      "request",
      createHttpHandler({
        build: async () => build,
        clientFolder: folder,
        appOrigin: "http://localhost:0",
        trustProxy: 1,
        isReady: () => pipeline.isReady(),
        isDatabaseAlive: () => pipeline.isDatabaseAlive(),
        metricsToken,
        limits: loadLimits,
        log,
        stallTimeoutMs: 1_500,
      }),
    );
    server.on("connection", loadLimits.onConnection);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    pipeline.origin = `http://localhost:${(server.address() as AddressInfo).port}`;
  });
  afterAll(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    rmSync(pipeline.clientFolder, { recursive: true });
  });
  beforeEach(() => {
    pipeline.lines = [];
    pipeline.isReady = pipeline.isDatabaseAlive = async () => true;
  });
  return pipeline;
}

export type Pipeline = ReturnType<typeof usePipeline>;
