import { style } from "@vanilla-extract/css";
import { color, text, weight } from "#styles/tokens.css";

/** Beneath a name: that it stands for many codes. */
export const kind = style({ ...text.small, fontWeight: weight.normal, color: color.muted });
