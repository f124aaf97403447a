import { style } from "@vanilla-extract/css";
import { scripted } from "#styles/global.css";

/** Only scripts refresh by themselves: until they run, the button's room is kept. */
export const waiting = style([scripted, { visibility: "hidden" }]);
