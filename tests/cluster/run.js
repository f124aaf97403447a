import { spawnSync } from "node:child_process";
import path from "node:path";

/**
 * `npm run cluster` tries what stands between the product and its database, with Debian's PgBouncer and HAProxy, reads
 * from a replica, kills each part of an installation with Patroni, and runs the HTTP tests through PgBouncer in both
 * modes. CONTRIBUTING names the packages. `npm run cluster -- transaction <path> …` runs tests through it in one mode.
 */
const [mode, ...paths] = process.argv.slice(2);
const modes = mode ? [mode] : ["session", "transaction"];
// Each has the processors for itself: one of them measures times.
const trials = mode ? [] : ["servers", "replica", "high-availability"];
const runs = [
  ...trials.map((name) => ({
    paths: [`tests/cluster/${name}.test.ts`],
    environment: { CLUSTER: "1" },
  })),
  ...modes.map((mode) => ({
    paths: paths.length > 0 ? paths : ["tests/http"],
    environment: { TEST_POOLING: mode },
  })),
];

const results = runs.map(({ paths, environment }) => {
  const { status } = spawnSync(process.execPath, ["tests/run.js", ...paths], {
    cwd: path.resolve(import.meta.dirname, "../.."),
    env: { ...process.env, ...environment },
    stdio: "inherit",
  });
  const [variables] = Object.entries(environment).map((entry) => entry.join("="));
  return { name: `${variables} ${paths.join(" ")}`, isPassed: status === 0 };
});
for (const { name, isPassed } of results) console.log(`${isPassed ? "passed" : "FAILED"}  ${name}`);
process.exitCode = results.every(({ isPassed }) => isPassed) ? 0 : 1;
