import { spawn } from "node:child_process";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { db } from "../../app/db/connection.server";
import { createUser } from "../../app/features/users/users.server";
import { openMillion } from "./million";
import type { Row } from "./row";

const admin = { email: "export@example.com", password: "correct horse battery staple" };
type Measured = { rows: number; firstByte: number; seconds: number; memory: number };
let measured: Promise<Measured> | undefined;

/** Every promotion, live and deleted, as CSV over HTTP from a server that has nothing else to do. */
async function exportAll(): Promise<Measured> {
  await openMillion();
  await createUser({ ...admin, role: "admin" });
  const { connectionString } = db().client.config.connection as { connectionString: string };
  const child = spawn(process.execPath, ["app/server/main.js"], {
    cwd: path.resolve(import.meta.dirname, "../.."),
    env: {
      ...process.env,
      NODE_ENV: "production",
      DATABASE_URL: connectionString,
      APP_SECRET: "of the bench and nothing but the bench",
      PORT: "0",
    },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const origin = await new Promise<string>((resolve, reject) => {
    let output = "";
    child.stdout.on("data", (chunk) => {
      output += chunk;
      const ready = /ready on (http:\S+)/.exec(output);
      if (ready) resolve(ready[1]!);
    });
    child.once("exit", () => reject(new Error("The app stopped")));
  });
  try {
    const signedIn = await fetch(`${origin}/login`, {
      method: "POST",
      redirect: "manual",
      headers: { Origin: origin },
      body: new URLSearchParams(admin),
    });
    const headers = {
      Cookie: signedIn.headers.getSetCookie()[0]!.split(";")[0]!,
      "Accept-Encoding": "identity",
    };
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
