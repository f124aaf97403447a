import { spawnSync } from "node:child_process";
import path from "node:path";

const { status } = spawnSync(
  process.execPath,
  ["--import", "tsx", "tests/bench/bench.ts", ...process.argv.slice(2)],
  {
    cwd: path.resolve(import.meta.dirname, "../.."),
    env: {
      ...process.env,
      NODE_ENV: "production",
      APP_SECRET: "of the bench and nothing but the bench",
    },
    stdio: "inherit",
  },
);
process.exitCode = status ?? 1;
