/** The pictures of the demo area: names of the files in this folder. */

export const productPictures = ["trainers", "boots", "sandals"].flatMap((shape) =>
  ["white", "black", "red", "blue"].map((color) => `${shape}-${color}`),
);

export const landscapes = [
  "bridge",
  "glacier-bay",
  "bali",
  "dunes",
  "fjord",
  "forest",
  "harbour",
  "island",
  "lake",
  "meadow",
  "moor",
  "summit",
];

export const people = ["amy", "ben", "cleo", "dan"];

export function pictureUrl(name: string): string {
  return `/app/demo/pictures/${name}.svg`;
}

/** Writes a name as a title: 'Glacier bay'. */
export function capitalize(name: string): string {
  return `${name.charAt(0).toUpperCase()}${name.slice(1).replaceAll("-", " ")}`;
}
