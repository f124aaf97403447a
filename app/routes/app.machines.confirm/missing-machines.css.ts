import { style } from "@vanilla-extract/css";

export const machine = style({ breakInside: "avoid", overflowWrap: "anywhere" });
