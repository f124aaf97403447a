import { renderToStaticMarkup } from "react-dom/server";
import type { ReactElement } from "react";
import type { Drawing, DrawnPart } from "./chart";

/** Elements that are kept; everything else that the library writes is left out, groups included. */
const elements = ["title", "desc", "path", "line", "tspan"];
const attributes = new Set([
  ..."viewBox aria-labelledby aria-describedby d x y dx dy x1 x2 y1 y2".split(" "),
  ..."fill fill-opacity stroke stroke-width stroke-dasharray text-anchor font-weight".split(" "),
]);
/** Attributes that matter on some elements only. */
const ofElements: Record<string, string> = {
  svg: "role",
  title: "id",
  desc: "id",
  // Slices and areas are drawn around a centre.
  path: "transform",
};

/** Values that mean the same as a missing attribute, except for positions. */
const nothing = ["", "none", "transparent", "0"];
const isPlace = /^[xy][12]?$/;

/**
 * The first `<svg>` that a component renders. Its inline styles, which the content security policy
 * refuses, become attributes of the same meaning; shapes of one paint become one.
 */
export function drawSvg(component: ReactElement): Drawing {
  let drawing: Drawing | undefined;
  let ofText: Record<string, string> = {};
  for (const [, end, name = "", written = "", text] of renderToStaticMarkup(component).matchAll(
    /<(\/?)([a-z]+)((?:\s[^\s=>]+="[^"]*")*)\s*\/?>|([^<]+)/gi,
  )) {
    if (end && name === "svg") break;
    const last = drawing?.parts.at(-1);
    if (text !== undefined) {
      if (last) last.text += unescape(text);
      continue;
    }
    if (end) continue;
    const own = readAttributes(name, written);
    if (name === "svg") drawing = { attributes: own, parts: [] };
    else if (name === "text") ofText = own;
    else if (elements.includes(name))
      addPart(drawing!.parts, {
        // Each line of a text is one of its own.
        ...(name === "tspan"
          ? { name: "text", attributes: { ...ofText, ...own } }
          : { name, attributes: own }),
        text: "",
      });
  }
  if (!drawing) throw new Error("Nothing was drawn");
  return drawing;
}

function addPart(parts: DrawnPart[], part: DrawnPart): void {
  if (part.name === "line" && !part.attributes.stroke) return;
  const last = parts.at(-1);
  const isMore = part.name === "path" && last?.name === "path" && paintOf(last) === paintOf(part);
  if (isMore) last.attributes.d += part.attributes.d!;
  else parts.push(part);
}

function paintOf({ attributes: { d: _shape, ...paint } }: DrawnPart): string {
  return JSON.stringify(paint);
}

/** Reads the attributes that change the drawing, by the names that React has for them. */
function readAttributes(element: string, written: string): Record<string, string> {
  const read: Record<string, string> = {};
  const add = (name: string, value: string) => {
    if (!attributes.has(name) && ofElements[element] !== name) return;
    // A line without 'none' would be filled black.
    const isMeaningful = isPlace.test(name) || (element === "path" && name === "fill");
    if (nothing.includes(value) && !isMeaningful) return;
    read[reactName(name)] = shorten(value);
  };
  for (const [, name = "", value = ""] of written.matchAll(/([^\s=]+)="([^"]*)"/g)) {
    if (name !== "style") add(name, unescape(value));
    else
      for (const declaration of unescape(value).split(";")) {
        const [property = "", ...values] = declaration.split(":");
        add(property, values.join(":"));
      }
  }
  return read;
}

/** 'stroke-width' → 'strokeWidth'; aria-… stays. */
function reactName(name: string): string {
  return name.startsWith("aria-")
    ? name
    : name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}

/** Rounds figures to tenths of a pixel, which is finer than anybody sees. */
function shorten(value: string): string {
  return value.replace(/\d+\.\d{2,}/g, (figure) => String(Number(Number(figure).toFixed(1))));
}

const characters: Record<string, string> = { lt: "<", gt: ">", quot: '"', "#x27": "'", amp: "&" };

/** Characters that React escapes. */
function unescape(text: string): string {
  return text.replace(/&(lt|gt|quot|#x27|amp);/g, (_, name: string) => characters[name]!);
}
