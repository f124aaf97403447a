/** Loaded into the server by server.ts: tells the bench how long timers waited for their turn. */
import { monitorEventLoopDelay } from "node:perf_hooks";

const delay = monitorEventLoopDelay({ resolution: 1 });
delay.enable();
process.on("message", () => {
  process.send?.({ p99: delay.percentile(99) / 1e6, max: delay.max / 1e6 });
  delay.reset();
});
// The bench's channel is no reason to stay alive.
process.channel?.unref();
