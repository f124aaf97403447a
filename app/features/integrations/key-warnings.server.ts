import { listEndingKeys } from "./ending-keys.server";
import { describeRefusedKey, toEndingView, toThrottleView } from "./integration";
import { listThrottledKeys } from "./integrations.server";
import type { KeyWarning } from "./key-warnings";
import { listRefusedKeys } from "./refused-keys.server";

/** Lists warnings of all keys: of throttled ones, of refused ones, then of those that end soon. */
export async function listKeyWarnings(timeZone: string): Promise<KeyWarning[]> {
  const [throttled, refused, ending] = await Promise.all([
    listThrottledKeys(),
    listRefusedKeys(),
    listEndingKeys(),
  ]);
  return [
    ...throttled.map((key) => toThrottleView(key, timeZone)),
    ...refused.map(describeRefusedKey),
    ...ending.map((keys) => toEndingView(keys, timeZone)),
  ];
}
