import { readdir, readFile, realpath, rm } from "node:fs/promises";
import path from "node:path";
import { pathToFileURL } from "node:url";

/**
 * Removes the packages that only a build needs or has in its files, and what only they need, then the types, source maps
 * and texts of the others: the last step of an image, whose build is made. Build tools are `dependencies` because
 * `npm ci && npm start` builds.
 */

const root = path.resolve(import.meta.dirname, "../..");

export const buildTools = [
  "@react-aria/optimize-locales-plugin",
  "@remix-run/dev",
  "@swc/core",
  "@vanilla-extract/css",
  "@vanilla-extract/vite-plugin",
  "esbuild",
  "patch-package",
  "postcss",
  "vite",
  // Is bundled: `manyFiles` of `vite.config.ts`.
  "victory",
  "zod",
];

/**
 * @typedef {{
 *   dependencies?: Record<string, string>,
 *   optionalDependencies?: Record<string, string>,
 *   peerDependencies?: Record<string, string>,
 *   peerDependenciesMeta?: Record<string, {optional?: boolean}>,
 * }} Package
 */

/**
 * Returns the folders of the packages that run the product.
 * @param {Record<string, Package>} packages those of a lock file, by folder
 * @param {string[]} dependencies of the product
 * @returns {Set<string>}
 */
export function runtimeFolders(packages, dependencies) {
  const needed = new Set();
  /** @param {string} from @param {string[]} names */
  const add = (from, names) => {
    for (const name of names) {
      const folder = resolve(packages, from, name);
      if (folder === null || needed.has(folder)) continue;
      needed.add(folder);
      const { dependencies, optionalDependencies, peerDependencies, peerDependenciesMeta } =
        packages[folder] ?? {};
      const peers = Object.keys(peerDependencies ?? {});
      add(folder, [
        ...Object.keys({ ...dependencies, ...optionalDependencies }),
        ...peers.filter((peer) => !peerDependenciesMeta?.[peer]?.optional),
      ]);
    }
  };
  add(
    "",
    dependencies.filter((name) => !buildTools.includes(name)),
  );
  return needed;
}

/**
 * Finds a package as Node does: beside its importer, then in each folder above.
 * @param {Record<string, Package>} packages
 * @param {string} from
 * @param {string} name
 * @returns {string | null} null for one of another platform
 */
function resolve(packages, from, name) {
  const folder = `${from ? `${from}/` : ""}node_modules/${name}`;
  if (folder in packages) return folder;
  if (from === "") return null;
  return resolve(packages, from.replace(/(^|\/)node_modules\/(@[^/]+\/)?[^/]+$/, ""), name);
}

if (process.argv[1] && import.meta.url === pathToFileURL(await realpath(process.argv[1])).href) {
  const read = async (/** @type {string} */ file) =>
    JSON.parse(await readFile(path.join(root, file), "utf8"));
  const { packages } = await read("node_modules/.package-lock.json");
  const { dependencies } = await read("package.json");
  const needed = runtimeFolders(packages, Object.keys(dependencies));
  const removed = Object.keys(packages).filter(
    // The folder of a package that is needed may lie in that of one that isn't, and stays where it is.
    (folder) => ![...needed].some((other) => other === folder || other.startsWith(`${folder}/`)),
  );
  for (const folder of removed) await rm(path.join(root, folder), { recursive: true, force: true });
  const modules = path.join(root, "node_modules");
  await rm(path.join(modules, ".bin"), { recursive: true, force: true });
  for (const entry of await readdir(modules, { recursive: true, withFileTypes: true }))
    if (entry.isFile() && /\.(map|md|[cm]?tsx?)$/.test(entry.name))
      await rm(path.join(entry.parentPath, entry.name));
  console.log(`Removed ${removed.length} packages, ${needed.size} are left.`);
}
