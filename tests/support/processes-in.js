import { readdirSync, readlinkSync } from "node:fs";
import path from "node:path";

/** Returns the ids of the processes that work in a folder or below it. @param {string} folder */
export function processesIn(folder) {
  const isInside = (/** @type {string} */ pid) => {
    try {
      return `${readlinkSync(`/proc/${pid}/cwd`)}/`.startsWith(`${path.resolve(folder)}/`);
    } catch {
      // It has ended, or is another user's.
      return false;
    }
  };
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && isInside(name))
    .map(Number);
}
