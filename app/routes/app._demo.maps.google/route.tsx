import { json, type HeadersFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { demoCrumbs } from "../../demo/crumbs";
import "../../demo/demo.css";
import { requireDemo } from "../../demo/guard.server";
import { GoogleMap } from "../../demo/showcase/google-map";
import { environment } from "../../env.server";
import { pageMeta } from "../../forms/page-meta";
import { screenLoader } from "../../http/answers.server";
import { Page } from "../../ui/layout/page";

export const handle = { hydrate: false, crumbs: demoCrumbs };
export const meta = pageMeta("Google map");

export const loader = screenLoader(requireDemo, async ({ context }) => {
  const { mapsKey } = environment();
  const nonce = context.cspNonce;
  return json({ apiKey: mapsKey, nonce }, { headers: mapsKey ? mapHeaders(nonce) : {} });
});

/** Lets this page alone load what the maps service loads. */
function mapHeaders(nonce: string): Record<string, string> {
  const service = "https://*.googleapis.com https://*.gstatic.com https://*.google.com";
  return {
    "Content-Security-Policy": [
      "default-src 'none'",
      `script-src 'self' 'nonce-${nonce}' 'strict-dynamic'`,
      `style-src 'self' 'nonce-${nonce}' https://fonts.googleapis.com`,
      `img-src 'self' data: ${service}`,
      "font-src 'self' https://fonts.gstatic.com",
      `connect-src 'self' data: blob: ${service}`,
      "worker-src blob:",
      "form-action 'self'",
      "frame-ancestors 'none'",
      "base-uri 'none'",
    ].join(";"),
    // The service checks which site its key is used on.
    "Referrer-Policy": "strict-origin-when-cross-origin",
  };
}

export const headers: HeadersFunction = ({ loaderHeaders }) => loaderHeaders;

export default function GoogleMapPage() {
  return (
    <Page title="Google map">
      <GoogleMap {...useLoaderData<typeof loader>()} />
    </Page>
  );
}
