/**
 * The routes of dialogs and of actions in rows, in one script that is loaded while the browser is
 * idle, so that they open at once and without a connection too. With them comes what keeps the page up to date.
 */
import { keepUpToDate } from "./ui/connection/service-worker";
import "./ui/overlay/route-modal";

const modules = import.meta.glob<(typeof __remixRouteModules)[string]>(
  [
    "./routes/app.*.$*.{deactivate,delete,download,machines,promotions,restore}/route.{ts,tsx}",
    "./routes/app.machines.{confirm,refresh}/route.{ts,tsx}",
    "./routes/app.{mail_.test,mail_.$mailId.retry,reports_.mailing_.$scheduleId}/route.ts",
  ],
  { eager: true },
);

// Remix looks here before it loads a route's script.
const known = window.__remixRouteModules;
for (const [file, module] of Object.entries(modules))
  known[file.replace(/^\.\/|\/route\.tsx?$/g, "")] ??= module;

keepUpToDate();
