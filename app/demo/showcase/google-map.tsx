import { cardSection } from "../../ui/layout/layout.css";
import { Card } from "../../ui/layout/page";
import * as shared from "../demo.css";
import * as css from "./pages.css";
import { pictureUrl } from "../pictures/picture-names";

/** Melbourne. */
export const mapCenter = { lat: -37.813179, lng: 144.950259 };
export const mapZoom = 12;

const mapsPage = `https://www.google.com/maps/@${mapCenter.lat},${mapCenter.lng},${mapZoom}z`;

// React escapes quotes and angle brackets in a script, so that it has none.
const start = `function startMap(){
var center={lat:${mapCenter.lat},lng:${mapCenter.lng}};
var map=new google.maps.Map(document.getElementById(\`map\`),{center:center,zoom:${mapZoom}});
new google.maps.Marker({position:center,map:map});
}`;

/** Without a key of the maps service: our own picture, a note and a link; no other server receives a request. */
export function GoogleMap({ apiKey, nonce }: { apiKey: string | null; nonce: string }) {
  return (
    <Card className={cardSection}>
      {!apiKey && (
        <p>This is a drawing of Melbourne. The live map is shown once MAPS_KEY is set.</p>
      )}
      <div id="map" className={apiKey ? css.map : undefined}>
        <img
          src={pictureUrl("melbourne")}
          alt="Map of Melbourne with a marker"
          width={400}
          height={240}
          className={shared.picture}
        />
      </div>
      <p>
        <a href={mapsPage} rel="noreferrer">
          Open Melbourne in Google Maps
        </a>
      </p>
      {apiKey && (
        <>
          <script nonce={nonce}>{start}</script>
          <script
            async
            nonce={nonce}
            src={`https://maps.googleapis.com/maps/api/js?key=${encodeURIComponent(apiKey)}&callback=startMap`}
          />
        </>
      )}
    </Card>
  );
}
