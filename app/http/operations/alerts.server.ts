/** Alerts: things that need somebody, as the screen 'Alerts' lists them. */
import * as z from "zod/mini";
import { toApiAlert } from "../../features/alerts/alert";
import { listOpenAlerts } from "../../features/alerts/alerts.server";
import { operation } from "../api.server";
import { alertSchema } from "./schemas";

export const alertOperations = [
  operation({
    method: "GET",
    path: "/api/alerts",
    summary: "List what needs somebody",
    scope: "read",
    hasWholeCodes: true,
    answers: {
      200: "Alerts that the user can mend and that nobody has dismissed or muted, newest first.",
    },
    result: z.array(alertSchema),
    run: async ({ user }) => (await listOpenAlerts(user)).map(toApiAlert),
  }),
];
