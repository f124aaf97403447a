import { randomUUID } from "node:crypto";
import { db } from "../../../app/db/connection.server";
import { publishEvents } from "../../../app/features/events/publish-events.server";
import { recordEvent } from "../../../app/features/events/record-event.server";
import { readStoredSettings } from "../../../app/features/settings/settings.server";
import { demoActionCases } from "../../demo/action-cases";
import { assign } from "../../factories/assignments";
import { insertFailedMail } from "../../factories/alerts";
import { insertApproval } from "../../factories/approvals";
import { insertGroup } from "../../factories/machine-groups";
import { insertMachine, insertUser } from "../../factories/people-and-machines";
import { insertPromotion } from "../../factories/promotions";
import { makeKey, newCode } from "../../factories/redemptions";
import { initialSettingFields } from "../../factories/settings";
import { insertWebhook } from "../../factories/webhooks";
import { creatingForms } from "../creating-forms";
import {
  audited,
  generation,
  platformOnly,
  post,
  unaudited,
  withoutPlatform,
  type ActionCase,
  type ActionCasesOfScreens,
  type Performance,
} from "./walk";

const webhook = (
  intent: string,
  row: string,
  fields: Record<string, string> = {},
  state = {},
): ActionCase =>
  audited(`webhook.${row}`, async () => {
    const { id } = await insertWebhook(state);
    return post(`/app/webhooks/${id}`, { intent, ...fields });
  });

/** The state of a delivery that is not due yet. */
const waiting = { state: "pending", finished_at: null, next_attempt_at: "2099-01-01" };

/** A webhook that was sent an event, and gave it up unless the row says otherwise. */
export async function insertDelivery(row: object = {}): Promise<{ id: string; delivery: string }> {
  const subject = `machine:${randomUUID()}`;
  await recordEvent(db(), {
    type: "machine.deleted",
    subject,
    data: { machine: { serialNumber: "VM-1", humanName: "" } },
  });
  const find = () => db()("events").where({ subject }).first<{ id: string; position: string }>();
  let event = await find();
  while (!event) {
    await publishEvents();
    event = await find();
  }
  const { id } = await insertWebhook();
  const [inserted] = await db()("webhook_deliveries")
    .insert({
      webhook_id: id,
      event_id: event.id,
      position: event.position,
      subject,
      type: "machine.deleted",
      occurred_at: new Date(),
      finished_at: new Date(),
      state: "failed",
      ...row,
    })
    .returning<{ id: string }[]>("id");
  return { id, delivery: inserted!.id };
}

/** An alert of a campaign without machines, which the product keeps open. */
export async function insertAlert(row: Record<string, unknown> = {}): Promise<string> {
  const id = await insertPromotion({ name: randomUUID() });
  const [inserted] = await db()("alerts")
    .insert({
      kind: "campaign_unassigned",
      subject: `promotion:${id}`,
      is_mailed: true,
      message: "It is assigned to no machine.",
      button: { label: "Open", to: "/app/faq" },
      ...row,
    })
    .returning<{ id: string }[]>("id");
  return inserted!.id;
}

export const dismissed = { dismissed_at: new Date(), dismissed_by: "boss@example.com" };

const onAlert = (intent: string, row: string, state = {}) =>
  audited(`alert.${row}`, async () => post(`/app/alerts/${await insertAlert(state)}`, { intent }));

/** Another admin each time, who has another choice. */
const mailChoice = (intent: string) =>
  audited("user.alert_mails_changed", async (walker) => {
    const { id, cookie } = await walker.person();
    const frequency = intent === "at_once" ? "daily" : "at_once";
    await db()("alert_mails").insert({
      user_id: id,
      frequency,
      last_alert_id: 0,
      next_mail_at: frequency === "daily" ? "2099-01-01" : null,
    });
    return { ...post("/app/alerts/mails", { intent }), cookie };
  });

/** A schedule of an admin of its own, unless the row names another author. */
export async function insertSchedule(row: object = {}): Promise<string> {
  const [schedule] = await db()("report_schedules")
    .insert({
      frequency: "daily",
      recipients: ["a@example.com"],
      next_run_at: "2099-01-01",
      created_by: (await insertUser({ role: "admin" })).id,
      ...row,
    })
    .returning<{ id: string }[]>("id");
  return schedule!.id;
}

const onMachine = async (fields: Record<string, string>, row = {}) =>
  post(`/app/machines/${(await insertMachine(row)).serial_number}`, fields);

/** One limit is asked for once. */
let lastLimit = 500;

/** Saves the settings under another name of the site. */
async function saveSettings(fields: Record<string, string> = {}): Promise<Performance> {
  const { version } = await readStoredSettings();
  return post("/app/settings", {
    intent: "save",
    version: String(version),
    ...initialSettingFields,
    siteName: randomUUID(),
    ...fields,
  });
}

const creations = Object.fromEntries(
  Object.values(creatingForms).map(({ route, path, fields, action }) => [
    route,
    { "": audited(action, async () => post(path, { name: randomUUID(), ...fields })) },
  ]),
);

/** Actions on machines, groups, integrations, webhooks, mails and reports. */
export const settingActionCases: ActionCasesOfScreens = {
  ...demoActionCases,
  ...creations,
  "routes/app.alerts_.$alertId": {
    dismiss: onAlert("dismiss", "dismissed"),
    mute: onAlert("mute", "muted"),
    // 'Restore', and 'Undo' of a message.
    undo: onAlert("undo", "restored", dismissed),
  },
  "routes/app.alerts_.mails": {
    never: mailChoice("never"),
    at_once: mailChoice("at_once"),
    daily: mailChoice("daily"),
  },
  "routes/app.machine-groups_.$groupId": {
    save: audited("machine_group.edited", async () =>
      post(`/app/machine-groups/${await insertGroup()}`, {
        intent: "save",
        name: randomUUID(),
        kind: "site",
        version: "1",
      }),
    ),
    paste: audited("machine_group.machines_added", async () =>
      post(`/app/machine-groups/${await insertGroup()}`, {
        intent: "paste",
        serials: (await insertMachine()).serial_number,
      }),
    ),
    choose: audited("machine_group.machines_added", async () =>
      post(`/app/machine-groups/${await insertGroup()}`, {
        intent: "choose",
        machines: (await insertMachine()).serial_number,
      }),
    ),
    remove: audited("machine_group.machines_removed", async () => {
      const machine = await insertMachine();
      const id = await insertGroup([machine.id]);
      const body = { intent: "remove", members: machine.serial_number };
      return post(`/app/machine-groups/${id}`, body);
    }),
  },
  "routes/app.machine-groups_.$groupId.delete": {
    "": audited("machine_group.deleted", async () =>
      post(`/app/machine-groups/${await insertGroup()}/delete`),
    ),
    // The status of codes may change with it, so that their histories tell it, too.
    ": of a group that is assigned": audited(
      ["promotion.group_deleted", "mass_generation.group_deleted", "machine_group.deleted"],
      async () => {
        const groupId = await insertGroup();
        for (let count = 0; count < 2; count++)
          await assign("promotions", await insertPromotion(), { group_id: groupId });
        await assign("mass_generations", await generation(), { group_id: groupId });
        return post(`/app/machine-groups/${groupId}/delete`);
      },
    ),
  },
  "routes/app.approvals_.$approvalId": {
    approve: audited(["approval.approved", "promotion.created"], async () => {
      const { id } = await insertUser();
      return post(`/app/approvals/${await insertApproval(id)}`, { intent: "approve" });
    }),
    refuse: audited("approval.refused", async () => {
      const { id } = await insertUser();
      return post(`/app/approvals/${await insertApproval(id)}`, { intent: "refuse" });
    }),
    withdraw: audited("approval.withdrawn", async (walker) => {
      const { id, cookie } = await walker.person();
      const to = `/app/approvals/${await insertApproval(id)}`;
      return { ...post(to, { intent: "withdraw" }), cookie };
    }),
  },
  "routes/app.integrations_.$integrationId": audited("integration.key_created", async () => {
    const { integrationId } = await makeKey();
    return post(`/app/integrations/${integrationId}`, {
      machine: "",
      days: "30",
      scopes: "redeem",
    });
  }),
  "routes/app.integrations_.$integrationId.limit.$keyId": audited(
    "integration.key_limit_changed",
    async () => {
      const { integrationId, id } = await makeKey();
      return post(`/app/integrations/${integrationId}/limit/${id}`, { limit: "400" });
    },
  ),
  "routes/app.integrations_.$integrationId.renew.$keyId": audited(
    "integration.key_renewed",
    async () => {
      const { integrationId, id } = await makeKey();
      return post(`/app/integrations/${integrationId}/renew/${id}`);
    },
  ),
  "routes/app.integrations_.$integrationId.revoke.$keyId": audited(
    "integration.key_revoked",
    async () => {
      const { integrationId, id } = await makeKey();
      return post(`/app/integrations/${integrationId}/revoke/${id}`);
    },
  ),
  "routes/app.integrations_.$integrationId_.test-mode": {
    create: unaudited("Test codes are worth nothing.", async () => {
      const { integrationId } = await makeKey();
      return post(`/app/integrations/${integrationId}/test-mode`, {
        intent: "create",
        discount_type: "percentage",
        discount_value: "25",
        purpose: "redeemable",
      });
    }),
    send: unaudited("It redeems test codes alone.", async () => {
      const { integrationId } = await makeKey();
      return post(`/app/integrations/${integrationId}/test-mode`, {
        intent: "send",
        call: "redeem",
        code: newCode(),
        machine: "TEST-MACHINE",
        price: "250",
        redemption_id: randomUUID(),
      });
    }),
  },
  "routes/app.machines_.add": withoutPlatform("machine.added", async () =>
    post("/app/machines/add", { machines: `SN-${randomUUID()}, Lobby` }),
  ),
  "routes/app.machines_.$serialNumber_.edit": withoutPlatform("machine.edited", async () =>
    post(`/app/machines/${(await insertMachine()).serial_number}/edit`, {
      humanName: "Canteen",
      version: "1",
    }),
  ),
  "routes/app.machines_.$serialNumber": {
    delete: withoutPlatform("machine.deleted", () => onMachine({ intent: "delete" })),
    undelete: withoutPlatform("machine.restored", () =>
      onMachine({ intent: "undelete" }, { is_deleted: true }),
    ),
  },
  "routes/app.sample-data": audited("site.sample_data_removed", async () => {
    await db()("site_settings").update({ sample_data_until: new Date(0) });
    return post("/app/sample-data");
  }),
  "routes/app.machines.refresh": unaudited(platformOnly, async (walker) => ({
    ...post("/app/machines/refresh"),
    cookie: (await walker.person()).cookie,
  })),
  "routes/app.machines.confirm": audited("machine.deletion_confirmed", async ({ holdMachines }) =>
    post("/app/machines/confirm", { held: await holdMachines() }),
  ),
  "routes/app.jobs_.test-mail": audited("mail.tested", async () =>
    post("/app/jobs/test-mail", { idempotency_key: randomUUID() }),
  ),
  "routes/app.jobs_.$jobId.run": {
    "": audited("mail.sent_again", async () =>
      post(`/app/jobs/mail-${await insertFailedMail()}/run`),
    ),
    ": of a delivery that waits": audited("webhook.delivery_run_now", async () => {
      const { delivery } = await insertDelivery(waiting);
      return post(`/app/jobs/webhook-${delivery}/run`);
    }),
    ": of a job that is repeated": audited("site.job_run_now", async () => {
      const [job] = await db()("jobs")
        .insert({ kind: "test", subject: randomUUID(), next_attempt_at: "2099-01-01" })
        .returning<{ id: string }[]>("id");
      return post(`/app/jobs/job-${job!.id}/run`);
    }),
  },
  "routes/app.settings": {
    save: audited("site.settings_changed", () => saveSettings()),
    "save: a limit that a second admin decides": audited(
      ["site.settings_changed", "approval.asked"],
      async () => {
        const canSignIn = { password_hash: "x", email_verified_at: new Date() };
        await insertUser({ role: "admin", ...canSignIn });
        return saveSettings({ approvalCodes: String(++lastLimit) });
      },
    ),
  },
  "routes/app.outgoing.resume": audited("site.outgoing_messages_resumed", async () => {
    await db()("site_settings").update({ is_outgoing_paused: true });
    return post("/app/outgoing/resume");
  }),
  "routes/app.reports_.mailing": audited("report_schedule.created", async () =>
    post("/app/reports/mailing", {
      frequency: "daily",
      recipients: "a@example.com",
      hour: "7",
    }),
  ),
  "routes/app.reports_.mailing_.$scheduleId": {
    test: audited("report_schedule.tested", async () =>
      post(`/app/reports/mailing/${await insertSchedule()}`, { intent: "test" }),
    ),
    pause: audited("report_schedule.paused", async () =>
      post(`/app/reports/mailing/${await insertSchedule()}`, { intent: "pause" }),
    ),
    resume: audited("report_schedule.resumed", async () =>
      post(`/app/reports/mailing/${await insertSchedule({ is_paused: true })}`, {
        intent: "resume",
      }),
    ),
  },
  "routes/app.reports_.mailing.$scheduleId.edit": audited("report_schedule.changed", async () =>
    post(`/app/reports/mailing/${await insertSchedule()}/edit`, {
      frequency: "weekly",
      recipients: "b@example.com",
      hour: "8",
      version: "1",
    }),
  ),
  "routes/app.reports_.mailing.$scheduleId.remove": audited("report_schedule.removed", async () =>
    post(`/app/reports/mailing/${await insertSchedule()}/remove`),
  ),
  "routes/app.webhooks": audited("webhook.created", async () =>
    post("/app/webhooks", { url: "https://example.com/", events: "machine.deleted" }),
  ),
  "routes/app.webhooks_.$webhookId": {
    save: webhook("save", "changed", {
      url: "https://example.com/new",
      events: "machine.deleted",
      version: "1",
    }),
    enable: webhook("enable", "enabled", {}, { is_enabled: false }),
    disable: webhook("disable", "disabled"),
    test: webhook("test", "tested"),
    rotate: webhook("rotate", "secret_rotated"),
    "send-now": audited("webhook.delivery_run_now", async () => {
      const { id } = await insertDelivery(waiting);
      return post(`/app/webhooks/${id}`, { intent: "send-now" });
    }),
    "end-previous-secret": audited("webhook.previous_secret_ended", async (walker) => {
      const { id } = await insertWebhook();
      const { cookie } = await walker.person("admin");
      await walker.post(`/app/webhooks/${id}`, cookie, { intent: "rotate" });
      return post(`/app/webhooks/${id}`, { intent: "end-previous-secret" });
    }),
    "redeliver-period": audited("webhook.period_redelivered", async () => {
      const { id } = await insertDelivery();
      const days = { first_day: "01/01/2020", last_day: "31/12/2099" };
      return post(`/app/webhooks/${id}`, { intent: "redeliver-period", ...days, which: "all" });
    }),
  },
  "routes/app.webhooks_.$webhookId_.deliveries.$deliveryId": {
    redeliver: audited("webhook.redelivered", async () => {
      const { id, delivery } = await insertDelivery();
      return post(`/app/webhooks/${id}/deliveries/${delivery}`, { intent: "redeliver" });
    }),
  },
  "routes/app.webhooks_.$webhookId.remove": audited("webhook.removed", async () =>
    post(`/app/webhooks/${(await insertWebhook()).id}/remove`),
  ),
};
