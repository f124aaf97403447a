import { execFileSync } from "node:child_process";
import { linkSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";

/**
 * A file that names the process which owns a folder: its pid; when that process began, because pids are
 * given out again; and which folder it is, because a copy of the folder has a copy of the file. Plain
 * JavaScript, because the build step runs before any build.
 */

/**
 * @param {string} file
 * @returns {{owner: number} | {release: () => void}} the pid of the living owner, or a hold on the lock
 */
export function acquirePidLock(file) {
  const identity = `${identify(process.pid)} in ${identifyFolder(path.dirname(file))}`;
  const draft = `${file}.${process.pid}`;
  const claim = `${file}.claim`;
  for (;;) {
    writeFileSync(draft, `${identity}\n`, { mode: 0o600 });
    try {
      if (linked(draft, file)) return { release: () => release(file, identity) };

      const holder = read(file);
      if (holder === identity) throw new Error(`${file} is already held by this process`);
      if (isHeld(file)) return { owner: pidOf(holder) };

      // Only the holder of the claim may replace a dead owner, else two could.
      if (!linked(draft, claim)) {
        if (!isHeld(claim)) rmSync(claim, { force: true });
        continue;
      }
      const isStillDead = read(file) === holder;
      if (isStillDead) renameSync(draft, file);
      rmSync(claim, { force: true });
      if (isStillDead) return { release: () => release(file, identity) };
    } finally {
      rmSync(draft, { force: true });
    }
  }
}

/**
 * Returns the pid of the process that holds a lock, or null if none does.
 * @param {string} file
 */
export function pidLockOwner(file) {
  return isHeld(file) ? pidOf(read(file)) : null;
}

/**
 * Returns what tells a folder from its copies and from what had its path before.
 * @param {string} folder
 */
export function identifyFolder(folder) {
  const { dev, ino } = statSync(folder);
  return `${dev}:${ino}`;
}

/** @param {string} file @param {string} identity */
function release(file, identity) {
  if (read(file) === identity) rmSync(file, { force: true });
}

/** @param {string} from @param {string} to */
function linked(from, to) {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EEXIST") return false;
    throw error;
  }
}

/** @param {string} file */
function read(file) {
  try {
    return readFileSync(file, "utf8").trim();
  } catch {
    return "";
  }
}

/** @param {string} identity */
function pidOf(identity) {
  return Number(identity.split(" ")[0]);
}

/** @param {string} file */
function isHeld(file) {
  const holder = read(file);
  if (holder === "") return false;
  const here = identifyFolder(path.dirname(file));
  // Releases before this one didn't name the folder.
  const [owner, folder = here] = holder.split(" in ");
  const pid = pidOf(holder);
  return pid > 0 && identify(pid) === owner && folder === here;
}

/**
 * `pid start`, where the start is taken from the system, or `pid gone`.
 * @param {number} pid
 */
function identify(pid) {
  try {
    if (process.platform === "linux") {
      const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
      // The name in brackets may hold spaces; the start time is the 20th field after it.
      const [state, ...rest] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
      if (state === "Z" || state === "X") return `${pid} gone`;
      const boot = readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
      return `${pid} ${boot} ${rest[18]}`;
    }
    const started = execFileSync("/bin/ps", ["-o", "lstart=", "-p", String(pid)], {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    });
    return `${pid} ${started.trim()}`;
  } catch {
    return `${pid} gone`;
  }
}
