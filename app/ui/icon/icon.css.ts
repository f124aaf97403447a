import { globalStyle, style, styleVariants } from "@vanilla-extract/css";
import { size } from "#styles/tokens.css";
import sprite from "./sprite.svg?raw";

/** The icons are the only drawings that assistive technology passes over; a class would stand on each. */
globalStyle("svg[aria-hidden]", {
  width: size.icon,
  height: size.icon,
  flex: "none",
  fill: "none",
  stroke: "currentColor",
  strokeWidth: 1.6,
  strokeLinecap: "round",
  strokeLinejoin: "round",
});

export const small = style({});
globalStyle(`svg.${small}`, { width: size.iconSmall, height: size.iconSmall });

/** Returns the drawing of an icon as an image, from the sprite. */
function imageOf(name: string): string {
  const drawing = new RegExp(`<symbol id="${name}"[^>]*>(.*)</symbol>`).exec(sprite)?.[1];
  if (!drawing) throw new Error(`The sprite has no icon ${name}.`);
  const image = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 20 20" fill="none" stroke="red" stroke-width="1.6" stroke-linecap="round" stroke-linejoin="round">${drawing}</svg>`;
  return `url("data:image/svg+xml,${image.replaceAll('"', "'")}")`;
}

const maskOf = (name: string) => `${imageOf(name)} 0 / contain`;

/** Masks that draw the icons of controls in rows: in the styles, each costs a class only. */
export const rowMasks = {
  download: maskOf("download"),
  machine: maskOf("machine"),
  power: maskOf("power"),
  trash: maskOf("trash"),
};
export const rowIcons = styleVariants({ trash: rowMasks.trash }, (mask) => ({
  "::before": { mask },
}));
