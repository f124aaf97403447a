import { spawnSync } from "node:child_process";
import path from "node:path";

const { status } = spawnSync(
  process.execPath,
  ["--import", "tsx", "tests/bench/bench.ts", ...process.argv.slice(2)],
  {
    cwd: path.resolve(import.meta.dirname, "../.."),
    env: { ...process.env, NODE_ENV: "production" },
    stdio: "inherit",
  },
);
process.exitCode = status ?? 1;
