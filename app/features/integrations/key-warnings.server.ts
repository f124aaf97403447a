import { describeRefusedKey, toThrottleView } from "./integration";
import { listThrottledKeys } from "./integrations.server";
import type { KeyWarning } from "./key-warnings";
import { readUnknownKeys } from "./refused-keys.server";

/** Lists warnings of throttled keys and of unknown ones. Keys that end or have ended are alerts. */
export async function listKeyWarnings(timeZone: string): Promise<KeyWarning[]> {
  const [throttled, unknown] = await Promise.all([listThrottledKeys(), readUnknownKeys()]);
  const warnings: KeyWarning[] = throttled.map((key) => toThrottleView(key, timeZone));
  if (unknown) warnings.push({ integrationId: null, message: describeRefusedKey(unknown) });
  return warnings;
}
