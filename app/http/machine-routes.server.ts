import { serialOfSegment } from "../paths";
import { isDatabaseUnavailable } from "../db/connection.server";
import type { RouteArgs } from "./sessions.server";

/**
 * Returns the serial number in `/app/machines/{serial}…`. It is read from the URL itself, because
 * the router's parameter turns the text '%2F' into a slash.
 */
export function machineOfAddress({ url }: Request): string {
  return serialOfSegment(segmentOf(url));
}

/**
 * Returns the serial numbers that `/api/machine/{serial}/…` may mean, the likeliest first. Clients
 * of the API encode a serial number plainly; only '.' and '..' need a '~' before them.
 */
export function machinesOfApiAddress({ url }: Request): string[] {
  const segment = segmentOf(url);
  return [...new Set([decodeURIComponent(segment), serialOfSegment(segment)])];
}

function segmentOf(url: string): string {
  return new URL(url).pathname.split("/")[3] ?? "";
}

/**
 * Runs a screen's reading of the database. While the database can't answer, the screen's own error
 * boundary says so, with status 503, inside the shell where that could still be read.
 */
export async function unavailableAs<Result>(
  sentence: string,
  { context }: Pick<RouteArgs, "context">,
  read: () => Promise<Result>,
): Promise<Result> {
  try {
    return await read();
  } catch (cause) {
    if (!isDatabaseUnavailable(cause)) throw cause;
    context.fault = cause;
    throw new Response(sentence, { status: 503, headers: { "Retry-After": "2" } });
  }
}
