import { vanillaExtractPlugin } from "@vanilla-extract/vite-plugin";
import { defineConfig } from "vitest/config";
import { testSecret } from "./tests/support/app-secret.ts";
import { isSoak } from "./tests/support/repetitions.ts";
import { workers } from "./tests/support/workers.ts";

/** Files that replace a module, which others would get too, or have loaded before. */
const mocking = ["app/ui/connection/probe.test.ts", "tests/security/hashing.test.ts"];

/** Kills and limits of 100,000 rows, which only `npm run soak` tries. */
const soakOnly = isSoak ? [] : ["tests/soak/**"];

/** Tests with Debian's PgBouncer and HAProxy, which only `npm run cluster` runs. */
const clusterOnly = process.env.CLUSTER ? [] : ["tests/cluster/**"];

/**
 * Watches sources until it is stopped, without what tests write. A single run watches nothing: vitest 4.1 says so to its
 * first server only, and those of its projects would take a twentieth of the time of all tests.
 */
const watch = process.argv.includes("run")
  ? null
  : { ignored: ["**/.cache/**", "**/.data/**", "**/build/**"] };

export default defineConfig({
  plugins: [vanillaExtractPlugin()],
  server: { watch },
  test: {
    environment: "node",
    maxWorkers: workers,
    env: { APP_SECRET: testSecret },
    globalSetup: ["tests/support/postgres-cluster.ts"],
    // A busy machine is slow, not wrong.
    testTimeout: 120_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 20_000 } },
    // One more that loads all modules would take a twentieth of the time of all tests.
    projects: [
      {
        extends: true,
        test: {
          name: "tests",
          // Each file has a database of its own, closes its connections, and keeps nothing else.
          isolate: false,
          include: ["{app,tests}/**/*.test.{ts,tsx}", "styles/**/*.test.ts"],
          exclude: ["tests/browser/**", ...soakOnly, ...clusterOnly, ...mocking],
        },
      },
      { extends: true, test: { name: "mocking", include: mocking } },
    ],
  },
});
