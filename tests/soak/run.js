import { spawnSync } from "node:child_process";
import path from "node:path";

/** `npm run soak` tests faults, properties and hostile input in more rounds than `npm test`. */
const { status } = spawnSync(
  process.execPath,
  [
    "node_modules/vitest/vitest.mjs",
    "run",
    "tests/faults",
    "tests/domain",
    "tests/http",
    ...process.argv.slice(2),
  ],
  {
    cwd: path.resolve(import.meta.dirname, "../.."),
    env: { ...process.env, SOAK: "1" },
    stdio: "inherit",
  },
);
process.exitCode = status ?? 1;
