/** Why a request is rejected, before or beside Remix. */
export type Rejection = {
  status: number;
  /** A sentence for people. */
  message: string;
  headers?: Record<string, string>;
  /** Names the limit that the request met or what was missing, for log and metrics. */
  reason?: string;
};

export const unavailable: Rejection = {
  status: 503,
  message: "The server can't answer just now. Please try again in a moment.",
  headers: { "Retry-After": "2" },
};

export const failed: Rejection = { status: 500, message: "Something went wrong on our side." };

const messages: Record<number, string> = {
  400: "The request can't be read.",
  401: "Sign in first.",
  403: "You are not allowed to do this.",
  404: "There is nothing at this address.",
  405: "This method is not supported here.",
};

/** Returns the message of an API error that no handler has worded. */
export function messageFor(status: number): string {
  return messages[status] ?? (status >= 500 ? failed.message : "The request was refused.");
}

/** Room for a form that lists 2,000 machines twice, once as shown and once as chosen. */
export const maxBodyBytes = 256 * 1024;
export const maxFormFields = 5_000;
