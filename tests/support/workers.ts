import { availableParallelism } from "node:os";

/**
 * Number of workers of vitest and of Playwright: one more than processors, because a test often waits for a server, a
 * database or a browser; at most eight, which the connections of the test database allow. WORKERS sets another number.
 */
export const workers = Number(process.env.WORKERS) || Math.min(availableParallelism() + 1, 8);
