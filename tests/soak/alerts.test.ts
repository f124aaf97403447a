import { spawnSync } from "node:child_process";
import { expect, it } from "vitest";

const promtool = (...args: string[]) => spawnSync("promtool", args, { encoding: "utf8" });
const isInstalled = promtool("--version").status === 0;
if (!isInstalled) console.log("The alert rules are not tried: promtool is missing.");

it.runIf(isInstalled).each([
  ["follow the format of Prometheus", ["check", "rules", "app/server/alerts.yml"]],
  ["fire when they should, and only then", ["test", "rules", "tests/soak/alerts.yml"]],
])("alert rules %s", (_behaviour, args) => {
  const { status, stdout, stderr } = promtool(...args);
  expect(status, stdout + stderr).toBe(0);
});
