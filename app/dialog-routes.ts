/**
 * The routes of dialogs and of actions in rows, in one script that is loaded while the browser is
 * idle, so that they open at once and without a connection too. With them comes what keeps the page up to date.
 */
import { addRouteModules } from "./remix/route-scripts";
import { offerNewVersions } from "./ui/connection/service-worker";
import "./ui/modal/route-modal";

const modules = import.meta.glob<Parameters<typeof addRouteModules>[0][string]>(
  [
    "./routes/app.*.$*.{deactivate,delete,download,machines,promotions,restore}/route.{ts,tsx}",
    "./routes/app.machines.{confirm,refresh}/route.{ts,tsx}",
    "./routes/app.{jobs_.$jobId.run,jobs_.test-mail,reports_.mailing_.$scheduleId}/route.ts",
  ],
  { eager: true },
);

addRouteModules(
  Object.fromEntries(
    Object.entries(modules).map(([file, module]) => [
      file.replace(/^\.\/|\/route\.tsx?$/g, ""),
      module,
    ]),
  ),
);

offerNewVersions();
