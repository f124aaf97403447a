import { json, type HeadersFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { pageMeta } from "../../forms/page-meta";
import { screenLoader } from "../../http/answers.server";
import { cardSection } from "../../ui/layout/layout.css";
import { Card, Page } from "../../ui/layout/page";
import * as css from "../demo.css";
import { mapsKey, requireDemo } from "../demo.server";
import { Picture } from "../pictures/pictures";

export const handle = { hydrate: false };
export const meta = pageMeta("Google map");

export const loader = screenLoader(requireDemo, async ({ context }) => {
  const [apiKey, nonce] = [mapsKey(), context.cspNonce];
  return json({ apiKey, nonce }, { headers: apiKey ? mapHeaders(nonce) : {} });
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

/** Melbourne. */
const center = { lat: -37.813179, lng: 144.950259 };
const zoom = 12;

// React escapes quotes and angle brackets in a script, so that it has none.
const startMap = `function startMap(){
var center={lat:${center.lat},lng:${center.lng}};
var map=new google.maps.Map(document.getElementById(\`map\`),{center:center,zoom:${zoom}});
new google.maps.Marker({position:center,map:map});
}`;

/** Without a key of the maps service: our own picture, a note and a link; no other server receives a request. */
export default function GoogleMap() {
  const { apiKey, nonce } = useLoaderData<typeof loader>();
  return (
    <Page title="Google map">
      <Card className={cardSection}>
        {!apiKey && (
          <p>This is a drawing of Melbourne. The live map is shown once MAPS_KEY is set.</p>
        )}
        <div id="map" className={apiKey ? css.map : undefined}>
          <Picture name="melbourne" alt="Map of Melbourne with a marker" />
        </div>
        <p>
          <a
            href={`https://www.google.com/maps/@${center.lat},${center.lng},${zoom}z`}
            rel="noreferrer"
          >
            Open Melbourne in Google Maps
          </a>
        </p>
        {apiKey && (
          <>
            <script nonce={nonce}>{startMap}</script>
            <script
              async
              nonce={nonce}
              src={`https://maps.googleapis.com/maps/api/js?key=${encodeURIComponent(apiKey)}&callback=startMap`}
            />
          </>
        )}
      </Card>
    </Page>
  );
}
