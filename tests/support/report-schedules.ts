import { randomUUID } from "node:crypto";
import { beforeEach } from "vitest";
import { db } from "../../app/db/connection.server";
import type { TemplateData } from "../../app/features/mail/templates";
import { createSchedule, getSchedule } from "../../app/features/report-schedules/schedules.server";
import { useActor } from "./actor";
import { useDatabase } from "./postgres";

export const boss = "boss@example.com";

/** A time in the site's zone, Europe/Berlin, while it is one hour ahead of UTC. */
export const winter = (local: string) => new Date(`${local}+01:00`);

/** Gives a test file a database without schedules and mails, and what makes a schedule there. */
export function useReportSchedules() {
  useDatabase();
  const { actor } = useActor();
  beforeEach(async () => {
    for (const table of ["outbox", "report_schedules", "recorded_events"])
      await db()(table).delete();
  });
  return {
    actor,
    async schedule(
      frequency: "daily" | "weekly" | "monthly",
      now: Date,
      recipients = [boss],
    ): Promise<string> {
      const options = { actor, now, idempotencyKey: randomUUID() };
      return (await createSchedule({ frequency, recipients, hour: 7 }, options)).id;
    },
  };
}

export const nextRun = async (id: string) => (await getSchedule(id)).nextRunAt;

export type Mail = { recipient: string; template: string; data: TemplateData["report"] };

export const mails = (): Promise<Mail[]> =>
  db()("outbox").select("recipient", "template", "data").orderBy("id");

/** Returns the audited actions on a schedule. */
export const actionsOf = (id: string) =>
  db()("audit_log")
    .where({ subject_type: "report_schedule", subject_id: id })
    .orderBy("id")
    .pluck("action");
