import { randomInt, randomUUID } from "node:crypto";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { parseArgs } from "node:util";
import { connect, db, disconnect } from "../../app/db/connection.server";
import { loadSite } from "../../app/db/site.server";
import { EnvironmentError } from "../../app/env.server";
import {
  createIntegration,
  listIntegrations,
  revokeKey,
} from "../../app/features/integrations/integrations.server";
import { createKey } from "../../app/features/integrations/new-keys.server";
import type { Actor } from "../../app/features/activity/audit-log.server";
import { embeddedUrl } from "../support/embedded-url";
import { oneOf, readPicks, type Pick, type Picks } from "./pick";

/**
 * `npm run simulate`: machines that redeem the codes of a running product over HTTP, so that it can
 * be seen alive. Options: `--rate` redemptions a second, `--origin` of the product.
 */

const integrationName = "Simulator";
const prices = [120, 150, 180, 200, 220, 250, 280, 350];
const maxConcurrent = 200;
const picksEveryMs = 10_000;

/** Failure before the start; its message says what to do. */
class SimulatorError extends Error {}

/** Outcomes since the last line. */
type Tally = { applied: number; cents: number; rolledBack: number; others: Map<string, number> };
const freshTally = (): Tally => ({ applied: 0, cents: 0, rolledBack: 0, others: new Map() });
let tally = freshTally();
const total = freshTally();

function note(what: string, { others } = tally, count = 1): void {
  others.set(what, (others.get(what) ?? 0) + count);
}

function readOptions(): { rate: number; origin: string } {
  let values: { rate?: string; origin?: string };
  try {
    values = parseArgs({
      options: { rate: { type: "string" }, origin: { type: "string" } },
    }).values;
  } catch (error) {
    throw new SimulatorError(`${(error as Error).message} Use --rate and --origin.`);
  }
  const rate = Number(values.rate ?? 2);
  if (!(rate >= 0.1 && rate <= 1_000))
    throw new SimulatorError("--rate must be from 0.1 to 1000 redemptions a second.");
  const origin = values.origin ?? `http://localhost:${process.env.PORT || 5000}`;
  if (!URL.canParse(origin) || !/^https?:/.test(origin))
    throw new SimulatorError("--origin must be an address such as http://localhost:5000.");
  return { rate, origin: new URL(origin).origin };
}

async function assertRunning(origin: string): Promise<void> {
  const answer = await fetch(`${origin}/readyz`).catch(() => null);
  await answer?.arrayBuffer();
  if (answer?.status === 200) return;
  throw new SimulatorError(
    answer
      ? `${origin} is not ready (status ${answer.status}). Try again when it is.`
      : `Nothing answers on ${origin}. Start the product first (npm start), or say where it is: npm run simulate -- --origin http://localhost:5000`,
  );
}

/** The database of the running product. */
async function openDatabase(): Promise<void> {
  const dataDir = path.resolve(process.env.DATA_DIR || ".data");
  try {
    connect(process.env.DATABASE_URL || embeddedUrl(dataDir));
    await loadSite();
  } catch (error) {
    throw new SimulatorError(
      process.env.DATABASE_URL
        ? `The database of DATABASE_URL can't be used: ${(error as Error).message}`
        : `No database of the product runs in ${dataDir}. Give the DATA_DIR or the DATABASE_URL that the product was started with.`,
    );
  }
}

/** A key of one day, in the name of the first admin. @returns it, and what takes it back */
async function makeKey(): Promise<{ secret: string; revoke: () => Promise<void> }> {
  const actor = await db()("users")
    .where({ role: "admin", is_disabled: false })
    .orderBy("id")
    .first<Actor>("id", "email");
  if (!actor) throw new SimulatorError("There is no admin in whose name a key could be made.");
  const by = { actor };
  const known = (await listIntegrations()).find(({ name }) => name === integrationName);
  const { id } = known ?? (await createIntegration({ name: integrationName }, by));
  const key = await createKey(id, { machineSerial: null, days: 1 }, by);
  return { secret: key.secret, revoke: async () => void (await revokeKey(id, key.id, by)) };
}

type Sent = { status: number; body: { reason?: string; discount?: number; error?: string } };

/** null: no answer. */
async function post(url: string, secret: string, body: object): Promise<Sent | null> {
  try {
    const answer = await fetch(url, {
      method: "POST",
      headers: { Authorization: `Bearer ${secret}`, "Content-Type": "application/json" },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(10_000),
    });
    return { status: answer.status, body: (await answer.json()) as Sent["body"] };
  } catch {
    return null;
  }
}

let lastGuess = 0;

/** Mostly what works; now and then what doesn't, and seldom a code that nobody has made. */
function choose({ accepted, refused }: Picks): Pick | undefined {
  const dice = randomInt(100);
  if (dice < 3 && performance.now() - lastGuess > 10_000) {
    lastGuess = performance.now();
    const machine = oneOf(accepted) ?? oneOf(refused);
    return machine && { ...machine, code: "ZZZZZZZZZZZZ" };
  }
  return (dice < 15 ? oneOf(refused) : oneOf(accepted)) ?? oneOf(accepted) ?? oneOf(refused);
}

async function redeemOnce(origin: string, secret: string, picks: Picks): Promise<void> {
  const pick = choose(picks);
  if (!pick) return note("nothing to redeem");
  const redemptionId = randomUUID();
  const body = { ...pick, originalPrice: oneOf(prices), redemptionId };
  let sent = await post(`${origin}/api/redemptions`, secret, body);
  // A machine without an answer sends exactly the same again.
  if (!sent || sent.status === 503) sent = await post(`${origin}/api/redemptions`, secret, body);
  if (!sent) return note("without answer");
  if (sent.status !== 201) return note(sent.body.reason ?? `status ${sent.status}`);
  tally.applied++;
  tally.cents += sent.body.discount ?? 0;
  // A vend that fails: the use is given back.
  if (randomInt(100) >= 4) return;
  await delay(randomInt(500, 2_000));
  const back = await post(`${origin}/api/redemptions/${redemptionId}/rollback`, secret, {});
  if (back?.status === 200) tally.rolledBack++;
}

function line({ applied, cents, rolledBack, others }: Tally): string {
  const parts = [`${applied} accepted ($${(cents / 100).toFixed(2)} given away)`];
  if (rolledBack > 0) parts.push(`${rolledBack} rolled back`);
  for (const [what, count] of others) parts.push(`${count} ${what.replaceAll("_", " ")}`);
  return parts.join(", ");
}

function closeLine(): void {
  console.log(`${new Date().toTimeString().slice(0, 8)}  ${line(tally)}`);
  total.applied += tally.applied;
  total.cents += tally.cents;
  total.rolledBack += tally.rolledBack;
  for (const [what, count] of tally.others) note(what, total, count);
  tally = freshTally();
}

async function run(): Promise<void> {
  const { rate, origin } = readOptions();
  await assertRunning(origin);
  await openDatabase();
  const { secret, revoke } = await makeKey();
  let picks = await readPicks();
  const probe = await post(`${origin}/api/redemptions`, secret, {});
  if (probe?.status === 401) {
    await revoke();
    throw new SimulatorError(
      `${origin} runs on another database or with another APP_SECRET. Give the DATA_DIR, or the DATABASE_URL and the APP_SECRET, that it was started with.`,
    );
  }
  console.log(`${rate} redemptions a second on ${origin}. Ctrl-C ends it.`);

  const ending = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const)
    process.on(signal, () => (ending.signal.aborted ? process.exit(1) : ending.abort()));

  const atWork = new Set<Promise<void>>();
  const started = performance.now();
  let sent = 0;
  let nextLine = started + 1_000;
  let nextPicks = started + picksEveryMs;
  while (!ending.signal.aborted) {
    const now = performance.now();
    for (const due = ((now - started) / 1_000) * rate; sent < due; sent++) {
      if (atWork.size >= maxConcurrent) {
        note("not sent, the product is too slow");
        continue;
      }
      const work = redeemOnce(origin, secret, picks).finally(() => atWork.delete(work));
      atWork.add(work);
    }
    if (now >= nextLine) {
      closeLine();
      nextLine += 1_000;
    }
    if (now >= nextPicks) {
      nextPicks = Infinity;
      readPicks()
        .then((fresh) => (picks = fresh))
        .catch(() => note("not looked up, the database gave no answer"))
        .finally(() => (nextPicks = performance.now() + picksEveryMs));
    }
    await delay(20);
  }
  await Promise.all(atWork);
  closeLine();
  console.log(`In all: ${line(total)}`);
  await revoke();
}

run()
  .catch((error: unknown) => {
    if (!(error instanceof SimulatorError || error instanceof EnvironmentError)) throw error;
    console.error(error.message);
    process.exitCode = 1;
  })
  .finally(disconnect);
