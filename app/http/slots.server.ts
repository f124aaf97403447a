export type Release = () => void;

/** Makes slots that requests hold while they run, so many for each key. */
export function createSlots(limit: number) {
  const taken = new Map<string, number>();
  return {
    remaining: (key = "") => limit - (taken.get(key) ?? 0),
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

type Waiting = { start: (release: Release) => void };

/**
 * Makes slots of which a key has at most so many. Whoever finds none waits for one, in the order of arrival within a
 * key; a slot that becomes free goes to the key that holds the fewest.
 */
export function createSharedSlots(limit: number, perKey: number, maxWaitMs: number) {
  const all = createSlots(limit);
  const ofKeys = createSlots(perKey);
  const queues = new Map<string, Set<Waiting>>();

  const take = (key: string): Release | null => {
    const leaveKey = ofKeys.take(key);
    if (!leaveKey) return null;
    const leaveAll = all.take();
    if (!leaveAll) {
      leaveKey();
      return null;
    }
    return () => {
      leaveAll();
      leaveKey();
      startNext();
    };
  };

  const startNext = () => {
    const keys = [...queues.keys()].sort(
      (one, other) => ofKeys.remaining(other) - ofKeys.remaining(one),
    );
    const key = keys[0];
    const next = key === undefined ? undefined : queues.get(key)!.values().next().value;
    if (key === undefined || !next) return;
    const release = take(key);
    if (release) next.start(release);
  };

  return {
    /** @returns null after waiting for too long */
    async enter(key: string): Promise<Release | null> {
      const release = take(key);
      if (release) return release;
      const queue = queues.get(key) ?? new Set<Waiting>();
      queues.set(key, queue);
      return new Promise((resolve) => {
        const waiting = {
          start(release: Release | null) {
            clearTimeout(timer);
            queue.delete(waiting);
            if (queue.size === 0 && queues.get(key) === queue) queues.delete(key);
            resolve(release);
          },
        };
        const timer = setTimeout(() => waiting.start(null), maxWaitMs);
        queue.add(waiting);
      });
    },
  };
}
