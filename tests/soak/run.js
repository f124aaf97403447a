import { spawnSync } from "node:child_process";
import path from "node:path";

const names = process.argv.slice(2);
const usual = [
  ...["tests/soak", "tests/faults", "tests/domain", "tests/http", "tests/security"],
  ...["tests/demo", "tests/browser", "app/codec", "app/features/labels"],
];

/** `npm run soak` runs tests with more rounds and rows than `npm test`, and those of tests/soak. */
const { status } = spawnSync(
  process.execPath,
  ["tests/run.js", ...(names.length > 0 ? names : usual)],
  {
    cwd: path.resolve(import.meta.dirname, "../.."),
    env: { ...process.env, SOAK: "1" },
    stdio: "inherit",
  },
);
process.exitCode = status ?? 1;
