const files = import.meta.glob<string>("./*.svg", {
  query: "?raw",
  import: "default",
  eager: true,
});

export function readPicture(name: string): string | undefined {
  return files[`./${name}.svg`];
}
