/** Header fields that tell clients about limits, as in draft-ietf-httpapi-ratelimit-headers-10. */

import type { RatePolicy } from "../errors";

/**
 * Returns `RateLimit-Policy` and `RateLimit`.
 * @param remaining what is left of the quota
 * @param resetSeconds until more is available; left out where nobody knows
 */
export function rateLimitHeaders(
  { name, quota, windowSeconds }: RatePolicy,
  remaining: number,
  resetSeconds?: number,
): Record<string, string> {
  const window = windowSeconds === undefined ? `qu="concurrent-requests"` : `w=${windowSeconds}`;
  const reset = resetSeconds === undefined ? "" : `;t=${resetSeconds}`;
  return {
    "RateLimit-Policy": `"${name}";q=${quota};${window}`,
    RateLimit: `"${name}";r=${Math.max(0, remaining)}${reset}`,
  };
}

/** Returns the header fields of a 429. */
export function retryHeaders(policy: RatePolicy, seconds: number): Record<string, string> {
  return { "Retry-After": String(seconds), ...rateLimitHeaders(policy, 0, seconds) };
}

/** Wrong sign-ins for an account from one address. */
export const signInPolicy: RatePolicy = { name: "sign-in", quota: 5, windowSeconds: 15 * 60 };
