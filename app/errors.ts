/**
 * A rule of the product that was not met. Features throw it; `app/http` maps it to a status, once
 * for screens and once for the API. It is never logged as a fault.
 */
type DomainErrorReason =
  "not_found" | "invalid" | "forbidden" | "conflict" | "too_many" | "unavailable";

export class DomainError extends Error {
  override name = "DomainError";

  /** @param fields messages by form field; empty if no field is to blame */
  constructor(
    readonly reason: DomainErrorReason,
    message: string,
    readonly fields: Record<string, string> = {},
  ) {
    super(message);
  }
}

/** A limit of what a client may do: requests in a window, or requests at the same time if it has none. */
export type RatePolicy = { name: string; quota: number; windowSeconds?: number };

/** A limit that was met: `too_many`, with when to try again. */
export class LimitError extends DomainError {
  constructor(
    message: string,
    readonly policy: RatePolicy,
    readonly retryAfterSeconds: number,
  ) {
    super("too_many", message);
  }
}

/** A request of somebody that waits for a second admin. */
export type HeldRequest = {
  kind: string;
  name: string;
  codes: number | null;
  input: object;
  userId: string;
  idempotencyKey: string | null;
};

/** Ends what makes codes that a second admin has to approve: nothing was made. */
export class HeldForApproval extends Error {
  override name = "HeldForApproval";

  /** @param held to be stored, or the id of the request that an earlier attempt stored */
  constructor(readonly held: HeldRequest | { approvalId: string }) {
    super("This waits for a second admin");
  }
}

export const notFound = (message: string) => new DomainError("not_found", message);
export const invalid = (message: string) => new DomainError("invalid", message);
export const conflict = (message: string) => new DomainError("conflict", message);
export const forbidden = (message: string) => new DomainError("forbidden", message);
export const unavailable = (message: string) => new DomainError("unavailable", message);

/** Makes the error of a form or body whose fields break rules. @param fields at least one message */
export function invalidFields(fields: Record<string, string>): DomainError {
  return new DomainError("invalid", Object.values(fields)[0] ?? "Invalid request", fields);
}

/**
 * Runs checks one after the other, so that one error has the fields of all that fail as invalid.
 * @throws DomainError invalid; what else a check throws, at once
 */
export async function runChecks(checks: readonly (() => void | Promise<void>)[]): Promise<void> {
  let fields: Record<string, string> = {};
  for (const check of checks) {
    try {
      await check();
    } catch (cause) {
      if (!(cause instanceof DomainError) || cause.reason !== "invalid") throw cause;
      fields = { ...cause.fields, ...fields };
    }
  }
  if (Object.keys(fields).length > 0) throw invalidFields(fields);
}

/** An edit that is based on a version which has moved since. Its message is for screens, which show that version's values. */
export class StaleVersionError extends DomainError {
  /** @param change beginning of the message: 'Someone else changed this group' */
  constructor(readonly change: string) {
    super(
      "conflict",
      `${change} after you opened it. Your changes were not saved. The page shows the current values, the form shows yours. Save again to use yours.`,
    );
  }
}

/** @throws StaleVersionError if the current version is another than the one that was seen */
export function requireVersion(current: number, seen: number, change: string): void {
  if (current !== seen) throw new StaleVersionError(change);
}

/** Returns the code of an error of Node or PostgreSQL: 'ENOENT', '40P01'; '' if it has none. */
export function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}

export const statusOfReason: Record<DomainErrorReason, number> = {
  not_found: 404,
  invalid: 422,
  forbidden: 403,
  conflict: 409,
  too_many: 429,
  unavailable: 503,
};
