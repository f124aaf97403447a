import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { Agent, get } from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import { median, type Row } from "./row";
import { admin, signIn, spawnProduct, startArguments } from "./server";

/**
 * Pages over HTTP, with their session checks and queries, against a bare server that does nothing but
 * stream the same markup out of React. Without compression on both sides.
 */
export const pageRows: Row[] = [
  ["QR List, 25 rows", "/app/qr-list", 0.3],
  ["Machines, 24 rows", "/app/machines", 0.3],
  ["Transactions", "/app/transactions", 0.3],
  ["FAQ, two lines", "/app/faq", 0.2],
].map(([name, address, floor]) => pageRow(name as string, address as string, floor as number));

function pageRow(name: string, address: string, floor: number): Row {
  return {
    name: `${name}: requests/s against a bare React stream of the same markup`,
    async measure() {
      const app = await startApp();
      try {
        const session = await signIn(app.origin);
        const page = `${app.origin}${address}`;
        // A page after the first: its browser has the style sheet.
        const first = await fetch(page, { headers: session });
        const [styles] = first.headers.getSetCookie()[0]!.split(";");
        const headers = { ...session, Cookie: `${session.Cookie}; ${styles}` };
        const html = await (await fetch(page, { headers })).text();
        const bare = await startBareServer(html);
        const ours: number[] = [];
        const theirs: number[] = [];
        await requestsPerSecond(page, headers, warmUpMs);
        await requestsPerSecond(bare.address, {}, warmUpMs);
        for (let round = 0; round < 40; round++) {
          ours.push(await requestsPerSecond(page, headers, roundMs));
          theirs.push(await requestsPerSecond(bare.address, {}, roundMs));
        }
        await bare.stop();
        return {
          ratio: median(ours) / median(theirs),
          floor,
          detail: `${Math.round(median(ours))}/s against ${Math.round(median(theirs))}/s, ${Math.round(html.length / 1024)} KiB of HTML`,
        };
      } finally {
        await app.stop();
      }
    },
  };
}

async function startApp() {
  const dataDir = await mkdtemp(path.join(tmpdir(), "promo-console-bench-"));
  const { child, origin } = await spawnProduct({
    DATABASE_URL: "",
    DATA_DIR: dataDir,
    SAMPLE_DATA: "1",
    ADMIN_EMAIL: admin.email,
    ADMIN_PASSWORD: admin.password,
  });
  const stop = async () => {
    const exited = new Promise((resolve) => child.once("exit", resolve));
    child.kill("SIGTERM");
    await exited;
    await rm(dataDir, { recursive: true, force: true });
  };
  return { origin, stop };
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
  return {
    address: `http://127.0.0.1:${port}/`,
    stop: async () => {
      const exited = new Promise((resolve) => child.once("exit", resolve));
      child.kill("SIGTERM");
      await exited;
    },
  };
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
