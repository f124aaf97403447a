import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";

const root = path.resolve(import.meta.dirname, "../..");

type Change = {
  /** Ends the hash in the name of every file, as a build of changed sources has other hashes. One letter. */
  suffix?: string;
  /** Switches the service worker to taking itself out of browsers. */
  isWorkerRemoved?: boolean;
};

/** A build in a folder of its own, from which the product is started as a release. */
export async function createRelease({ suffix, isWorkerRemoved }: Change = {}) {
  const folder = await mkdtemp(path.join(tmpdir(), "promo-console-release-"));
  await cp(path.join(root, "build"), path.join(folder, "build"), { recursive: true });
  await mkdir(path.join(folder, "app/demo"), { recursive: true });
  for (const name of ["node_modules", "migrations", "app/demo/migrations", "package.json"])
    await symlink(path.join(root, name), path.join(folder, name));
  await writeFile(
    path.join(folder, "start.js"),
    `const build = await import("./build/server/index.js");
await build.entry.module.start({ build: () => Promise.resolve(build), clientFolder: "build/client" });`,
  );
  const client = path.join(folder, "build/client");
  if (suffix) await renameAssets(client, path.join(folder, "build/server"), suffix);
  if (isWorkerRemoved)
    await edit(path.join(client, "service-worker.js"), (text) =>
      text.replace("isRemoved = false", "isRemoved = true"),
    );
  return {
    start: { folder, script: "start.js" },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

/** Lengthens the hash in each name of a file, and wherever the name or the hash of the manifest stands. */
async function renameAssets(client: string, server: string, suffix: string): Promise<void> {
  const assets = path.join(client, "assets");
  const hashed = /-([\w-]{7,8})\.(js|css)$/;
  for (const name of await readdir(assets))
    if (/\.(br|gz)$/.test(name)) await rm(path.join(assets, name));
  const names = (await readdir(assets)).filter((name) => hashed.test(name));
  const version = names.join().match(/\bmanifest-(\w+)\.js/)![1]!;
  const known = new Set(names);
  const rename = (text: string) =>
    text
      .replace(/[\w.$-]+-[\w-]{7,8}\.(?:js|css)\b/g, (name) =>
        known.has(name) ? name.replace(hashed, `-$1${suffix}.$2`) : name,
      )
      .replaceAll(new RegExp(`(["'])${version}\\1`, "g"), `"${version}${suffix}"`);
  for (const name of names) {
    const text = await readFile(path.join(assets, name), "utf8");
    await rm(path.join(assets, name));
    await writeFile(path.join(assets, rename(name)), rename(text));
  }
  await edit(path.join(client, "service-worker.js"), rename);
  for (const name of await readdir(server, { recursive: true })) {
    const file = path.join(server, name);
    if (!name.endsWith(".js")) continue;
    await writeFile(file, rename(await readFile(file, "utf8")));
  }
}

async function edit(file: string, change: (text: string) => string): Promise<void> {
  const text = await readFile(file, "utf8");
  const changed = change(text);
  if (changed === text) throw new Error(`Nothing has changed in ${file}.`);
  await writeFile(file, changed);
  for (const ending of [".br", ".gz"]) await rm(file + ending, { force: true });
}
