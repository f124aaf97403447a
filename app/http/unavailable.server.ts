import { isDatabaseUnavailable } from "../db/connection.server";
import type { RouteArgs } from "./sessions.server";

/**
 * Runs a screen's reading of the database. While the database can't answer, the screen's own error
 * boundary says so, with status 503, inside the shell where that could still be read.
 * @param sentence for people
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
    context.log.warn({ err: cause }, "The database is not available");
    throw new Response(sentence, { status: 503, headers: { "Retry-After": "2" } });
  }
}
