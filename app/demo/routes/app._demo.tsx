import { screenLoader } from "../../http/answers.server";
import "../calendar/calendar.css";
import "../demo.css";
import { requireDemo } from "../demo.server";
import { demoCrumbs, demoIndex } from "../pages";

/** What all screens of the demo area have in common. */
export const handle = { crumbs: demoCrumbs, entry: demoIndex };
export const loader = screenLoader(requireDemo, async () => null);

export { Outlet as default } from "@remix-run/react";
