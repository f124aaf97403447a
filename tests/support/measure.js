import { spawnSync } from "node:child_process";
import path from "node:path";

/** Runs a program of TypeScript, the first argument, in production mode with the other arguments. */
const { status } = spawnSync(process.execPath, ["--import", "tsx", ...process.argv.slice(2)], {
  cwd: path.resolve(import.meta.dirname, "../.."),
  env: {
    ...process.env,
    NODE_ENV: "production",
    APP_SECRET: "of measurements and nothing but measurements",
  },
  stdio: "inherit",
});
process.exitCode = status ?? 1;
