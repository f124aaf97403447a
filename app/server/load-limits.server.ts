import { type Rejection, unavailable } from "../http/rejection.server";
import { monitorEventLoopDelay } from "node:perf_hooks";
import type { Socket } from "node:net";
import { networksOf } from "../features/sign-in/attempt-limits.server";
import { createSharedSlots, createSlots, type Release } from "../http/slots.server";
import { rateLimitHeaders, retryHeaders } from "../http/rate-limit-headers";
import { rejections } from "../metrics.server";

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

/** Limits slots by key; the rejection is for requests that come while all slots of their key are taken. */
function createLimit(name: keyof typeof defaultLimits, quota: number, rejection: Rejection) {
  // A counter that begins with its first event hides that event from rates.
  rejections.inc({ reason: name }, 0);
  const slots = createSlots(quota);
  return {
    remaining: slots.remaining,
    take: (key = ""): Release | Rejection => slots.take(key) ?? { ...rejection, reason: name },
  };
}

function createClientLimit(
  name: keyof typeof policyNames,
  limits: typeof defaultLimits,
  message = "Too many requests at once from your network. Please try again in a moment.",
) {
  const policy = { name: policyNames[name], quota: limits[name] };
  return createLimit(name, policy.quota, {
    status: 429,
    message,
    headers: retryHeaders(policy, 2),
  });
}

type KeyedLimit = [limit: ReturnType<typeof createLimit>, key: string];

/** Takes a slot of each limit, or none. */
function takeAll(wanted: KeyedLimit[]): Release | Rejection {
  const held: Release[] = [];
  const leave = () => held.forEach((release) => release());
  for (const [limit, key] of wanted) {
    const release = limit.take(key);
    if ("status" in release) {
      leave();
      return release;
    }
    held.push(release);
  }
  return leave;
}

/** Creates the limits of one server, so that those let in are answered, and machines first. */
export function createLoadLimits(changes: Partial<typeof defaultLimits> = {}) {
  const limits = { ...defaultLimits, ...changes };
  const running = createLimit("running", limits.running, unavailable);
  const runningOfClients = createClientLimit("runningPerClient", limits);
  const signIns = createClientLimit("signInsPerClient", limits);
  const places = createSharedSlots(
    limits.redemptions,
    Math.max(1, Math.floor(limits.redemptions / 3)),
    maxPlaceWaitMs,
  );
  rejections.inc({ reason: "redemptions" }, 0);

  return {
    ...createConnectionLimits(limits),
    isSlow: watchEventLoop(),
    unreadBodies: createClientLimit("unreadBodiesPerClient", limits),

    /**
     * Counts a request that has arrived as a whole.
     * @returns `leaveQueue` is called when the answer begins, so that a long download no longer counts
     *   as waiting; `leave` when it has ended
     */
    enter(
      client: string,
      { isSignIn }: { isSignIn: boolean },
    ): { leaveQueue: Release; leave: Release } | Rejection {
      const ofClient: KeyedLimit[] = [[runningOfClients, client]];
      if (isSignIn) ofClient.push([signIns, client]);
      const leaveClient = takeAll(ofClient);
      if ("status" in leaveClient) return leaveClient;
      const leaveQueue = running.take();
      if ("status" in leaveQueue) {
        leaveClient();
        return leaveQueue;
      }
      const leave = () => {
        leaveQueue();
        leaveClient();
      };
      return { leaveQueue, leave };
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
        { name: policyNames.runningPerClient, quota: limits.runningPerClient },
        runningOfClients.remaining(client),
      ),

    /** Counts a request while it is not known yet whether its key is valid. */
    enterLookUp: (client: string): Release | Rejection => runningOfClients.take(client),
  };
}

function createConnectionLimits(limits: typeof defaultLimits) {
  const ofPeers = createClientLimit("connectionsPerPeer", limits);
  const ofSites = createClientLimit("connectionsPerSite", limits);
  const ofKeys = createClientLimit(
    "connectionsPerKey",
    limits,
    "Too many connections at once with this key. Please try again in a moment.",
  );
  const peerSlots = new WeakMap<Socket, Release>();
  const exempt = new WeakSet<Socket>();

  return {
    /** Closes a new connection of a peer that has too many. */
    onConnection(socket: Socket): void {
      const [network, site] = networksOf(socket.remoteAddress ?? "");
      const wanted: KeyedLimit[] = [[ofPeers, network]];
      if (site !== undefined) wanted.push([ofSites, site]);
      const leave = takeAll(wanted);
      if ("status" in leave) {
        rejections.inc({ reason: leave.reason });
        return void socket.destroy();
      }
      peerSlots.set(socket, leave);
      socket.once("close", leave);
    },

    /**
     * Counts a connection for the valid key that came over it, and no longer for its peer. Behind proxies neither
     * is counted.
     * @returns why it is closed, if the key has too many
     */
    exemptConnection(socket: Socket, key: string): Rejection | null {
      const leavePeer = peerSlots.get(socket);
      if (!leavePeer || exempt.has(socket)) return null;
      const leaveKey = ofKeys.take(key);
      if ("status" in leaveKey) return leaveKey;
      exempt.add(socket);
      socket.once("close", leaveKey);
      leavePeer();
      return null;
    },

    /** Tells whether a valid key came over a connection. */
    isExempt: (socket: Socket) => exempt.has(socket),
  };
}

/** Beyond what a process waits for its processor on a busy machine. */
const maxDelayMs = 500;
const windowMs = 1_000;

/** @returns tells whether the loop has been slow for two windows */
function watchEventLoop(): () => boolean {
  let slowWindows = 0;
  const delay = monitorEventLoopDelay({ resolution: 20 });
  delay.enable();
  // One long task is no overload, even if it fills a window; every turn of the loop being slow is.
  setInterval(() => {
    slowWindows = delay.percentile(90) / 1e6 > maxDelayMs ? slowWindows + 1 : 0;
    delay.reset();
  }, windowMs).unref();
  return () => slowWindows > 1;
}
