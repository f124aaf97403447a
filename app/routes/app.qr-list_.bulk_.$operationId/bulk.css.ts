import { style } from "@vanilla-extract/css";
import { space } from "#styles/tokens.css";

export const list = style({ paddingLeft: space.xl, overflowWrap: "anywhere" });

export const code = style({ display: "inline-block" });
