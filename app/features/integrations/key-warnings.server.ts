import { describeRefusedKey, toThrottleView } from "./integration";
import { listThrottledKeys } from "./integrations.server";
import type { KeyWarning } from "./key-warnings";
import { listRefusedKeys } from "./refused-keys.server";

/** Lists warnings of throttled keys and of unknown ones. Keys that end or have ended are alerts. */
export async function listKeyWarnings(timeZone: string): Promise<KeyWarning[]> {
  const [throttled, refused] = await Promise.all([listThrottledKeys(), listRefusedKeys()]);
  return [
    ...throttled.map((key) => toThrottleView(key, timeZone)),
    ...refused
      .filter(({ id }) => id === null)
      .map((key) => ({ integrationId: null, message: describeRefusedKey(key) })),
  ];
}
