import { style } from "@vanilla-extract/css";
import { scripted } from "#styles/global.css";

/** Reserves the button's room until scripts run, which alone refresh a page by themselves. */
export const waiting = style([scripted, { visibility: "hidden" }]);
