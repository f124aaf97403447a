import { spawn } from "node:child_process";
import { cpSync, rmSync, symlinkSync } from "node:fs";
import path from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { dataFolder } from "../support/app";
import { processesIn } from "../support/processes-in.js";

it("ends a build with the start that it is for", async () => {
  const checkout = dataFolder();
  onTestFinished(() => rmSync(checkout, { recursive: true, force: true }));
  const sources = ["app", "migrations", "public", "styles"];
  const files = ["package.json", "remix.config.js", "tsconfig.json", "vite.config.ts"];
  for (const name of [...sources, ...files])
    cpSync(path.resolve(name), path.join(checkout, name), { recursive: true });
  symlinkSync(path.resolve("node_modules"), path.join(checkout, "node_modules"));

  const main = path.join(checkout, "app/server/main.js");
  const start = spawn(process.execPath, [main], { cwd: checkout, stdio: "ignore" });
  const others = () => processesIn(checkout).filter((id) => id !== start.pid);
  await expect.poll(others).not.toEqual([]);
  start.kill("SIGTERM");
  await expect.poll(() => processesIn(checkout), { timeout: 10_000 }).toEqual([]);
});
