import { cpSync, rmSync } from "node:fs";
import path from "node:path";
import { setClockOff } from "./clock-off.js";

/**
 * Saves 1 s of processor at each of the hundred starts of a test run: runs the built product again and again, each time
 * with the environment that the parent sends. Its packages are loaded once; its own modules are loaded anew each time,
 * from a copy. The parent is sent the code with which the product would have ended the process. Tests send from one
 * address what many clients would.
 */
const exit = process.exit.bind(process);
const signals = ["SIGTERM", "SIGINT", "uncaughtException", "unhandledRejection"];
const copies = path.resolve(".cache/products", String(process.pid));
let starts = 0;

process.on("message", async (environment) => {
  process.env = { NODE_ENV: "production", .../** @type {Record<string, string>} */ (environment) };
  setClockOff(Number(process.env.CLOCK_OFF_MS ?? 0));
  const copy = path.join(copies, String(starts++));
  cpSync("build/server", copy, { recursive: true });
  const build = await import(path.join(copy, "index.js"));
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
    removeCopies();
    for (const signal of signals) process.removeAllListeners(signal);
    process.send?.(code);
  }
);
process.on("disconnect", () => exit());
