/** Header fields of the OpenAPI document: those of answers, and the idempotency key of requests. */

/** Header fields of answers; the limits are those of draft-ietf-httpapi-ratelimit-headers. */
export const headers = {
  Location: {
    description: "Path of the request that waits for a second admin.",
    required: true,
    schema: { type: "string" },
  },
  "Content-Location": {
    description: "Path of the archive, where a broken download continues.",
    required: true,
    schema: { type: "string" },
  },
  Link: {
    description: 'Path of the page that follows, as `<…>; rel="next"`. The last page has none.',
    schema: { type: "string" },
  },
  "Retry-After": {
    description: "Seconds until it is worth trying again.",
    required: true,
    schema: { type: "integer", minimum: 0 },
  },
  "RateLimit-Policy": {
    description:
      'A policy with its quota `q`, and its window `w` in seconds or its unit `qu`, such as `"sign-in";q=5;w=900`.',
    required: true,
    schema: { type: "string" },
  },
  RateLimit: {
    description:
      'What remains of the policy, `r`, and the seconds until more is available, `t`, such as `"sign-in";r=0;t=240`.',
    required: true,
    schema: { type: "string" },
  },
};
type Header = keyof typeof headers;

export const headersOf = (...names: Header[]) => ({
  headers: Object.fromEntries(
    names.map((name) => [name, { $ref: `#/components/headers/${name}` }]),
  ),
});

export const headersOfStatus: Record<string, object> = {
  429: headersOf("Retry-After", "RateLimit-Policy", "RateLimit"),
  503: headersOf("Retry-After"),
};

export const limitHeaders = ["RateLimit-Policy", "RateLimit"] as const;

export const idempotencyKeyParam = {
  name: "Idempotency-Key",
  in: "header",
  description:
    "1 to 100 visible ASCII characters. The same call with the same key runs once and gets the first answer.",
  schema: { type: "string", pattern: "^[!-~]{1,100}$" },
};
