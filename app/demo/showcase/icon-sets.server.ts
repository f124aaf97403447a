/** Icons of two public sets, read when the first gallery is opened. */
import { createRequire } from "node:module";

type IconSet = {
  width?: number;
  height?: number;
  icons: Record<string, { body: string; width?: number; height?: number }>;
};

export type GalleryIcon = {
  name: string;
  viewBox: string;
  shapes: { name: string; attributes: Record<string, string> }[];
};

const load = createRequire(import.meta.url);
const loaded = new Map<string, GalleryIcon[]>();

function readIcons(file: string, prefix: string): GalleryIcon[] {
  const known = loaded.get(file);
  if (known) return known;
  const { icons, width = 16, height = width } = load(file) as IconSet;
  const names = Object.keys(icons).filter((name) => name.startsWith(prefix));
  const read = names.sort().map((name): GalleryIcon => {
    const icon = icons[name]!;
    return {
      name: pascalCase(name.slice(prefix.length)),
      viewBox: `0 0 ${icon.width ?? width} ${icon.height ?? height}`,
      shapes: parseShapes(icon.body),
    };
  });
  loaded.set(file, read);
  return read;
}

function parseShapes(body: string): GalleryIcon["shapes"] {
  return [...body.matchAll(/<(path|circle|ellipse|rect|polygon)\b([^>]*?)\/?>/g)].map(
    ([, name, written]) => ({
      name: name!,
      attributes: Object.fromEntries(
        [...written!.matchAll(/\b(d|r|rx|ry|x|y|cx|cy|width|height|points)="([^"]*)"/g)].map(
          ([, attribute, value]) => [attribute!, value!],
        ),
      ),
    }),
  );
}

function pascalCase(name: string): string {
  return name.replace(/(^|-)(\w)/g, (_all, _dash, letter: string) => letter.toUpperCase());
}

const between = (icons: GalleryIcon[], first: string, last: string) =>
  icons.filter(({ name }) => name >= first && name <= last);

/** The large set of standard icons. */
export function standardIcons(): GalleryIcon[] {
  return readIcons("@iconify-json/ic/icons.json", "baseline-");
}

/** The two tabs of the icon page. */
export const iconTabs: Record<string, { label: string; icons: () => GalleryIcon[] }> = {
  material: {
    label: "Material Icons",
    icons: () => between(standardIcons(), "Traffic", "ZoomOutMap"),
  },
  font: {
    label: "Font Awesome",
    icons: () => between(readIcons("@iconify-json/fa/icons.json", ""), "Bed", "Yahoo"),
  },
};
