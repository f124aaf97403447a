import { setImmediate as nextTurn } from "node:timers/promises";
import { checkImport, runImport } from "../../app/features/imports/import-jobs.server";
import { confirmImport, getImport } from "../../app/features/imports/imports.server";
import { stageImport } from "../../app/features/imports/stage-import.server";
import { collectGarbage } from "./garbage";

/** Yields a CSV file of so many codes, of 500 codes each with the same terms, in pieces of 64 KiB. */
export async function* importFile(count: number, prefix: string): AsyncGenerator<Buffer> {
  let text = "code,name,discount,uses,machines\n";
  for (let row = 0; row < count; row++) {
    text += `${codeOf(prefix, row)},Batch ${Math.floor(row / 500)},20%,single,"VM-1,VM-2"\n`;
    if (text.length < 65_536) continue;
    yield Buffer.from(text);
    await nextTurn();
    text = "";
  }
  yield Buffer.from(text);
}

export const codeOf = (prefix: string, row: number) => `${prefix}${String(row).padStart(9, "0")}`;

/** Bytes that are in use; what a larger heap leaves to be collected later is none of the import's. */
function liveBytes(): number {
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/** Uploads, checks and imports a file. @returns the seconds of each step, and the growth of the memory in use in MB */
export async function importLargeFile(count: number, prefix: string, userId: string) {
  const before = liveBytes();
  let peak = before;
  const watch = setInterval(() => (peak = Math.max(peak, liveBytes())), 1_000);
  const actor = { id: userId, email: "", role: "admin" as const };
  const options = { actor, idempotencyKey: null };
  const times: number[] = [performance.now()];
  const upload = {
    kind: "codes" as const,
    fileName: "large.csv",
    bytes: importFile(count, prefix),
  };
  const { id } = await stageImport(upload, options);
  times.push(performance.now());
  await checkImport(id);
  times.push(performance.now());
  await confirmImport(id, options);
  await runImport(id, new AbortController().signal);
  times.push(performance.now());
  clearInterval(watch);
  const { state } = await getImport(id, actor);
  if (state !== "imported") throw new Error(`The import is ${state}`);
  const [upload_, check, run] = times.slice(1).map((end, step) => (end - times[step]!) / 1_000);
  return { upload: upload_!, check: check!, run: run!, grownMb: (peak - before) / 1e6 };
}
