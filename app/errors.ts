/**
 * A rule of the product that was not met. Thrown by features, mapped to a status once for
 * screens and once for the API (`app/http`); never logged as a fault.
 */
export type DomainErrorReason = "not_found" | "invalid" | "forbidden" | "conflict" | "unavailable";

export class DomainError extends Error {
  readonly reason: DomainErrorReason;
  /** Sentences by form field, where fields are to blame. */
  readonly fields: Record<string, string>;

  constructor(reason: DomainErrorReason, message: string, fields: Record<string, string> = {}) {
    super(message);
    this.name = "DomainError";
    this.reason = reason;
    this.fields = fields;
  }
}

export const statusOfReason: Record<DomainErrorReason, number> = {
  not_found: 404,
  invalid: 422,
  forbidden: 403,
  conflict: 409,
  unavailable: 503,
};
