import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { Agent, get } from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import { startArguments } from "../support/start-arguments.js";
import { inTurns, median, type Row } from "./row";
import { admin, signIn, spawnProduct, stopProcess } from "./server";

/**
 * Pages over HTTP, with their session checks and queries, against a bare server that does nothing but
 * stream the same markup out of React. Without compression on both sides.
 */
export const pageRows: Row[] = [
  pageRow("QR List, 25 rows", "/app/qr-list", 0.3),
  pageRow("Machines, 24 rows", "/app/machines", 0.3),
  pageRow("Transactions", "/app/transactions", 0.3),
  pageRow("FAQ, two lines", "/app/faq", 0.2),
  {
    name: "Dashboard: time of a request against the QR List's",
    measure: () =>
      withApp(async ({ open }) => {
        const [dashboard, list] = [await open("/app/dashboard"), await open("/app/qr-list")];
        const [slower, faster] = await alternate(dashboard.load, list.load);
        return {
          ratio: faster / slower,
          ceiling: 3,
          detail: `${(1_000 / slower).toFixed(1)} ms against ${(1_000 / faster).toFixed(1)} ms`,
        };
      }),
  },
];

function pageRow(name: string, address: string, floor: number): Row {
  return {
    name: `${name}: requests/s against a bare React stream of the same markup`,
    measure: () =>
      withApp(async ({ open }) => {
        const { html, load } = await open(address);
        const bare = await startBareServer(html);
        const [ours, theirs] = await alternate(load, (durationMs) =>
          requestsPerSecond(bare.address, {}, durationMs),
        );
        await bare.stop();
        return {
          ratio: ours / theirs,
          floor,
          detail: `${Math.round(ours)}/s against ${Math.round(theirs)}/s, ${Math.round(html.length / 1024)} KiB of HTML`,
        };
      }),
  };
}

/** Requests a page for so many ms, and returns how many it got a second. */
type Load = (durationMs: number) => Promise<number>;

/** Starts the product with sample data and an admin's session for one measurement. */
async function withApp<Result>(
  measure: (app: {
    open(address: string): Promise<{ html: string; load: Load }>;
  }) => Promise<Result>,
): Promise<Result> {
  const app = await startApp();
  try {
    const session = await signIn(app.origin);
    const open = async (address: string) => {
      const page = `${app.origin}${address}`;
      // A page after the first: its browser has the style sheet, and its scripts have said so in a cookie.
      const first = await (await fetch(page, { headers: session })).text();
      const [, sheet] = /<link rel="stylesheet" [^>]*href="\/assets\/([^"]+)"/.exec(first)!;
      const headers = { ...session, Cookie: `${session.Cookie}; sheet=${sheet}` };
      const html = await (await fetch(page, { headers })).text();
      const load: Load = (durationMs) => requestsPerSecond(page, headers, durationMs);
      return { html, load };
    };
    return await measure({ open });
  } finally {
    await app.stop();
  }
}

/** Lets two pages take turns, and returns the median of what each got a second. */
async function alternate(one: Load, other: Load): Promise<[number, number]> {
  for (const load of [one, other]) await load(warmUpMs);
  const counts = await inTurns(
    { warmUps: 0, rounds: 40 },
    () => one(roundMs),
    () => other(roundMs),
  );
  return [median(counts[0]), median(counts[1])];
}

/** Starts the product with sample data and an admin, on a database of its own. */
export async function startApp() {
  const dataDir = await mkdtemp(path.join(tmpdir(), "promo-console-bench-"));
  const { origin, stop } = await spawnProduct({
    DATABASE_URL: "",
    DATA_DIR: dataDir,
    SAMPLE_DATA: "1",
    ADMIN_EMAIL: admin.email,
    ADMIN_PASSWORD: admin.password,
  });
  return {
    origin,
    async stop() {
      await stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

async function startBareServer(html: string) {
  const options = [...startArguments.slice(0, -1), "--import", "tsx"];
  const child = spawn(process.execPath, [...options, "tests/bench/bare-react-server.ts"], {
    cwd: path.resolve(import.meta.dirname, "../.."),
    env: { ...process.env, NODE_ENV: "production" },
    stdio: ["pipe", "pipe", "inherit"],
  });
  child.stdin.end(html);
  const port = await new Promise<string>((resolve, reject) => {
    child.stdout.once("data", (chunk) => resolve(String(chunk).trim()));
    child.once("exit", () => reject(new Error("The bare server stopped")));
  });
  return { address: `http://127.0.0.1:${port}/`, stop: () => stopProcess(child) };
}

/** V8 optimises what a page needs for about this long. */
const warmUpMs = 10_000;
/** Short, because the speed of a machine that is shared changes within seconds. */
const roundMs = 300;

/** One connection, one request after another. */
async function requestsPerSecond(
  address: string,
  headers: Record<string, string>,
  durationMs: number,
) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const request = () =>
    new Promise<void>((resolve, reject) => {
      get(address, { agent, headers }, (response) => {
        if (response.statusCode !== 200) reject(new Error(`Answered ${response.statusCode}`));
        response.resume();
        response.once("end", resolve);
      }).once("error", reject);
    });
  const start = performance.now();
  let count = 0;
  while (performance.now() - start < durationMs) {
    await request();
    count += 1;
  }
  agent.destroy();
  return count / ((performance.now() - start) / 1_000);
}
