/**
 * Reads from a streaming replica of the database, which is some milliseconds behind (DATABASE_REPLICA_URL). Only work
 * inside `readFromReplica` reads there, and not before the replica has replayed the last write of its user. Positions in
 * the write-ahead log (LSN) tell how far it is.
 */
import { Socket } from "node:net";
import type { Knex } from "knex";
import {
  atMostEvery,
  one,
  openPool,
  primaryDb,
  probeDb,
  query,
  readWith,
} from "./connection.server";
import { driverMessage, isDatabaseUnavailable, isReplayConflict } from "./database-errors.server";
import { DomainError } from "../errors";
import type { Pooling } from "./database-client.server";
import type { Leftovers } from "./sweep.server";

/** A replica that lags longer is not used. */
const maxLagMs = 5_000;
const checkMs = 1_000;
/** A replica that answers no check for so long is left. */
const checkTimeoutMs = 1_000;
/** Remembered positions of the primary: those of 10 min. */
const maxPositions = 600;
/** Stands for all users, where a write is that of no request. */
const everybody = "0";

type Options = { log: (message: string) => void; pooling: Pooling };
type Server = { isReplica: boolean; lsn: string; identity: string };

/**
 * The control file tells the timeline of a replica some minutes after it has changed; until then the replica is not
 * used, because after a failover it may have a past that the new primary does not have.
 */
const serverSql = `
  with server as (select pg_is_in_recovery() as is_replica)
  select is_replica,
    case when is_replica then pg_last_wal_replay_lsn() else pg_current_wal_lsn() end - '0/0' as lsn,
    concat_ws(' ', (select system_identifier from pg_control_system()), current_database(),
      case when is_replica
        then greatest((select timeline_id from pg_control_checkpoint()),
          (select min_recovery_end_timeline from pg_control_recovery()))
        else cast(cast('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8) as bit(32)) as integer)
      end) as identity
  from server`;

class Replica {
  readonly pool: Knex;
  readonly #probe: Knex;
  readonly #sockets = new Set<Socket>();
  readonly #log: Options["log"];
  readonly #logRepeat: (message: unknown) => void;
  /** Positions of the primary, measured at times of `performance.now()`. The first one is the last that was replayed. */
  #positions: { lsn: bigint; measuredAt: number }[] = [];
  /** Cluster, database and timeline of the primary. */
  #identity = "";
  #replayed = 0n;
  /** When the primary was where the replica is; null while that is unknown. */
  #freshAt: number | null = null;
  #isAnswering = false;
  /** Whether the log says that it is used; null before its first line. */
  #isAnnounced: boolean | null = null;
  #asking: Promise<void> | null = null;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(url: string, { log, pooling }: Options) {
    this.#log = log;
    this.#logRepeat = atMostEvery(10_000, log);
    const open = (max: number, timeoutMs: number, queryTimeoutMs?: number) =>
      openPool(
        url,
        {
          max,
          timeoutMs,
          settings: { default_transaction_read_only: "on" },
          config: { stream: () => this.#openSocket(), query_timeout: queryTimeoutMs },
        },
        { warn: () => {}, pooling },
      );
    this.pool = open(10, 3_000);
    this.#probe = open(1, checkTimeoutMs, checkTimeoutMs);
    void this.#check();
  }

  get lagMs(): number | null {
    return this.#freshAt === null ? null : performance.now() - this.#freshAt;
  }

  get isUsable(): boolean {
    return this.#isAnswering && (this.lagMs ?? Infinity) <= maxLagMs;
  }

  /** Whether a user may read there. Asks the replica once more when it was not far enough at the last check. */
  async mayRead(userId: string): Promise<boolean> {
    if (!this.isUsable) return false;
    const write = await one<{ lsn: string | null }>(
      primaryDb(),
      "select max(lsn) - '0/0' as lsn from last_writes where user_id in (:userId, :everybody)",
      { userId, everybody },
      { isPrepared: true },
    );
    const written = BigInt(write?.lsn ?? 0);
    if (this.#replayed < written) await this.#ask().catch(() => {});
    return this.isUsable && this.#replayed >= written;
  }

  /**
   * Whether what failed there is to be repeated on the primary: the replica is away or had to replay a conflicting change,
   * or it does not have yet what somebody has just created.
   */
  mustRepeat(error: unknown): boolean {
    if (error instanceof DomainError) return error.reason === "not_found";
    if (!isDatabaseUnavailable(error) && !isReplayConflict(error)) return false;
    this.#logRepeat(`A read from the replica is repeated on the primary: ${describe(error)}.`);
    return true;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    this.#leave();
    await Promise.all([this.pool.destroy(), this.#probe.destroy()]);
  }

  #openSocket(): Socket {
    const socket = new Socket();
    this.#sockets.add(socket);
    // A server that was restarted may show less than it did before.
    const lose = () => {
      if (!socket.writableEnded) this.#isAnswering = false;
    };
    socket.once("end", lose).once("error", lose);
    return socket.once("close", () => this.#sockets.delete(socket));
  }

  /** Ends what waits for a replica that does not answer, so that it is repeated on the primary. */
  #leave(): void {
    this.#isAnswering = false;
    for (const socket of this.#sockets) socket.destroy();
  }

  async #check(): Promise<void> {
    let reason = "it is more than 5 s behind";
    try {
      await this.#locatePrimary();
      await this.#ask();
    } catch (error) {
      reason = describe(error);
    }
    if (this.#isClosed) return;
    this.#announce(reason);
    this.#timer = setTimeout(() => void this.#check(), checkMs).unref();
  }

  #announce(reason: string): void {
    const { isUsable } = this;
    if (isUsable === this.#isAnnounced) return;
    this.#isAnnounced = isUsable;
    this.#log(isUsable ? "The replica is used." : `The replica is not used: ${reason}.`);
  }

  async #locatePrimary(): Promise<void> {
    const measuredAt = performance.now();
    const { lsn: text, identity } = (await one<Server>(probeDb(), serverSql))!;
    if (identity !== this.#identity) this.#positions = [];
    this.#identity = identity;
    const lsn = BigInt(text);
    const last = this.#positions.at(-1);
    if (last?.lsn === lsn) last.measuredAt = measuredAt;
    else this.#positions.push({ lsn, measuredAt });
    if (this.#positions.length > maxPositions) this.#positions.splice(1, 1);
  }

  #ask(): Promise<void> {
    return (this.#asking ??= this.#locate().finally(() => (this.#asking = null)));
  }

  async #locate(): Promise<void> {
    try {
      const { isReplica, lsn, identity } = (await one<Server>(this.#probe, serverSql))!;
      if (!isReplica) throw new Error("it was promoted, or never was a replica");
      if (identity !== this.#identity)
        throw new Error("it follows another server, database or timeline");
      this.#replayed = BigInt(lsn);
    } catch (error) {
      this.#leave();
      throw error;
    }
    const positions = this.#positions;
    while (positions[1] && positions[1].lsn <= this.#replayed) positions.shift();
    this.#freshAt =
      positions[0] && positions[0].lsn <= this.#replayed ? positions[0].measuredAt : null;
    this.#isAnswering = true;
  }
}

function describe(error: unknown): string {
  const [line = ""] = (error instanceof Error ? error.message : String(error)).split("\n");
  return driverMessage(line).replace(/\.$/, "").slice(0, 300);
}

let replica: Replica | null = null;

/**
 * Begins to check a replica once a second, and to read there while it may be used. Called after migrations: the replica
 * is used only when it has replayed them.
 * @param options.log gets a line when the replica is used and when it is left
 */
export function startReplica(url: string, options: Options): void {
  replica = new Replica(url, options);
}

export async function stopReplica(): Promise<void> {
  const stopped = replica;
  replica = null;
  await stopped?.close();
}

/** Returns what metrics tell of the replica; null without one. */
export function replicaState(): Pick<Replica, "isUsable" | "lagMs"> | null {
  return replica;
}

/**
 * Runs work that only reads, on the replica if its user may read there. What fails there because of the replica runs
 * once more, on the primary.
 */
export async function readFromReplica<Result>(
  userId: string,
  work: () => Promise<Result>,
): Promise<Result> {
  const source = replica;
  if (!source || !(await source.mayRead(userId))) return work();
  try {
    return await readWith(source.pool, work);
  } catch (error) {
    if (!source.mustRepeat(error)) throw error;
    return work();
  }
}

/** Makes parts as `readFromReplica` runs work. Once the first part is made, a failure ends them. */
export async function* streamFromReplica<Part>(
  userId: string,
  makeParts: () => AsyncGenerator<Part>,
): AsyncGenerator<Part> {
  const source = replica;
  if (!source || !(await source.mayRead(userId))) return yield* makeParts();
  const parts = readWith(source.pool, makeParts);
  let isBegun = false;
  try {
    for (;;) {
      const { value, done } = await readWith(source.pool, () => parts.next());
      if (done) return;
      isBegun = true;
      yield value as Part;
    }
  } catch (error) {
    if (isBegun || !source.mustRepeat(error)) throw error;
  } finally {
    await parts.return(undefined);
  }
  yield* makeParts();
}

/** Stores that the replica must replay what was written until now before a user, or anybody, reads there. */
export async function recordWrite(userId = everybody): Promise<void> {
  if (!replica) return;
  // The position that an update evaluates is one after the lock of its row, so later writes never get an earlier one.
  await query(
    primaryDb(),
    `insert into last_writes (user_id, lsn) values (:userId, pg_current_wal_insert_lsn())
     on conflict (user_id) do update set lsn = pg_current_wal_insert_lsn(), written_at = now()`,
    { userId },
  );
}

/** Writes that a replica which may be used has replayed. */
export const replayedWrites: Leftovers = {
  table: "last_writes",
  conditionSql: "written_at < now() - interval '1 hour'",
};
