import { readFile } from "node:fs/promises";
import { noPlatform } from "../support/platform";
import { millionUrl, openMillion } from "./million";
import type { Row } from "./row";
import { signIn, spawnProduct } from "./server";

type Measured = { rows: number; firstByte: number; seconds: number; memory: number };
let measured: Promise<Measured> | undefined;

/** Every promotion, live and deleted, as CSV over HTTP from a server that has nothing else to do. */
async function exportAll(): Promise<Measured> {
  await openMillion();
  const { child, origin } = await spawnProduct({ DATABASE_URL: millionUrl(), ...noPlatform });
  try {
    const headers = await signIn(origin);
    await (await fetch(`${origin}/app/qr-list`, { headers })).text();
    const idle = await residentMegabytes(child.pid!);
    let most = idle;
    const watch = setInterval(
      () => void residentMegabytes(child.pid!).then((now) => (most = Math.max(most, now))),
      50,
    );
    const start = performance.now();
    const address = `${origin}/app/qr-list/export.csv?include_deleted=true`;
    const answer = await fetch(address, { headers });
    let firstByte = 0;
    let lines = 0;
    for await (const chunk of answer.body as unknown as AsyncIterable<Uint8Array>) {
      firstByte ||= performance.now() - start;
      for (const byte of chunk) if (byte === 10) lines++;
    }
    clearInterval(watch);
    const seconds = (performance.now() - start) / 1_000;
    return { rows: lines - 1, firstByte, seconds, memory: most - idle };
  } finally {
    const ended = new Promise((resolve) => child.once("exit", resolve));
    child.kill("SIGTERM");
    await ended;
  }
}

async function residentMegabytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, "utf8");
  return Number(/VmRSS:\s+(\d+)/.exec(status)![1]) / 1_024;
}

function row(name: string, ceiling: number, figure: (export_: Measured) => number): Row {
  return {
    name: `Export of 1,000,000 promotions: ${name}`,
    async measure() {
      const all = await (measured ??= exportAll());
      if (all.rows !== 1_000_000) throw new Error(`The export has ${all.rows} rows`);
      return {
        ratio: figure(all),
        ceiling,
        detail: `${all.rows} rows in ${all.seconds.toFixed(1)} s`,
      };
    },
  };
}

export const exportRows: Row[] = [
  row("first byte, s", 1, ({ firstByte }) => firstByte / 1_000),
  row("memory over idle, MB", 80, ({ memory }) => memory),
];
