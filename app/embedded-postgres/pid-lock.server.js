import { execFileSync } from "node:child_process";
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";

/**
 * A file that names the process which owns something: its pid and, because pids are given out
 * again, when that process began. Plain JavaScript, because the build step runs before any build.
 */

/**
 * @param {string} file
 * @returns {{owner: number} | {release: () => void}} the pid of the living owner, or a hold on the lock
 */
export function acquirePidLock(file) {
  const identity = identify(process.pid);
  const draft = `${file}.${process.pid}`;
  const claim = `${file}.claim`;
  for (;;) {
    writeFileSync(draft, `${identity}\n`, { mode: 0o600 });
    try {
      if (linked(draft, file)) return { release: () => release(file, identity) };

      const holder = read(file);
      if (holder === identity) throw new Error(`${file} is already held by this process`);
      if (isAlive(holder)) return { owner: pidOf(holder) };

      // Only the holder of the claim may replace a dead owner, else two could.
      if (!linked(draft, claim)) {
        if (!isAlive(read(claim))) rmSync(claim, { force: true });
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

/** @param {string} identity */
function isAlive(identity) {
  const pid = pidOf(identity);
  return Number.isInteger(pid) && pid > 0 && identify(pid) === identity;
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
