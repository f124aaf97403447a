/** Alerts: things that need somebody, as the screen 'Alerts' lists them. */
import * as z from "zod/mini";
import { listOpenAlerts } from "../../features/alerts/alerts.server";
import { operation } from "../api.server";
import { alertAnswer } from "./schemas";

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
    result: z.array(alertAnswer.schema),
    run: async ({ user }) => (await listOpenAlerts(user)).map(alertAnswer.of),
  }),
];
