import { noPlatform } from "../support/platform";
import { millionUrl, openMillion } from "./million";
import type { Row } from "./row";
import { download, signIn, spawnProduct, type Downloaded } from "./server";

let exported: Promise<Downloaded> | undefined;

/** Every promotion, live and deleted, as CSV over HTTP. */
async function exportAll(): Promise<Downloaded> {
  await openMillion();
  const { child, origin, stop } = await spawnProduct({ DATABASE_URL: millionUrl(), ...noPlatform });
  try {
    const headers = await signIn(origin);
    await (await fetch(`${origin}/app/qr-list`, { headers })).text();
    const address = `${origin}/app/qr-list/export.csv?include_deleted=true`;
    return await download(child.pid!, address, headers);
  } finally {
    await stop();
  }
}

function row(name: string, ceiling: number, figure: keyof Downloaded): Row {
  return {
    name: `Export of 1,000,000 promotions: ${name}`,
    async measure() {
      const file = await (exported ??= exportAll());
      const rows = file.lines - 1;
      if (rows !== 1_000_000) throw new Error(`The export has ${rows} rows`);
      return {
        ratio: file[figure],
        ceiling,
        detail: `${rows} rows in ${file.seconds.toFixed(1)} s`,
      };
    },
  };
}

export const exportRows: Row[] = [
  row("first byte, s", 1, "firstByte"),
  row("memory over idle, MB", 80, "megabytesOverIdle"),
];
