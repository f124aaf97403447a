import type { Locator } from "playwright/test";
import { postForm, sampleSerials } from "../arrange";
import { routeLoaded } from "../fixtures";
import {
  button,
  createIntegration,
  field,
  fillOne,
  inDialog,
  type FormCase,
  type Tools,
} from "../lost-answers";
import { confirmPassword, emailOf } from "./people";

async function createSchedule({ context, app }: Tools, name: string): Promise<void> {
  const fields = { frequency: "weekly", recipients: emailOf(name), hour: "7" };
  await postForm(context, app, "/app/reports/mailing", fields);
}

const scheduleSql = `(select id from report_schedules
  where lower(replace($1, ' ', '-')) || '@example.com' = any(recipients))`;

const hookOf = (name: string) => `https://hooks.example.com/${name.replaceAll(" ", "-")}`;

/** Adds a webhook with a delivery that has failed, and opens its page; returns its path. */
async function openWebhook({ database, visit }: Tools, name: string): Promise<string> {
  // There may be twenty.
  await database.query("delete from webhooks");
  const { rows } = await database.query<{ id: string }>(
    `with added as (
       insert into webhooks (url, event_types, secret, last_position, created_by)
       select $1, array['promotion.redeemed'], '', last_position, (select min(id) from users) from event_log
       returning id)
     insert into webhook_deliveries
       (webhook_id, event_id, type, subject, occurred_at, state, finished_at)
     select id, gen_random_uuid(), 'webhook.test', 'test:1', now(), 'failed', now() from added
     returning webhook_id as id`,
    [hookOf(name)],
  );
  const path = `/app/webhooks/${rows[0]!.id}`;
  await visit(path);
  return path;
}

const webhookAudit = (action: string) =>
  `select count(*) from audit_log where action = 'webhook.${action}' and $1 <> ''
     and subject_id = (select max(id) from webhooks)`;

/** Opens the list of schedules with a new one, whose buttons work; returns its row. */
async function openSchedule(tools: Tools, name: string): Promise<Locator> {
  await createSchedule(tools, name);
  await tools.visit("/app/reports/mailing");
  await routeLoaded(tools.page, "routes/app.reports_.mailing_.$scheduleId");
  return tools.page.getByRole("row", { name: emailOf(name) });
}

/** Opens a new integration with one key, and the dialog of a link of that key. */
async function openKey(tools: Tools, name: string, link: RegExp): Promise<void> {
  await tools.visit(await createIntegration(tools, name));
  await button(tools.page, "Create key").click();
  await tools.page.getByRole("link", { name: link }).click();
  await confirmPassword(tools);
}

const keysSql = (conditionSql: string) =>
  `select count(*) from api_keys k join integrations i on i.id = k.integration_id
   where i.name = $1 and ${conditionSql}`;

/** The forms about integrations, webhooks and mail. */
export const integrationForms: Record<string, FormCase> = {
  "a key": {
    async fill(tools, name) {
      const { page, visit } = tools;
      await visit(await createIntegration(tools, name));
      return fillOne(field(page, /^Machine/), sampleSerials[0]!, button(page, "Create key"));
    },
    done: /The key was created/,
    doneElsewhere: /^A key was created, but its secret was not shown/,
    // That of the lost answer was revoked.
    countSql: keysSql("k.revoked_at is null"),
  },
  "revoking a key": {
    async fill(tools, name) {
      await openKey(tools, name, /^Revoke/);
      return inDialog(tools.page, /^Revoke/);
    },
    done: "Key successfully revoked",
    repeated: "This key is already revoked.",
    countSql: keysSql("k.revoked_at is not null"),
  },
  "renewing a key": {
    async fill(tools, name) {
      await openKey(tools, name, /^Renew/);
      return inDialog(tools.page, /^Renew/);
    },
    done: /The key was renewed/,
    doneElsewhere: /^The key was renewed, but the new secret was not shown/,
    // That of the lost answer was revoked.
    countSql: keysSql("k.revoked_at is null"),
  },
  "the limit of a key": {
    async fill(tools, name) {
      await openKey(tools, name, /^Change limit/);
      await field(tools.page, "Wrong codes allowed a minute").fill("400");
      return inDialog(tools.page, /^Sav/);
    },
    done: "Limit successfully changed",
    countSql: keysSql("k.max_failed_lookups = 400"),
  },
  "a report by mail": {
    async fill({ page, visit }, name) {
      await visit("/app/reports/mailing");
      const addresses = field(page, "Email addresses");
      return fillOne(addresses, emailOf(name), button(page, "Add schedule"));
    },
    done: "Schedule successfully added",
    countSql:
      "select count(*) from report_schedules where lower(replace($1, ' ', '-')) || '@example.com' = any(recipients)",
  },
  "an edited report by mail": {
    async fill(tools, name) {
      const row = await openSchedule(tools, name);
      await row.getByRole("link", { name: /^Edit/ }).click();
      await confirmPassword(tools);
      await field(tools.page, "Hour of the day").last().fill("9");
      return inDialog(tools.page, /^Sav/);
    },
    done: "Schedule successfully changed",
    countSql: `select count(*) from report_schedules where id = ${scheduleSql} and hour = 9`,
  },
  "removing a report by mail": {
    async fill(tools, name) {
      const row = await openSchedule(tools, name);
      await row.getByRole("link", { name: /^Remove/ }).click();
      return inDialog(tools.page, /^Remov/);
    },
    done: "Schedule successfully removed",
    repeated: "This schedule is already removed.",
    countSql: `select 1 - count(*) as count from report_schedules
      where lower(replace($1, ' ', '-')) || '@example.com' = any(recipients)`,
  },
  "a test mail": {
    async fill({ page, visit }) {
      await visit("/app/jobs?kind=mail");
      await routeLoaded(page, "routes/app.jobs_.test-mail");
      return { button: button(page, "Send test mail") };
    },
    done: /^A test mail to .* is on its way/,
    countSql: "select count(*) from outbox where template = 'test' and $1 <> ''",
  },
  "a mail that is sent again": {
    async fill({ page, visit, database }, name) {
      await database.query(
        `insert into outbox (dedup_key, message_id, recipient, template, data, state, attempts, finished_at,
           last_error, give_up_at)
         values ($1, gen_random_uuid(), $1, 'test', '{"askedBy": "a"}', 'failed', 1, now(), '550 No such user',
           now() + interval '5 days')`,
        [emailOf(name)],
      );
      await visit("/app/jobs?kind=mail");
      return { button: page.getByRole("row", { name: emailOf(name) }).getByRole("button") };
    },
    done: "The job will run now",
    repeated: /already (waiting|sent)/,
    countSql: `select count(*) from audit_log where action = 'mail.sent_again' and $1 <> ''`,
  },
  "a test of a schedule": {
    async fill(tools, name) {
      const row = await openSchedule(tools, name);
      return { button: row.getByRole("button", { name: /^Send test report/ }) };
    },
    done: /^A test report to .* is on its way/,
    countSql: "select count(*) from outbox where dedup_key like 'report test %' and $1 <> ''",
  },
  "pausing a schedule": {
    async fill(tools, name) {
      const row = await openSchedule(tools, name);
      return { button: row.getByRole("button", { name: /^Pause/ }) };
    },
    done: "Schedule successfully paused",
    countSql: `select count(*) from audit_log
      where action = 'report_schedule.paused' and subject_id = ${scheduleSql}`,
  },
  "a webhook": {
    async fill(tools, name) {
      const { page, visit, database } = tools;
      await database.query("delete from webhooks");
      await visit("/app/webhooks");
      await confirmPassword(tools);
      return fillOne(field(page, "Address"), hookOf(name), button(page, /^Creat(e webhook|ing)/));
    },
    done: /^The webhook was created/,
    doneElsewhere: /^A webhook was created, but its secret was not shown/,
    countSql: "select count(*) from webhooks where url like '%' || replace($1, ' ', '-')",
  },
  "the settings of a webhook": {
    async fill(tools, name) {
      const { page } = tools;
      await openWebhook(tools, name);
      return fillOne(field(page, "Address"), hookOf(`${name} 2`), button(page, /^Sav/));
    },
    done: "Webhook successfully updated",
    countSql: webhookAudit("changed"),
  },
  "a test event": {
    async fill(tools, name) {
      await openWebhook(tools, name);
      return { button: button(tools.page, /^Send(ing| test event)/) };
    },
    done: /^A test event is on its way/,
    countSql: webhookAudit("tested"),
  },
  "disabling a webhook": {
    async fill(tools, name) {
      await openWebhook(tools, name);
      return { button: button(tools.page, /^(Disable|Saving)/) };
    },
    done: "Webhook successfully disabled",
    countSql: webhookAudit("disabled"),
  },
  "the secret of a webhook": {
    async fill(tools, name) {
      await openWebhook(tools, name);
      await confirmPassword(tools);
      return { button: button(tools.page, /^Rotat/) };
    },
    done: /^The secret was rotated/,
    doneElsewhere: /^The secret was rotated, but the new one was not shown/,
    // That of the lost answer is replaced, without another rotation.
    countSql: "select count(*) from webhooks where previous_secret = '' and $1 <> ''",
  },
  "sending events again": {
    async fill(tools, name) {
      const { page, database } = tools;
      await database.query("delete from events where occurred_at < '2021-01-01'");
      await database.query(
        `insert into events (position, type, subject, data, occurred_at)
         select least(min(position), 0) - 1, 'promotion.redeemed', 'promotion:1', '{}', '2020-06-01' from events`,
      );
      await openWebhook(tools, name);
      await page.getByRole("radio", { name: /^All events/ }).check();
      await field(page, "First day").fill("01/01/2020");
      const send = button(page, /^(Send events again|Queueing)/);
      return fillOne(field(page, "Last day"), "31/12/2020", send);
    },
    done: "1 event will be sent again",
    countSql: "select count(*) from webhook_deliveries where is_redelivery and $1 <> ''",
  },
  "sending a delivery again": {
    async fill(tools, name) {
      const { page } = tools;
      await openWebhook(tools, name);
      await page.getByRole("rowheader").getByRole("link").click();
      return { button: button(page, /^Send(ing| again)/) };
    },
    done: "The event will be sent again",
    countSql: "select count(*) from webhook_deliveries where is_redelivery and $1 <> ''",
  },
  "removing a webhook": {
    async fill(tools, name) {
      const { page } = tools;
      await openWebhook(tools, name);
      await page.getByRole("link", { name: "Remove" }).click();
      return inDialog(page, /^Remov/);
    },
    done: "Webhook successfully removed",
    repeated: "This webhook is already removed.",
    countSql: `select count(*) from audit_log where action = 'webhook.removed'
      and details::text like '%' || replace($1, ' ', '-') || '"%'`,
  },
};
