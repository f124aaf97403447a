import { monitorEventLoopDelay } from "node:perf_hooks";
import type { Socket } from "node:net";
import { networksOf } from "../features/users/sign-in.server";
import { unavailable, type Rejection } from "./request-checks.server";

/** How much may run at the same time. A client is an address; of IPv6, a /64 network. */
export const defaultLimits = {
  /** Requests that wait for their answer to begin, redemptions aside. */
  running: 150,
  /** Redemptions with a valid key. Nothing else takes their places, and no limit below counts them. */
  redemptions: 150,
  /** Requests whose body has not arrived yet. */
  unreadBodiesPerClient: 20,
  /** Requests that are not answered to the end, downloads included. */
  runningPerClient: 50,
  /** Sign-ins that are checked or wait to be. */
  signInsPerClient: 5,
  /** Connections of one peer. Behind proxies it doesn't apply, since every peer is a proxy. */
  connectionsPerPeer: 100,
};

export type LoadLimits = ReturnType<typeof createLoadLimits>;
export type Release = () => void;

export const tooManyRequests: Rejection = {
  status: 429,
  message: "Too many requests at once from your network. Please try again in a moment.",
  headers: { "Retry-After": "2" },
};

/** Keeps the limits of one server, so that those let in are answered, and machines first. */
export function createLoadLimits(limits: Partial<typeof defaultLimits> = {}) {
  const numbers = { ...defaultLimits, ...limits };
  const running = createSlots(numbers.running);
  const runningOfClients = createSlots(numbers.runningPerClient);
  const signIns = createSlots(numbers.signInsPerClient);
  const connections = createSlots(numbers.connectionsPerPeer);
  const connectionSlots = new WeakMap<Socket, Release>();
  const eventLoop = watchEventLoop();

  return {
    redemptions: createSlots(numbers.redemptions),
    unreadBodies: createSlots(numbers.unreadBodiesPerClient),
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
      const take = (slots: Slots, key?: string) => {
        const release = slots.take(key);
        if (release) held.push(release);
        return release;
      };
      const leave = () => held.forEach((release) => release());
      const isWithinShare = take(runningOfClients, client) && (!isSignIn || take(signIns, client));
      const leaveQueue = isWithinShare && take(running);
      if (leaveQueue) return { leaveQueue, leave };
      leave();
      return isWithinShare ? unavailable : tooManyRequests;
    },

    /** Counts a redemption while it is not known yet whether its key is valid. */
    enterLookUp(client: string): { leave: Release } | Rejection {
      const leave = runningOfClients.take(client);
      return leave ? { leave } : tooManyRequests;
    },

    /** Closes a new connection of a peer that has too many. */
    onConnection(socket: Socket): void {
      const release = connections.take(networksOf(socket.remoteAddress ?? "")[0]);
      if (!release) return void socket.destroy();
      connectionSlots.set(socket, release);
      socket.once("close", release);
    },

    /** Stops counting a connection, because a valid key came over it. */
    exemptConnection(socket: Socket): void {
      connectionSlots.get(socket)?.();
    },
  };
}

type Slots = ReturnType<typeof createSlots>;

/** Makes slots that requests hold while they run, so many for each key. */
function createSlots(limit: number) {
  const taken = new Map<string, number>();
  return {
    /** @returns gives the slot back, once; null if all slots of this key are taken */
    take(key = ""): Release | null {
      const count = taken.get(key) ?? 0;
      if (count >= limit) return null;
      taken.set(key, count + 1);
      let isHeld = true;
      return () => {
        if (!isHeld) return;
        isHeld = false;
        const rest = (taken.get(key) ?? 1) - 1;
        if (rest > 0) taken.set(key, rest);
        else taken.delete(key);
      };
    },
  };
}

const maxDelayMs = 250;
const windowMs = 1_000;

function watchEventLoop(): { isSlow: () => boolean } {
  let slowWindows = 0;
  const delay = monitorEventLoopDelay({ resolution: 20 });
  delay.enable();
  // One long task is no overload, even if it fills a window; every turn of the loop being slow is.
  setInterval(() => {
    slowWindows = delay.percentile(50) / 1e6 > maxDelayMs ? slowWindows + 1 : 0;
    delay.reset();
  }, windowMs).unref();
  return { isSlow: () => slowWindows > 1 };
}
