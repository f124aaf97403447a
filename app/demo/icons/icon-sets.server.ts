/** The icons of the galleries; README.md says where they come from. */
import font from "./font.tsv?raw";
import material from "./material.tsv?raw";

export type GalleryIcon = { name: string; size: string; paths: string[] };

function parseIcons(lines: string): GalleryIcon[] {
  return lines
    .trim()
    .split("\n")
    .map((line) => {
      const [name = "", size = "", ...paths] = line.split("\t");
      return { name, size, paths };
    });
}

const between = (icons: GalleryIcon[], first: string, last: string) =>
  icons.filter(({ name }) => name >= first && name <= last);

export const standardIcons = () => parseIcons(material);

export const iconTabs: Record<string, { label: string; icons: () => GalleryIcon[] }> = {
  material: {
    label: "Material Icons",
    icons: () => between(standardIcons(), "Traffic", "ZoomOutMap"),
  },
  font: { label: "Font Awesome", icons: () => parseIcons(font) },
};
