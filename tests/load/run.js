import { spawnSync } from "node:child_process";
import path from "node:path";

const { status } = spawnSync(
  process.execPath,
  ["--import", "tsx", "tests/load/load.ts", ...process.argv.slice(2)],
  {
    cwd: path.resolve(import.meta.dirname, "../.."),
    env: {
      ...process.env,
      NODE_ENV: "production",
      APP_SECRET: "of the load and nothing but the load",
    },
    stdio: "inherit",
  },
);
process.exitCode = status ?? 1;
