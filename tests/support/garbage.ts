import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { onTestFinished } from "vitest";

setFlagsFromString("--expose-gc");

export const collectGarbage = runInNewContext("gc") as () => void;

/** Collects garbage every 10 ms until the test ends, so that what nothing holds is lost at once. */
export function keepCollecting(): void {
  const collecting = setInterval(collectGarbage, 10);
  onTestFinished(() => clearInterval(collecting));
}
