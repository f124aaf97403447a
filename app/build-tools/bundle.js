import { existsSync } from "node:fs";
import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { build } from "vite";
import { filesIn } from "./build.js";

/**
 * Bundles the product into the folder BUILD_FOLDER, which `vite.config.ts` reads, too: first for browsers, then for the
 * server, which names the scripts of browsers.
 */

const folder = process.env.BUILD_FOLDER ?? "build";
const client = path.join(folder, "client");

// The pipe closes when the process that asked for the build ends, also by a signal.
process.stdin.on("end", () => process.exit(1)).resume();
process.stdin.unref();

await build({ logLevel: "warn" });
// Compressing keeps the second processor busy, the build of the server the first one.
await Promise.all([
  compressFolder(path.join(client, "assets")),
  build({ logLevel: "warn", build: { ssr: true } }),
]);
// Vite writes these manifests for other tools; nothing here reads them.
for (const half of ["client", "server"])
  await rm(path.join(folder, half, ".vite"), { recursive: true, force: true });
await fillServiceWorker();
await compressFolder(client);

/** Writes the version of the build into the service worker. */
async function fillServiceWorker() {
  const names = await readdir(path.join(client, "assets"));
  const version = names.join().match(/\bmanifest-(\w+)\.js\b/)?.[1] ?? "";
  if (!version) throw new Error("The build has no manifest.");
  const file = path.join(client, "service-worker.js");
  const text = await readFile(file, "utf8");
  await writeFile(file, text.replace("__VERSION__", version));
}

/**
 * Compresses the texts of a folder that are not compressed yet: once and well, instead of badly for each request.
 * @param {string} start
 */
async function compressFolder(start) {
  const isText = /\.(css|html|ico|js|json|map|mjs|svg|txt|webmanifest|xml)$/;
  const files = (await filesIn(start)).filter(
    (file) => isText.test(file) && !existsSync(`${file}.br`),
  );
  await Promise.all(
    files.map(async (file) => {
      const content = await readFile(file);
      const brotli = await promisify(brotliCompress)(content, {
        params: {
          [constants.BROTLI_PARAM_QUALITY]: 11,
          [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
        },
      });
      await writeFile(`${file}.br`, brotli);
      await writeFile(`${file}.gz`, await promisify(gzip)(content, { level: 9 }));
    }),
  );
}
