import type { IncomingMessage, ServerResponse } from "node:http";
import helmet from "helmet";

const nonces = new WeakMap<ServerResponse, string>();

/**
 * Sets the headers that every answer has. Scripts run from our own files or with this answer's
 * nonce; styles from our own files alone.
 * @param options.isDevelopment Vite injects styles and speaks over a WebSocket
 */
export function securityHeaders(options: Record<"isHttps" | "isDevelopment", boolean>) {
  const { isHttps, isDevelopment } = options;
  const setHelmetHeaders = helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        scriptSrc: [
          "'self'",
          (_request, response) => `'nonce-${nonces.get(response as ServerResponse)}'`,
        ],
        styleSrc: isDevelopment ? ["'self'", "'unsafe-inline'"] : ["'self'"],
        imgSrc: ["'self'"],
        fontSrc: ["'self'"],
        connectSrc: isDevelopment ? ["'self'", "ws:"] : ["'self'"],
        manifestSrc: ["'self'"],
        workerSrc: ["'self'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
        baseUri: ["'none'"],
        ...(isHttps ? { upgradeInsecureRequests: [] } : {}),
      },
    },
    strictTransportSecurity: isHttps ? { maxAge: 31_536_000 } : false,
    referrerPolicy: { policy: "same-origin" },
    crossOriginOpenerPolicy: { policy: "same-origin" },
    crossOriginResourcePolicy: { policy: "same-origin" },
    xFrameOptions: { action: "deny" },
  });

  return (request: IncomingMessage, response: ServerResponse, nonce: string): void => {
    nonces.set(response, nonce);
    setHelmetHeaders(request, response, (error) => {
      if (error) throw error;
    });
    // Only scanning a code needs a device.
    response.setHeader("Permissions-Policy", "camera=(self), geolocation=(), microphone=()");
    // The default (RULES L7); handlers of cacheable files set their own value.
    response.setHeader("Cache-Control", "private, no-store");
  };
}
