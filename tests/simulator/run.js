import { spawn } from "node:child_process";
import path from "node:path";

const child = spawn(
  process.execPath,
  ["--import", "tsx", "tests/simulator/simulator.ts", ...process.argv.slice(2)],
  { cwd: path.resolve(import.meta.dirname, "../.."), stdio: "inherit" },
);
// Ctrl-C reaches both: this one waits until the other has ended cleanly.
process.on("SIGINT", () => {});
process.on("SIGTERM", () => child.kill("SIGTERM"));
child.on("exit", (code) => (process.exitCode = code ?? 1));
