// Rollup reads entries by name, this one before root.tsx: the styles of all pages stay before those that screens add.
import "#styles/themes.css";
import "#styles/global.css";
import "../../ui/layout/error-page";
import { screenLoader } from "../../http/answers.server";
import "../calendar/calendar.css";
import "../demo.css";
import "../showcase/ui-overlays.css";
import { requireDemo } from "../demo.server";
import { demoCrumbs, demoIndex } from "../pages";

/** The common frame of all screens of the demo area. */
export const handle = { crumbs: demoCrumbs, entry: demoIndex };
export const loader = screenLoader(requireDemo, async () => null);

export { Outlet as default } from "@remix-run/react";
