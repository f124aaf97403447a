/** Draws the pictures of the demo area as SVG documents: the map of the world has 20 KB, the others 2 KB at most. */
import { drawWorld } from "../showcase/world.server";
import { landscapes, people, productPictures } from "./picture-names";

const svg = (width: number, height: number, content: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">${content}</svg>`;

const colors: Record<string, [body: string, detail: string]> = {
  white: ["#fafafa", "#9aa3b2"],
  black: ["#2b2f38", "#6b7383"],
  red: ["#c8372d", "#f3c9c4"],
  blue: ["#2f5fc4", "#cddcf7"],
};

/** Outlines on a ground of 240 by 160, and what is drawn over them. */
const shapes: Record<string, [outline: string, details: string]> = {
  trainers: [
    "M30 112V78q14 10 30 4l22-26 12 4q4 12 20 20l58 18q34 6 36 22v4Z",
    "M94 70l14-10M104 78l14-10M116 84l14-10M128 88l12-10",
  ],
  boots: [
    "M64 120V30h58v46q6 12 40 16 30 6 32 28v4H64Z",
    "M64 50h58M70 66h52M70 82h50M122 60h-14M124 72h-14",
  ],
  sandals: [
    "M28 122q0-14 20-14h120q38 0 44 14v4H28Z",
    "M52 108q30-44 74-2M140 108q20-34 50 4M70 108q8-24 34-30",
  ],
};

function drawShoe(name: string): string {
  const [shape = "", color = ""] = name.split("-");
  const [outline, details] = shapes[shape]!;
  const [body, detail] = colors[color]!;
  return svg(
    240,
    160,
    `<rect width="240" height="160" fill="#e4e8ef"/>` +
      `<ellipse cx="122" cy="134" rx="100" ry="8" fill="#c3cad6"/>` +
      `<path d="${outline}" fill="${body}" stroke="#4a5464" stroke-width="2" stroke-linejoin="round"/>` +
      `<path d="${details}" fill="none" stroke="${detail}" stroke-width="5" stroke-linecap="round"/>` +
      `<path d="M26 122h182q10 0 10 10H26Z" fill="#4a5464"/>`,
  );
}

const skies = ["#f7c59f,#efefd0", "#9cc9e8,#e7f3fb", "#f2a7a0,#fbe3c0", "#7f8fc9,#d9c8ea"];
const grounds = ["#4f7a5b", "#31596b", "#7a6a4f", "#4b5a86", "#35705f"];

/** Hills in three rows whose heights follow from the number of the picture. */
function drawLandscape(name: string): string {
  const seed = landscapes.indexOf(name) + 1;
  const [top, bottom] = skies[seed % skies.length]!.split(",");
  const hills = [0, 1, 2].map((row) => {
    const base = 110 + row * 34;
    const points = Array.from({ length: 9 }, (_, at) => {
      const wave = Math.sin(seed * 1.7 + at * (0.8 + row * 0.35)) * (34 - row * 8);
      return `${at * 50} ${Math.round(base - Math.abs(wave))}`;
    });
    const opacity = 0.45 + row * 0.25;
    return `<path d="M0 240L${points.join("L")}L400 240Z" fill="${grounds[(seed + row) % grounds.length]}" opacity="${opacity}"/>`;
  });
  const sun = `<circle cx="${60 + ((seed * 53) % 280)}" cy="${40 + ((seed * 17) % 30)}" r="20" fill="#fff6d6"/>`;
  const extra =
    name === "bridge"
      ? `<path d="M40 170h320M110 170V90M290 170V90M40 160Q110 60 200 140Q290 60 360 160" fill="none" stroke="#b3402e" stroke-width="6"/>`
      : "";
  return svg(
    400,
    240,
    `<linearGradient id="s" x2="0" y2="1"><stop stop-color="${top}"/><stop offset="1" stop-color="${bottom}"/></linearGradient>` +
      `<rect width="400" height="240" fill="url(#s)"/>${sun}${hills.join("")}${extra}`,
  );
}

function drawPerson(name: string): string {
  const at = people.indexOf(name);
  const hair = ["#3b2a20", "#8a5a2b", "#1f2430", "#a63d2f"][at];
  const shirt = ["#2f5fc4", "#0b7048", "#b5195c", "#7a4e00"][at];
  return svg(
    96,
    96,
    `<rect width="96" height="96" fill="#dfe4ec"/><path d="M12 96q4-32 36-32t36 32Z" fill="${shirt}"/>` +
      `<circle cx="48" cy="42" r="20" fill="#e8b796"/><path d="M27 42q-2-26 21-26t21 26q-8-14-21-14t-21 14Z" fill="${hair}"/>`,
  );
}

/** Streets, the river and a marker: a sketch, not a map to walk by. Its colours let the ground of the theme through. */
function drawMelbourne(): string {
  const streets = Array.from(
    { length: 9 },
    (_, at) => `M${at * 50} 0l-60 240M0 ${at * 30}l400 30`,
  ).join("");
  return svg(
    400,
    240,
    `<path d="${streets}" stroke="#8792a5" stroke-opacity=".3" stroke-width="5"/>` +
      `<path d="M0 190q120-40 200 0t200-20" fill="none" stroke="#4a9bd6" stroke-opacity=".6" stroke-width="16"/>` +
      `<path d="M60 30h90l-12 60H48Z" fill="#3f9b62" fill-opacity=".4"/>` +
      `<path d="M200 132q-22-30-22-44a22 22 0 0 1 44 0q0 14-22 44Z" fill="#b3261e"/><circle cx="200" cy="88" r="8" fill="#fff"/>`,
  );
}

/** A lizard on a warm stone. */
function drawLizard(): string {
  const limbs = "M158 128q-22-18-40-10M170 148q-20 22-44 20M236 118q4-26 28-32M246 138q22 10 24 34";
  return svg(
    400,
    240,
    `<rect width="400" height="240" fill="#f3dcb2"/><path d="M0 240v-70q90-62 210-54t190 34v90Z" fill="#c79f6b"/>` +
      `<g fill="none" stroke="#4f7a3f" stroke-linecap="round" stroke-linejoin="round"><path d="${limbs}" stroke-width="9"/>` +
      `<path d="M150 142q-50 28-92 10-24-12-18-34" stroke-width="9"/><path d="M152 140q-26 16-52 17" stroke-width="17"/>` +
      `<path d="M160 138q44-22 92-12" stroke-width="34"/><path d="M262 126q22-4 34-14" stroke-width="24"/></g>` +
      `<path d="M160 134q44-20 88-12M160 142q44-20 88-10" fill="none" stroke="#9cc36b" stroke-width="3" stroke-dasharray="9 7"/>` +
      `<circle cx="294" cy="108" r="3.5" fill="#1f2430"/><circle cx="330" cy="46" r="20" fill="#fff6d6"/>`,
  );
}

/** Returns the SVG document of a picture, or null for a name that is none. */
export function drawPicture(name: string): string | null {
  if (name === "world") return drawWorld();
  if (name === "melbourne") return drawMelbourne();
  if (name === "lizard") return drawLizard();
  if (productPictures.includes(name)) return drawShoe(name);
  if (landscapes.includes(name)) return drawLandscape(name);
  return people.includes(name) ? drawPerson(name) : null;
}
