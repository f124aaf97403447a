import { style } from "@vanilla-extract/css";
import { color, space } from "#styles/tokens.css";

export const list = style({ paddingLeft: space.xl, overflowWrap: "anywhere" });

export const code = style({ whiteSpace: "nowrap" });

export const progress = style({ width: "100%", accentColor: color.accent });
