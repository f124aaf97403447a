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
