import type { IncomingMessage, ServerResponse } from "node:http";
import helmet from "helmet";

const nonces = new WeakMap<ServerResponse, string>();

/** Returns what the content security policy of an answer allows styles by. */
export function nonceOf(response: ServerResponse): string {
  return nonces.get(response) ?? "";
}

/**
 * Sets the headers that every answer has. Scripts and styles come from our own files or have this
 * answer's nonce; pages before the sign-in have no script within them.
 * @param options.isDevelopment Vite injects styles, speaks over a WebSocket, and asks in a worker whether it is back
 */
export function securityHeaders(options: Record<"isHttps" | "isDevelopment", boolean>) {
  const { isHttps, isDevelopment } = options;
  const ownOrNonce = (request: unknown, response: unknown) =>
    `'self' 'nonce-${nonceOf(response as ServerResponse)}'`;
  const ownOrNonceInApp = (request: unknown, response: unknown) =>
    isDevelopment || (request as IncomingMessage).url?.startsWith("/app")
      ? ownOrNonce(request, response)
      : "'self'";
  const setHelmetHeaders = helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        scriptSrc: [ownOrNonceInApp],
        styleSrc: isDevelopment ? ["'self'", "'unsafe-inline'"] : [ownOrNonce],
        // Icons in rows are images within the styles.
        imgSrc: ["'self'", "data:"],
        connectSrc: isDevelopment ? ["'self'", "ws:"] : ["'self'"],
        ...(isDevelopment ? { workerSrc: ["'self'", "blob:"] } : {}),
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
    // For Internet Explorer and Flash, and what browsers do without being told.
    xDownloadOptions: false,
    xPermittedCrossDomainPolicies: false,
    xXssProtection: false,
    xDnsPrefetchControl: false,
    originAgentCluster: false,
  });

  return (request: IncomingMessage, response: ServerResponse, value: string): void => {
    nonces.set(response, value);
    setHelmetHeaders(request, response, (error) => {
      if (error) throw error;
    });
    // Only scanning a code needs a device.
    response.setHeader("Permissions-Policy", "camera=(self), geolocation=(), microphone=()");
    // The default (RULES L7); handlers of cacheable files set their own value.
    response.setHeader("Cache-Control", "private, no-store");
  };
}
