/** Lets the calls of this process begin one after the other, so that a long queue takes no time from redemptions. */
import { performance } from "node:perf_hooks";
import { setTimeout as delay } from "node:timers/promises";

/** The pace of all webhooks together: 8 million a day. */
const callsPerSecond = 100;
/**
 * While the process is busy. It is a share of what the process gets of a processor, about 2 %: on a machine with much
 * other work, calls a second would take a larger one from redemptions.
 */
const callsPerProcessorSecond = 20;
const minCallsPerSecond = 2;
/** The event loop is busy with more work than this, over a window of so many milliseconds. */
const [busyUtilization, windowMs] = [0.6, 500];

let nextTurn = 0;

/** Waits until the next call may begin. */
export async function waitForTurn(): Promise<void> {
  const now = performance.now();
  const turn = Math.max(now, nextTurn);
  nextTurn = turn + 1_000 / currentPace(now);
  if (turn > now) await delay(turn - now);
}

const measured = {
  at: -Infinity,
  loop: performance.eventLoopUtilization(),
  cpu: process.cpuUsage(),
  pace: callsPerProcessorSecond,
};

/** Returns calls per second by what the process did in the last window; after a pause as if it were busy. */
function currentPace(now: number): number {
  const elapsed = now - measured.at;
  if (elapsed < windowMs) return measured.pace;
  const [loop, cpu] = [performance.eventLoopUtilization(), process.cpuUsage()];
  if (elapsed > 3 * windowMs) measured.pace = callsPerProcessorSecond;
  else if (performance.eventLoopUtilization(loop, measured.loop).utilization < busyUtilization)
    measured.pace = callsPerSecond;
  else {
    const usedMs = (cpu.user + cpu.system - measured.cpu.user - measured.cpu.system) / 1_000;
    const pace = callsPerProcessorSecond * Math.min(1, usedMs / elapsed);
    measured.pace = Math.max(minCallsPerSecond, pace);
  }
  Object.assign(measured, { at: now, loop, cpu });
  return measured.pace;
}
