import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, realpath, rename, rm, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { acquirePidLock } from "../embedded-postgres/pid-lock.server.js";

/**
 * The build step of `npm start`, `npm test` and `npm run build`: builds when the sources have
 * changed since, beside the running build, and swaps the folders at the end.
 */

const root = path.resolve(import.meta.dirname, "../..");
const current = path.join(root, "build");
const next = path.join(root, ".cache/build");
const previous = path.join(root, ".cache/build-before");
/** Written last: a folder without it is an interrupted build. */
const stampName = "sources.sha256";

const sources = [
  "app",
  "styles",
  "public",
  // Is built into the sample platform, too.
  "migrations/seeds/sample-machines.js",
  "package.json",
  "package-lock.json",
  "remix.config.js",
  "tsconfig.json",
  "vite.config.ts",
];

/** @type {Promise<boolean> | undefined} */
let running;

/** @returns {Promise<boolean>} whether it had to build */
export function ensureBuild() {
  running ??= buildIfNeeded().finally(() => (running = undefined));
  return running;
}

/** Builds as `ensureBuild` does, or says in one sentence why it can't and ends the process. */
export async function ensureBuildOrExit() {
  return ensureBuild().catch((error) => {
    const isRefused = /^(EACCES|EPERM|EROFS)$/.test(error?.code);
    console.error(
      isRefused
        ? `The build can't be written (${error.message}). Give this user access to ${root}, or run "npm run build" as its owner.`
        : (error?.message ?? error),
    );
    process.exit(1);
  });
}

/** Loads the built product from the folder that it runs in, and builds it first if needed. */
export async function loadBuild() {
  process.chdir(root);
  process.env.NODE_ENV ??= "production";
  await ensureBuildOrExit();
  return import(new URL("../../build/server/index.js", import.meta.url).href);
}

async function buildIfNeeded() {
  if (await isCurrent()) return false;
  if (!existsSync(path.join(root, "node_modules/vite")))
    throw new Error(
      'There is no build of these sources, and the packages that make one are not installed. Run "npm ci", or make the image again.',
    );
  await mkdir(path.dirname(next), { recursive: true });
  for (let isFirst = true; ; isFirst = false) {
    const lock = await acquirePidLock(path.join(root, ".cache/build.lock"));
    if ("owner" in lock) {
      if (isFirst) console.log(`Another process (${lock.owner}) is building. Waiting for it.`);
      await delay(200);
      continue;
    }
    try {
      if (await isCurrent()) return false;
      await build();
      return true;
    } finally {
      lock.release();
    }
  }
}

async function isCurrent() {
  const stamp = await readFile(path.join(current, stampName), "utf8").catch(() => "");
  return stamp !== "" && stamp === (await hashSources());
}

async function build() {
  const started = performance.now();
  console.log("Building …");
  const hash = await hashSources();
  await rm(next, { recursive: true, force: true });
  await rm(previous, { recursive: true, force: true });
  await checkPatches();
  await bundle();
  await writeFile(path.join(next, stampName), hash);
  if (existsSync(current)) await rename(current, previous);
  await rename(next, current);
  await rm(previous, { recursive: true, force: true });
  console.log(`Built in ${((performance.now() - started) / 1_000).toFixed(1)} s`);
}

/**
 * Checks that `npm install` has applied the patches of libraries: without them the product works, but a lost script
 * reloads the page.
 * @throws Error that says what to do
 */
async function checkPatches() {
  const folder = path.join(root, "app/remix/patches");
  for (const patch of await readdir(folder)) {
    let library = "";
    for (const line of (await readFile(path.join(folder, patch), "utf8")).split("\n")) {
      const isFile = line.startsWith("+++ b/");
      if (isFile) library = await readFile(path.join(root, line.slice("+++ b/".length)), "utf8");
      else if (line.startsWith("+") && !library.includes(line.slice(1)))
        throw new Error(
          `${patch} is not applied: run "npm ci" with scripts allowed, then build again.`,
        );
    }
  }
}

async function bundle() {
  const script = path.join(import.meta.dirname, "bundle.js");
  await promisify(execFile)(process.execPath, [script], {
    cwd: root,
    env: { ...process.env, NODE_ENV: "production", BUILD_FOLDER: next },
  }).catch((error) => {
    throw new Error(`The build has failed.\n${error.stdout}${error.stderr}`);
  });
}

async function hashSources() {
  const hash = createHash("sha256");
  for (const source of sources) {
    const start = path.join(root, source);
    for (const file of await filesIn(start)) {
      if (/\.test\.tsx?$|\.md$/.test(file)) continue;
      const content = await readFile(file);
      hash.update(`${path.relative(root, file)} ${content.length}\0`).update(content);
    }
  }
  return hash.digest("hex");
}

/**
 * Lists every file below a folder, or the file itself, in a fixed order.
 * @param {string} start
 */
export async function filesIn(start) {
  const status = await stat(start).catch(() => null);
  if (!status?.isDirectory()) return status ? [start] : [];
  const entries = await readdir(start, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .sort();
}

if (process.argv[1] && import.meta.url === pathToFileURL(await realpath(process.argv[1])).href) {
  process.chdir(root);
  const isNew = await ensureBuildOrExit();
  if (!isNew) console.log("The build is current.");
}
