import { vanillaExtractPlugin } from "@vanilla-extract/vite-plugin";
import { defineConfig } from "vitest/config";

export default defineConfig({
  plugins: [vanillaExtractPlugin()],
  test: {
    environment: "node",
    maxWorkers: 2,
    projects: [
      {
        extends: true,
        test: {
          name: "beside",
          // These keep nothing between files, and loading the modules again costs more than the tests.
          isolate: false,
          include: ["app/**/*.test.{ts,tsx}", "styles/**/*.test.ts"],
          // So that a busy machine is slow, not wrong.
          testTimeout: 60_000,
        },
      },
      {
        extends: true,
        test: {
          name: "tests",
          include: ["tests/**/*.test.{ts,tsx}"],
          exclude: ["tests/browser/**"],
          globalSetup: ["tests/support/postgres-cluster.ts"],
          testTimeout: 60_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
});
