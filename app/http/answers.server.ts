import { json } from "@remix-run/node";
import { DomainError, statusOfReason } from "../errors";
import type { RouteArgs } from "./sessions.server";

/** rulings 6.3: `{error, fields?}`. */
export function apiError(
  status: number,
  error: string,
  { fields = {}, headers = {} }: { fields?: Record<string, string>; headers?: HeadersInit } = {},
): Response {
  const body = Object.keys(fields).length > 0 ? { error, fields } : { error };
  return json(body, { status, headers });
}

/** Wraps a loader or action of the API, so that a rule that was not met becomes an answer. */
export function apiRoute<Args extends RouteArgs>(handler: (args: Args) => Promise<Response>) {
  return async (args: Args): Promise<Response> => {
    try {
      return await handler(args);
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      const headers: HeadersInit = error.reason === "unavailable" ? { "Retry-After": "2" } : {};
      return apiError(statusOfReason[error.reason], error.message, {
        fields: error.fields,
        headers,
      });
    }
  };
}

/** The same for a loader or action of a screen: its error page says so. */
export function screenRoute<Args extends RouteArgs, Result>(
  handler: (args: Args) => Promise<Result>,
) {
  return async (args: Args): Promise<Result> => {
    try {
      return await handler(args);
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      throw new Response(error.message, { status: statusOfReason[error.reason] });
    }
  };
}

/** The loader or action of an API address that has none for this method. */
export function methodNotAllowed(...allowed: string[]) {
  return async (): Promise<Response> =>
    apiError(405, "This method is not supported here.", {
      headers: { Allow: allowed.join(", ") },
    });
}

/**
 * The JSON object that an API call sent.
 * @throws Response 400, 415
 */
export async function readJson(request: Request): Promise<Record<string, unknown>> {
  if (!/^application\/json\s*(;|$)/i.test(request.headers.get("Content-Type") ?? ""))
    throw apiError(415, "Send JSON.");
  const value: unknown = await request.json().catch(() => undefined);
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw apiError(400, "The request can't be read.");
  return value as Record<string, unknown>;
}
