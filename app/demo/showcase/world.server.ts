/** The countries of the world, from the public-domain data of Natural Earth. */
import { createRequire } from "node:module";
import iso from "iso-3166-1";
import { feature } from "topojson-client";
import type { GeometryCollection, Topology } from "topojson-specification";

export type Country = {
  /** Three letters. */
  id: string;
  name: string;
  path: string;
};

/** Pixels for one radian, as if the map were drawn at its full size. */
const scale = 205;
/** Pixels of the full size for one of the picture: its numbers are then short. */
const shrink = 2;
/** Corners that are nearer to the one before are left out, in pixels of the picture. */
const leastStep = 6;
/** Degrees of latitude at the upper and the lower edge: no country lies beyond them. */
const [north, south] = [84, -57];

const toPixels = (degrees: number) => (degrees * Math.PI * scale) / 180 / shrink;

export const mapSize = {
  width: Math.round(toPixels(360)),
  height: Math.round(toPixels(north - south)),
};

/** Returns the place of a point in the picture. */
export function project([longitude, latitude]: readonly number[]): [x: number, y: number] {
  return [Math.round(toPixels(longitude! + 180)), Math.round(toPixels(north - latitude!))];
}

let countries: Country[] | undefined;

/** Returns the countries by name, without Antarctica. */
export function loadCountries(): readonly Country[] {
  if (countries) return countries;
  const world = createRequire(import.meta.url)("world-atlas/countries-110m.json") as Topology<{
    countries: GeometryCollection<{ name: string }>;
  }>;
  const { features } = feature(world, world.objects.countries);
  countries = features
    .flatMap(({ id, properties, geometry }): Country[] => {
      const code = iso.whereNumeric(String(id))?.alpha3 ?? codesWithoutNumber[properties.name];
      if (!code || properties.name === "Antarctica") return [];
      const polygons =
        geometry.type === "Polygon"
          ? [geometry.coordinates]
          : geometry.type === "MultiPolygon"
            ? geometry.coordinates
            : [];
      return [{ id: code, name: properties.name, path: polygons.flat().map(drawRing).join("") }];
    })
    .sort((a, b) => a.name.localeCompare(b.name, "en"));
  return countries;
}

/** Countries that ISO 3166 gives no number. */
const codesWithoutNumber: Record<string, string> = {
  Kosovo: "XKX",
  Somaliland: "SOL",
  "N. Cyprus": "CYN",
};

/** Draws a ring; one that crosses the 180th meridian leaves the picture at one edge and enters at the other. */
function drawRing(ring: readonly (readonly number[])[]): string {
  const corners: [number, number][] = [];
  for (const [longitude = 0, latitude = 0] of ring) {
    const turns = Math.round(((corners.at(-1)?.[0] ?? longitude) - longitude) / 360);
    corners.push([longitude + 360 * turns, latitude]);
  }
  const longitudes = corners.map(([longitude]) => longitude);
  const isPast = Math.max(...longitudes) > 180;
  const isBefore = Math.min(...longitudes) < -180;
  const shifts = isPast ? [0, -360] : isBefore ? [0, 360] : [0];
  return shifts.map((shift) => drawOutline(corners, shift)).join("");
}

function drawOutline(corners: readonly (readonly [number, number])[], shift: number): string {
  const points: [number, number][] = [];
  for (const [longitude, latitude] of corners) {
    const [x, y] = project([longitude + shift, latitude]);
    const last = points.at(-1);
    if (!last || Math.abs(x - last[0]) + Math.abs(y - last[1]) >= leastStep) points.push([x, y]);
  }
  if (points.length < 3) return "";
  const steps = points.map(([x, y], at) => {
    const [fromX, fromY] = points[at - 1] ?? [0, 0];
    return `${x - fromX} ${y - fromY}`;
  });
  return `M${steps[0]}l${steps.slice(1).join(" ")}z`.replaceAll(" -", "-");
}

/** Draws the map as one document, with a marker at Buenos Aires. The page that shows it paints the sea. */
export function drawWorld(): string {
  const { width, height } = mapSize;
  const [x, y] = project([-58.38, -34.6]);
  const shapes = loadCountries()
    .filter(({ path }) => path !== "")
    .map(({ id, name, path }) => `<path id="${id}" d="${path}"><title>${name}</title></path>`);
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">` +
    `<g fill="#7c8698" stroke="#fff" stroke-width=".5">${shapes.join("")}</g>` +
    `<path d="M${x} ${y}q-8-11-8-16a8 8 0 0 1 16 0q0 5-8 16Z" fill="#b3261e" stroke="#fff"><title>Buenos Aires</title></path></svg>`
  );
}
