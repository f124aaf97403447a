const files = import.meta.glob<string>("./*.svg", {
  query: "?raw",
  import: "default",
  eager: true,
});

/** Returns the SVG document of a picture, or undefined for a name of none. */
export function readPicture(name: string): string | undefined {
  return files[`./${name}.svg`];
}
