import { describe, expect, it } from "vitest";
import { contrast } from "./contrast";
import { dark, darkAccents, light, lightAccents, themeNames } from "./palettes";

const palettes = themeNames.flatMap((name) => [
  { name: `${name}, light`, ...light, ...lightAccents[name] },
  { name: `${name}, dark`, ...dark, ...darkAccents[name] },
]);
type Role = Exclude<keyof (typeof palettes)[number], "name">;

const surfaces: Role[] = ["bg", "surface", "sunken"];
const onEvery = (roles: Role[]) =>
  roles.flatMap((role) => surfaces.map((surface): [Role, Role] => [role, surface]));

const textPairs: [Role, Role][] = [
  ...onEvery(["text", "muted", "accent", "success", "warning", "danger", "info", "neutral"]),
  ["onAccent", "accent"],
  ["onTint", "tint"],
  ["text", "tint"],
  ["success", "successBg"],
  ["warning", "warningBg"],
  ["danger", "dangerBg"],
  ["info", "infoBg"],
  ["neutral", "neutralBg"],
  // Words beside the coloured ones in a message or an error summary.
  ["text", "successBg"],
  ["text", "warningBg"],
  ["text", "dangerBg"],
  ["text", "infoBg"],
  // The filled button of a destructive dialog.
  ["surface", "danger"],
];

const edgePairs: [Role, Role][] = [
  ...onEvery(["control", "accent", "danger"]),
  // Focus rings are drawn around badges, messages and the current place too.
  ["accent", "tint"],
  ["accent", "successBg"],
  ["accent", "warningBg"],
  ["accent", "dangerBg"],
  ["accent", "infoBg"],
];

describe.each(palettes)("palette $name", (palette) => {
  it.each(textPairs)("%s is readable as text on %s", (front, back) => {
    expect(contrast(palette[front], palette[back])).toBeGreaterThanOrEqual(4.5);
  });

  it.each(edgePairs)("%s is visible as an edge on %s", (front, back) => {
    expect(contrast(palette[front], palette[back])).toBeGreaterThanOrEqual(3);
  });
});
