import { execFileSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import {
  existsSync,
  linkSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";

/**
 * A file that names the process which owns a folder: its pid; when that process began, because pids are
 * given out again; which folder it is, because a copy of the folder has a copy of the file; and in which PID
 * namespace the pid counts, because a process of another container can't be looked up. Such a holder is alive as long
 * as it touches the file. Plain JavaScript, because the build step runs before any build.
 */

const touchMs = 5_000;
/** How long a lock of another container stays untouched before its holder counts as dead. */
const abandonedMs = 20_000;
const lookMs = 500;
/** The PID namespace of a machine, outside of containers. Linux gives it the same number everywhere. */
const machineNamespace = "pid:[4026531836]";

/**
 * @param {string} file
 * @param {object} [options]
 * @param {string} [options.namespace] another one than that of this process, for tests
 * @param {() => void} [options.onWait] told when a holder of another container is watched, for up to 20 s
 * @param {() => void} [options.onLost] told when another process has taken the lock over, because this one stood still, or the file
 *   was deleted
 * @returns {Promise<{owner: number, isElsewhere: boolean} | {release: () => void}>} the pid of the living owner, and
 *   whether it counts in another container; or a hold on the lock
 */
export async function acquirePidLock(file, options = {}) {
  const { namespace = pidNamespace(), onWait, onLost = () => {} } = options;
  const folder = identifyFolder(path.dirname(file));
  const identity = `${identify(process.pid)} in ${folder} in ${namespace}`;
  // Processes of several containers have the same pid.
  const draft = `${file}.${randomUUID()}`;
  const claim = `${file}.claim`;
  for (;;) {
    writeFileSync(draft, `${identity}\n`, { mode: 0o600 });
    try {
      if (linked(draft, file)) return hold(file, identity, onLost);

      const holder = read(file);
      if (holder === identity) throw new Error(`${file} is already held by this process`);
      if (await isHeld(file, namespace, onWait))
        return { owner: pidOf(holder), isElsewhere: isElsewhere(holder, namespace) };

      // Only the holder of the claim may replace a dead owner, else two could.
      if (!linked(draft, claim)) {
        if (!(await isHeld(claim, namespace))) rmSync(claim, { force: true });
        continue;
      }
      const isStillDead = read(file) === holder;
      if (isStillDead) renameSync(draft, file);
      rmSync(claim, { force: true });
      if (isStillDead) return hold(file, identity, onLost);
    } finally {
      rmSync(draft, { force: true });
    }
  }
}

/**
 * Returns the pid of the process of this container, or this machine, that holds a lock, or null if none does.
 * @param {string} file
 */
export function pidLockOwner(file) {
  const holder = read(file);
  return !isElsewhere(holder, pidNamespace()) && isAlive(holder, file) ? pidOf(holder) : null;
}

/**
 * Returns what tells a folder from its copies and from what had its path before.
 * @param {string} folder
 */
export function identifyFolder(folder) {
  const { dev, ino } = statSync(folder);
  return `${dev}:${ino}`;
}

/** @param {string} file @param {string} identity @param {() => void} onLost */
function hold(file, identity, onLost) {
  const timer = setInterval(() => {
    const holder = read(file);
    if (holder === identity) touch(file);
    else if (holder !== "" || !existsSync(file)) {
      clearInterval(timer);
      onLost();
    }
  }, touchMs);
  timer.unref();
  const release = () => {
    clearInterval(timer);
    if (read(file) === identity) rmSync(file, { force: true });
  };
  return { release };
}

/** @param {string} file */
function touch(file) {
  try {
    utimesSync(file, new Date(), new Date());
  } catch {
    // A lock that cannot be touched cannot be taken over either.
  }
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

/** @param {string} file @param {string} namespace @param {() => void} [onWait] */
async function isHeld(file, namespace, onWait) {
  const holder = read(file);
  if (!isElsewhere(holder, namespace)) return isAlive(holder, file);
  onWait?.();
  return isTouched(file);
}

/** @param {string} holder @param {string} namespace */
function isElsewhere(holder, namespace) {
  // Earlier releases didn't name the namespace.
  const [, , itsNamespace = namespace] = holder.split(" in ");
  return itsNamespace !== namespace;
}

/** @param {string} holder @param {string} file */
function isAlive(holder, file) {
  const pid = pidOf(holder);
  if (!(pid > 0)) return false;
  const here = identifyFolder(path.dirname(file));
  // Nor did they name the folder, at first.
  const [owner, folder = here] = holder.split(" in ");
  return identify(pid) === owner && folder === here;
}

/**
 * Watches a lock until it changes, for up to 20 s. Its times are compared with each other alone, so no clock matters.
 * @param {string} file
 * @returns {Promise<boolean>} whether it is held: it was touched, or another process has it now
 */
async function isTouched(file) {
  const before = touchedAt(file);
  for (let waitedMs = 0; waitedMs < abandonedMs; waitedMs += lookMs) {
    await new Promise((resolve) => setTimeout(resolve, lookMs));
    const now = touchedAt(file);
    if (now !== before) return now !== null;
  }
  return false;
}

/** @param {string} file */
function touchedAt(file) {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? null;
}

/** Returns the name of the processes that have a pid here. Those of containers are unique until the next boot only. */
function pidNamespace() {
  try {
    const namespace = readlinkSync("/proc/self/ns/pid");
    return namespace === machineNamespace ? namespace : `${namespace} ${bootId()}`;
  } catch {
    return machineNamespace;
  }
}

function bootId() {
  return readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
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
      return `${pid} ${bootId()} ${rest[18]}`;
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
