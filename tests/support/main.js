import { cpSync, rmSync } from "node:fs";
import path from "node:path";
import { setClockOff } from "./clock-off.js";

/**
 * Saves 1 to 2 s of processor at each of the hundred starts of a test run: runs the built product again and again, each
 * time with the environment that the parent sends. Its packages are loaded once; its own modules are loaded anew, from a
 * copy, only where they keep what another environment has: secrets, addresses and metrics. The parent is sent the code
 * with which the product would have ended the process. Tests send from one address what many clients would.
 */
const exit = process.exit.bind(process);
const signals = ["SIGTERM", "SIGINT", "SIGHUP", "uncaughtException", "unhandledRejection"];
const copies = path.resolve(".cache/products", String(process.pid));
/** Loaded builds by what they keep of an environment. @type {Map<string, Promise<any>>} */
const builds = new Map();

/** Loads the modules of the product, or returns those that keep the same of an environment. */
function loadBuild(/** @type {Record<string, string>} */ environment) {
  const { APP_SECRET, APP_ORIGIN, METRICS_TOKEN, DATA_DIR, CLOCK_OFF_MS } = environment;
  const secret = APP_SECRET ?? DATA_DIR;
  const name = JSON.stringify([secret, APP_ORIGIN, METRICS_TOKEN, CLOCK_OFF_MS]);
  let build = builds.get(name);
  if (!build) {
    const copy = path.join(copies, String(builds.size));
    cpSync("build/server", copy, { recursive: true });
    build = import(path.join(copy, "index.js"));
    builds.set(name, build);
  }
  return build;
}

process.on("message", async (message) => {
  const environment = /** @type {Record<string, string>} */ (message);
  process.env = { NODE_ENV: "production", DATA_DIR: path.join(copies, "data"), ...environment };
  setClockOff(Number(process.env.CLOCK_OFF_MS ?? 0));
  const build = await loadBuild(environment);
  await build.entry.module.start({
    build: () => Promise.resolve(build),
    clientFolder: path.resolve("build/client"),
    limits: {
      unreadBodiesPerClient: 1_000,
      runningPerClient: 1_000,
      signInsPerClient: 1_000,
      connectionsPerPeer: 1_000,
    },
  });
});

const removeCopies = () => rmSync(copies, { recursive: true, force: true });
process.once("exit", removeCopies);
process.exit = /** @type {typeof process.exit} */ (
  (code) => {
    for (const signal of signals) process.removeAllListeners(signal);
    process.send?.(code);
  }
);
process.on("disconnect", () => exit());
