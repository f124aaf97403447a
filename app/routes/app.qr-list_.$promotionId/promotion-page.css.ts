import { globalStyle, style } from "@vanilla-extract/css";
import { color, line, radius, size, space } from "#styles/tokens.css";

export const facts = style({
  display: "flex",
  flexWrap: "wrap",
  alignItems: "flex-start",
  gap: space.xl,
  marginBottom: space.xl,
});
globalStyle(`${facts} > dl`, { flex: "1", minWidth: `min(100%,${size.medium})` });

export const image = style({
  border: `${line.thin} ${color.border}`,
  borderRadius: radius.control,
  // A reader needs dark on light, whatever the theme or the system's colours.
  background: "white",
  forcedColorAdjust: "none",
  imageRendering: "pixelated",
});
