import { monitorEventLoopDelay } from "node:perf_hooks";
import type { Socket } from "node:net";
import { networksOf } from "../features/sign-in/sign-in.server";
import { createSharedSlots, createSlots, type Release } from "../http/slots.server";
import { rateLimitHeaders, retryHeaders } from "../http/rate-limit-headers";
import { rejections } from "../metrics.server";
import { unavailable, type Rejection } from "./request-checks.server";

/** How much may run at the same time. A client is an address; of IPv6, a /64 network. */
export const defaultLimits = {
  /** Requests that wait for their answer to begin, redemptions aside. */
  running: 150,
  /**
   * Redemptions with a valid key, of which one key has at most a third. Nothing else takes their places, and no limit
   * of clients counts them.
   */
  redemptions: 150,
  /** Requests whose body has not arrived yet. */
  unreadBodiesPerClient: 20,
  /** Requests that are not answered to the end, downloads included. */
  runningPerClient: 50,
  /** Sign-ins that are checked or wait to be. */
  signInsPerClient: 5,
  /** Connections of one peer. Behind proxies it doesn't apply, since every peer is a proxy. */
  connectionsPerPeer: 100,
  /** Connections of one /48 network of IPv6, which holds 65,536 peers. */
  connectionsPerSite: 200,
  /** Connections over which a key came: as many as those of a peer, and a third of the others of 512. */
  connectionsPerKey: 237,
};

/** How long a redemption waits for a place (RULES A8). */
const maxPlaceWaitMs = 3_000;

export type LoadLimits = ReturnType<typeof createLoadLimits>;

/** Policies of clients, as the header fields name them. */
const policyNames = {
  unreadBodiesPerClient: "bodies",
  runningPerClient: "requests",
  signInsPerClient: "sign-ins",
  connectionsPerPeer: "connections",
  connectionsPerSite: "connections",
  connectionsPerKey: "key-connections",
};

/** Keeps the limits of one server, so that those let in are answered, and machines first. */
export function createLoadLimits(limits: Partial<typeof defaultLimits> = {}) {
  const numbers = { ...defaultLimits, ...limits };
  const tooManyRequests = (name: keyof typeof policyNames): Rejection => ({
    status: 429,
    message: "Too many requests at once from your network. Please try again in a moment.",
    headers: retryHeaders({ name: policyNames[name], quota: numbers[name] }, 2),
  });
  const slotsOfClients = (name: keyof typeof policyNames) => slots(name, tooManyRequests(name));
  const slots = (name: keyof typeof defaultLimits, rejection: Rejection) => {
    // A counter that begins with its first event hides that event from rates.
    rejections.inc({ reason: name }, 0);
    /** The rejection is for requests that come while all slots are taken. */
    return { ...createSlots(numbers[name]), rejection: { ...rejection, reason: name } };
  };
  const running = slots("running", unavailable);
  const runningOfClients = slotsOfClients("runningPerClient");
  const signIns = slotsOfClients("signInsPerClient");
  const connections = slotsOfClients("connectionsPerPeer");
  const siteConnections = slotsOfClients("connectionsPerSite");
  const connectionSlots = new WeakMap<Socket, Release>();
  const connectionsOfKeys = slots("connectionsPerKey", {
    ...tooManyRequests("connectionsPerKey"),
    message: "Too many connections at once with this key. Please try again in a moment.",
  });
  const keySlots = new WeakMap<Socket, Release>();
  const places = createSharedSlots(
    numbers.redemptions,
    Math.max(1, Math.floor(numbers.redemptions / 3)),
    maxPlaceWaitMs,
  );
  rejections.inc({ reason: "redemptions" }, 0);
  const eventLoop = watchEventLoop();

  return {
    unreadBodies: slotsOfClients("unreadBodiesPerClient"),
    isSlow: eventLoop.isSlow,

    /**
     * Counts a request that has arrived as a whole.
     * @returns `leaveQueue` is called when the answer begins, so that a long download no longer counts
     *   as waiting; `leave` when it has ended
     */
    enter(
      client: string,
      { isSignIn }: { isSignIn: boolean },
    ): { leaveQueue: Release; leave: Release } | Rejection {
      const held: Release[] = [];
      const leave = () => held.forEach((release) => release());
      const wanted = [
        [runningOfClients, client],
        ...(isSignIn ? ([[signIns, client]] as const) : []),
        [running, ""],
      ] as const;
      for (const [limit, key] of wanted) {
        const release = limit.take(key);
        if (!release) {
          leave();
          return limit.rejection;
        }
        held.push(release);
      }
      return { leaveQueue: held.at(-1)!, leave };
    },

    /** Runs a redemption in a place of its key, for which it waits. */
    async withPlace<Result>(key: string, work: () => Promise<Result>): Promise<Result | Rejection> {
      const leave = await places.enter(key);
      if (!leave) return { ...unavailable, reason: "redemptions" };
      return work().finally(leave);
    },

    /** Returns the header fields that tell a client how many more requests it may send at the same time. */
    rateLimitOf: (client: string) =>
      rateLimitHeaders(
        { name: policyNames.runningPerClient, quota: numbers.runningPerClient },
        runningOfClients.remaining(client),
      ),

    /** Counts a redemption while it is not known yet whether its key is valid. */
    enterLookUp(client: string): { leave: Release } | Rejection {
      const leave = runningOfClients.take(client);
      return leave ? { leave } : runningOfClients.rejection;
    },

    /** Closes a new connection of a peer that has too many. */
    onConnection(socket: Socket): void {
      const [network, site] = networksOf(socket.remoteAddress ?? "");
      const held: Release[] = [];
      const release = () => held.forEach((releaseOne) => releaseOne());
      socket.once("close", release);
      for (const [limit, key] of [
        [connections, network],
        [siteConnections, site],
      ] as const) {
        if (key === undefined) continue;
        const taken = limit.take(key);
        if (!taken) {
          rejections.inc({ reason: limit.rejection.reason });
          return void socket.destroy();
        }
        held.push(taken);
      }
      connectionSlots.set(socket, release);
    },

    /**
     * Counts a connection for the valid key that came over it, and no longer for its peer. Behind proxies neither
     * is counted.
     * @returns why it is closed, if the key has too many
     */
    exemptConnection(socket: Socket, key: string): Rejection | null {
      const leavePeer = connectionSlots.get(socket);
      if (!leavePeer || keySlots.has(socket)) return null;
      const leaveKey = connectionsOfKeys.take(key);
      if (!leaveKey) return connectionsOfKeys.rejection;
      keySlots.set(socket, leaveKey);
      socket.once("close", leaveKey);
      leavePeer();
      return null;
    },

    /** Tells whether a valid key came over a connection. */
    isExempt: (socket: Socket) => keySlots.has(socket),
  };
}

/** Beyond what a process waits for its processor on a busy machine. */
const maxDelayMs = 500;
const windowMs = 1_000;

function watchEventLoop(): { isSlow: () => boolean } {
  let slowWindows = 0;
  const delay = monitorEventLoopDelay({ resolution: 20 });
  delay.enable();
  // One long task is no overload, even if it fills a window; every turn of the loop being slow is.
  setInterval(() => {
    slowWindows = delay.percentile(90) / 1e6 > maxDelayMs ? slowWindows + 1 : 0;
    delay.reset();
  }, windowMs).unref();
  return { isSlow: () => slowWindows > 1 };
}
