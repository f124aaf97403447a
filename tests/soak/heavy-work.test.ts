import { get } from "node:http";
import { expect, it, onTestFinished } from "vitest";
import { insertMassGeneration } from "../factories/mass-generations";
import { insertRedeemable, makeKey, request } from "../factories/redemptions";
import { db } from "../../app/db/connection.server";
import { dataFolder, startApp } from "../support/app";
import { testSecret } from "../support/app-secret";
import { percentile } from "../support/fault-figures";
import { openClone } from "../support/postgres";
import { redeemAt, send, signInNewUser } from "../support/server";

/** Files that are drawn, and locks that are held, while machines redeem. */
async function start() {
  const { url, close } = await openClone();
  onTestFinished(close);
  const environment = { APP_SECRET: testSecret, DATA_DIR: dataFolder() };
  const app = await startApp({ ...environment, DATABASE_URL: url });
  await app.ready();
  return app;
}

/** Redeems one after the other, and asks for the sign-in page beside it. */
async function measure(origin: string, seconds: number) {
  const { secret } = await makeKey();
  const target = await insertRedeemable();
  const redemptions: number[] = [];
  const pages: number[] = [];
  for (const end = performance.now() + seconds * 1_000; performance.now() < end;) {
    const redemption = await redeemAt(origin, secret, request(target));
    const page = await send(origin, "/login");
    expect([redemption.status, page.status]).toEqual([201, 200]);
    redemptions.push(redemption.duration);
    pages.push(page.duration);
  }
  return {
    p50: percentile(redemptions, 0.5),
    p99: percentile(redemptions, 0.99),
    page: Math.max(...pages),
  };
}

const figuresOf = ({ p50, p99, page }: Awaited<ReturnType<typeof measure>>) =>
  `redemptions p50 ${p50.toFixed(0)} ms, p99 ${p99.toFixed(0)} ms, /login at most ${page.toFixed(0)} ms`;

it("redemptions of other codes go on while 50 of a locked one wait", async () => {
  const app = await start();
  const { secret } = await makeKey();
  const target = await insertRedeemable();
  const idle = await measure(app.origin, 3);
  const holder = await db().transaction();
  await holder.raw("set local idle_in_transaction_session_timeout = 0");
  await holder.raw("select from promotions where id = ? for update", [target.id]);
  let isLocked = true;
  const statuses = new Set<number>();
  const longest: number[] = [];
  const machine = async () => {
    while (isLocked) {
      const { status, duration } = await redeemAt(app.origin, secret, request(target));
      statuses.add(status);
      longest.push(duration);
    }
  };
  const machines = Array.from({ length: 50 }, machine);
  const busy = await measure(app.origin, 10);
  isLocked = false;
  await holder.rollback();
  await Promise.all(machines);
  console.log(
    `Idle: ${figuresOf(idle)}\nA locked code: ${figuresOf(busy)}; its own at most ${Math.max(...longest).toFixed(0)} ms`,
  );
  expect([...statuses].filter((status) => status !== 503 && status !== 201)).toEqual([]);
  // Up to 3 s for turns, then 1 s for its place among those that wait for the row, and 1 s for who holds it.
  expect(Math.max(...longest)).toBeLessThan(5_500);
  expect(busy.p99).toBeLessThan(100);
});

const files = { "label PDFs": "labels.pdf?format=l7651", archives: "archive.zip" };

for (const [name, file] of Object.entries(files))
  it(`redemptions go on while six ${name} are drawn`, async () => {
    const app = await start();
    const id = await insertMassGeneration({ num_codes: 10_000 });
    const cookie = await signInNewUser();
    const idle = await measure(app.origin, 3);

    let isRunning = true;
    let bytes = 0;
    const download = async () => {
      while (isRunning)
        await new Promise<void>((resolve, reject) => {
          const options = { headers: { Cookie: cookie }, agent: false };
          const outgoing = get(
            `${app.origin}/app/qr-generation/${id}/${file}`,
            options,
            (answer) => {
              expect(answer.statusCode).toBe(200);
              answer.on("data", (chunk: Buffer) => {
                bytes += chunk.length;
                if (!isRunning) outgoing.destroy();
              });
              answer.once("close", resolve);
            },
          ).once("error", (error) => (isRunning ? reject(error) : resolve()));
        });
    };
    const downloads = Array.from({ length: 6 }, download);
    const busy = await measure(app.origin, 15);
    isRunning = false;
    await Promise.all(downloads);
    console.log(`Idle: ${figuresOf(idle)}\nSix ${name}: ${figuresOf(busy)}; ${bytes >> 20} MiB`);
    expect(busy.p99).toBeLessThan(150);
    expect(busy.page).toBeLessThan(1_000);
  });
