import { execFile } from "node:child_process";
import path from "node:path";
import { promisify } from "node:util";

/** Input of redeemer.js. */
export type Order = {
  origin: string;
  key: string;
  codes: string[];
  serials: string[];
  seconds: number;
  /** Stops at the first refusal. */
  untilRefused?: boolean;
  /** By default 16. */
  connections?: number;
};

export type Redeemed = {
  /** Number of answers by status. */
  answers: Record<string, number>;
  seconds: number;
  /** Seconds until the last answer of 201. */
  lastApplied: number;
  /** Milliseconds. */
  latencies: { p50: number; p99: number };
};

/** Redeems from a process of its own, which doesn't share the bench's event loop. */
export async function redeemOverHttp(order: Order): Promise<Redeemed> {
  const program = path.resolve(import.meta.dirname, "redeemer.js");
  const redeeming = promisify(execFile)(process.execPath, [program]);
  redeeming.child.stdin!.end(JSON.stringify({ connections: 16, ...order }));
  return JSON.parse((await redeeming).stdout) as Redeemed;
}
