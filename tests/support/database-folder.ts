import { mkdtempSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { isSoak } from "./repetitions";

const memory = "/dev/shm";
/** A run of all tests takes up to 1 GiB. */
const minFreeBytes = 3 * 1024 ** 3;

/** Makes a folder for data of PostgreSQL: in memory where there is room, as disks take 200 ms for the 600 files of a database. */
export function makeDatabaseFolder(prefix: string): string {
  return mkdtempSync(path.join(!isSoak && hasRoom() ? memory : tmpdir(), prefix));
}

function hasRoom(): boolean {
  try {
    const { bavail, bsize } = statfsSync(memory);
    return Math.min(bavail * bsize, process.availableMemory()) > minFreeBytes;
  } catch {
    return false;
  }
}
