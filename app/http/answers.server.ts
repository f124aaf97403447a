import { json, type LoaderFunctionArgs } from "@remix-run/node";
import { DomainError, LimitError, statusOfReason } from "../errors";
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
