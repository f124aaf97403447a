/**
 * Kills all processes that work in a folder and removes it, once its standard input ends. Whoever starts it holds the
 * other end, which the system closes however that process ends.
 */
import { rmSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { processesIn } from "../support/processes-in.js";

const [folder = ""] = process.argv.slice(2);
for await (const chunk of process.stdin) void chunk;

for (let pids = processesIn(folder); pids.length > 0; pids = processesIn(folder)) {
  for (const pid of pids) kill(pid);
  await delay(50);
}
rmSync(folder, { recursive: true, force: true, maxRetries: 10 });

/** @param {number} pid */
function kill(pid) {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It has ended meanwhile.
  }
}
