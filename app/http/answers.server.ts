import { json, type LoaderFunctionArgs } from "@remix-run/node";
import { isReadingFromReplica } from "../db/connection.server";
import { isDatabaseUnavailable } from "../db/database-errors.server";
import { readFromReplica } from "../db/replica.server";
import { DomainError, LimitError, statusOfReason } from "../errors";
import { redirectWithMessage } from "./messages.server";
import { retryHeaders } from "./rate-limit-headers";
import type { RouteArgs, Session } from "./sessions.server";

/** Makes an error of the API (RULES L6): `{error, fields?}`. */
export function apiError(
  status: number,
  error: string,
  { fields = {}, headers = {} }: { fields?: Record<string, string>; headers?: HeadersInit } = {},
): Response {
  const body = Object.keys(fields).length > 0 ? { error, fields } : { error };
  return json(body, { status, headers });
}

/** Returns the status of an error, and when to try again where that may help. */
export function statusOf(error: DomainError): { status: number; headers: Record<string, string> } {
  const status = statusOfReason[error.reason];
  if (error instanceof LimitError)
    return { status, headers: retryHeaders(error.policy, error.retryAfterSeconds) };
  return { status, headers: status === 503 ? { "Retry-After": "2" } : {} };
}

/** Wraps a loader or action of a screen, so that its error page shows a rule that was not met. */
export function screenRoute<Args extends RouteArgs, Result>(
  handler: (args: Args) => Promise<Result>,
) {
  return async (args: Args): Promise<Result> => {
    try {
      return await handler(args);
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      if (error.reason === "unavailable") args.context.fault = error;
      throw new Response(error.message, statusOf(error));
    }
  };
}

export function screenLoader<Result>(
  guard: (args: RouteArgs) => Promise<Session>,
  load: (args: LoaderFunctionArgs, session: Session) => Promise<Result>,
) {
  return screenRoute(async (args: LoaderFunctionArgs) => load(args, await guard(args)));
}

/**
 * Wraps the reading of a screen's loader that may be some milliseconds old, but never older than what its user wrote. It
 * may run twice.
 */
export function fromReplica<Result>(
  load: (args: LoaderFunctionArgs, session: Session) => Promise<Result>,
): typeof load {
  return (args, session) =>
    args.context.isPosted
      ? load(args, session)
      : readFromReplica(session.user.id, () => load(args, session));
}

/** Waits for work, and redirects with the message of an error that has a reason. */
export async function orRedirect<Result>(
  work: Promise<Result>,
  reason: DomainError["reason"],
  redirect: (message: string) => Promise<Response>,
): Promise<Result> {
  try {
    return await work;
  } catch (cause) {
    if (!(cause instanceof DomainError) || cause.reason !== reason) throw cause;
    throw await redirect(cause.message);
  }
}

/** Reads what a page is about; if that doesn't exist, leads to its list with the reason. */
export function orList<Result>(session: Session, list: string, read: Promise<Result>) {
  return orRedirect(read, "not_found", (message) =>
    redirectWithMessage(session, list, { kind: "warning", text: `${message}.` }),
  );
}

/**
 * Runs a screen's reading of the database. While the database can't answer, the screen's own error
 * boundary says so, with status 503, inside the shell where that could still be read. What a replica fails to read is
 * repeated first.
 */
export async function unavailableAs<Result>(
  message: string,
  { context }: Pick<RouteArgs, "context">,
  read: () => Promise<Result>,
): Promise<Result> {
  try {
    return await read();
  } catch (cause) {
    if (!isDatabaseUnavailable(cause) || isReadingFromReplica()) throw cause;
    context.fault = cause;
    throw new Response(message, { status: 503, headers: { "Retry-After": "2" } });
  }
}
