import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import {
  chmodSync,
  chownSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { makeDatabaseFolder } from "../support/database-folder";
import { processesIn } from "../support/processes-in.js";

/** A program that runs in a folder of its own. */
export type Service = {
  folder: string;
  start: () => void;
  signal: (signal: NodeJS.Signals) => void;
  /** Kills all its processes with SIGKILL, and waits until they are gone. */
  kill: () => Promise<void>;
  /** Waits until it ends, and returns its exit code. */
  ended: () => Promise<number | null>;
  /** Everything that it has printed since its first start. */
  output: () => string;
};

type Account = { uid: number; gid: number };

type Program = {
  name: string;
  command: [string, ...string[]];
  env?: Record<string, string>;
  /** Folder in which it works, by default one of its own. */
  cwd?: string;
  /** Whether it refuses to run as root. */
  isUnprivileged?: boolean;
};

export type Services = {
  folder: string;
  /** Fills a file of `configuration` and writes it into the folder of a service. @returns its path */
  configure: (name: string, file: string, variables: Record<string, string | number>) => string;
  /** Makes a file that only the service reads. */
  write: (name: string, file: string, content: string) => string;
  define: (program: Program) => Service;
  /** Ends all processes and removes the folder. */
  end: () => Promise<void>;
};

/**
 * Opens a folder in which services run. All of them end with this process, in whatever way that ends. Under root, what
 * refuses it runs as the user postgres.
 */
export function openServices(): Services {
  const folder = makeDatabaseFolder("promo-cluster-");
  chmodSync(folder, 0o755);
  const cleaner = spawn(process.execPath, [path.join(import.meta.dirname, "cleaner.js"), folder], {
    // Ctrl-C reaches the whole group of a terminal.
    detached: true,
    stdio: ["pipe", "inherit", "inherit"],
  });
  const cleaned = new Promise((resolve) => cleaner.once("exit", resolve));
  const account = serviceAccount();
  const folderOf = (name: string) => {
    const own = path.join(folder, name);
    if (!existsSync(own)) {
      mkdirSync(own, { mode: 0o700 });
      if (account) chownSync(own, account.uid, account.gid);
    }
    return own;
  };
  const write = (name: string, file: string, content: string) => {
    const target = path.join(folderOf(name), file);
    writeFileSync(target, content, { mode: 0o600 });
    if (account) chownSync(target, account.uid, account.gid);
    return target;
  };

  return {
    folder,
    write,
    configure(name, file, variables) {
      const template = readFileSync(path.join(import.meta.dirname, "configuration", file), "utf8");
      const all: typeof variables = { ...variables, NAME: name, FOLDER: folderOf(name) };
      const content = template.replace(/\$\{(\w+)\}/g, (_placeholder, variable: string) => {
        if (!(variable in all)) throw new Error(`${file}: nothing is known of ${variable}`);
        return String(all[variable]);
      });
      return write(name, file, content);
    },
    define: (program) =>
      makeService(program, folderOf(program.name), program.isUnprivileged ? account : null),
    async end() {
      cleaner.stdin.end();
      await cleaned;
    },
  };
}

function makeService(
  { name, command: [command, ...args], env, cwd }: Program,
  folder: string,
  account: Account | null,
): Service {
  const logFile = path.join(folder, "log");
  let child: ChildProcess | undefined;
  let ended = Promise.resolve<number | null>(null);
  return {
    folder,
    start() {
      const log = openSync(logFile, "a");
      const started = spawn(command, args, {
        cwd: cwd ?? folder,
        env: { PATH: process.env.PATH, LANG: "C.UTF-8", ...env } as unknown as NodeJS.ProcessEnv,
        stdio: ["ignore", log, log],
        ...account,
      });
      closeSync(log);
      child = started;
      ended = new Promise((resolve, reject) => {
        started.once("error", () =>
          reject(new Error(`${command} did not start: see .github/CONTRIBUTING.md`)),
        );
        started.once("exit", resolve);
      });
      ended.catch(() => {});
    },
    signal: (signal) => child?.kill(signal),
    async kill() {
      child?.kill("SIGKILL");
      for (let pids = processesIn(folder); pids.length > 0; pids = processesIn(folder)) {
        for (const pid of pids) killProcess(pid);
        await delay(5);
      }
      await ended;
    },
    ended: () => ended,
    output: () => (existsSync(logFile) ? readFileSync(logFile, "utf8") : `${name} has no log`),
  };
}

/** Returns the user that services run as, or null for that of this process. */
function serviceAccount(): Account | null {
  if (process.getuid?.() !== 0) return null;
  const id = (option: string) =>
    Number(execFileSync("id", [option, "postgres"], { encoding: "utf8" }));
  return { uid: id("-u"), gid: id("-g") };
}

/** Kills a process that may have ended. */
export function killProcess(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}
