/** Names of the pictures of the demo area, which the server draws. */

export const productPictures: readonly string[] = ["trainers", "boots", "sandals"].flatMap(
  (shape) => ["white", "black", "red", "blue"].map((color) => `${shape}-${color}`),
);

/** Landscapes; each has other hills, another sky and another time of day. */
export const landscapes: readonly string[] = [
  "bridge",
  "glacier-bay",
  "bali",
  ...["dunes", "fjord", "forest", "harbour", "island", "lake", "meadow", "moor", "summit"],
];

export const people: readonly string[] = ["amy", "ben", "cleo", "dan"];

export const pictureNames: readonly string[] = [
  ...productPictures,
  ...landscapes,
  ...people,
  "world",
  "melbourne",
  "lizard",
];

export function pictureUrl(name: string): string {
  return `/app/demo/pictures/${name}.svg`;
}
