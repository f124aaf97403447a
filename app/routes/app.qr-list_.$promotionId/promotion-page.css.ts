import { globalStyle, style } from "@vanilla-extract/css";
import { size, space } from "#styles/tokens.css";

export const facts = style({
  display: "flex",
  flexWrap: "wrap",
  alignItems: "flex-start",
  gap: space.xl,
  marginBottom: space.xl,
});
globalStyle(`${facts} > dl`, { flex: "1", minWidth: `min(100%,${size.medium})` });
