import { admin, postForm } from "./arrange";
import {
  button,
  createIntegration,
  field,
  fillOne,
  inDialog,
  testLostAnswers,
  type FormCase,
  type Tools,
} from "./lost-answers";

/** The forms about people, keys and mail; those about promotions and machines are in network.spec. */
const emailOf = (name: string) => `${name.toLowerCase().replaceAll(" ", "-")}@example.com`;

async function createUser({ context, app }: Tools, name: string): Promise<void> {
  const fields = { email: emailOf(name), firstName: name, role: "user", password: admin.password };
  await postForm(context, app, "/app/user/new", fields);
}

async function createSchedule({ context, app }: Tools, name: string): Promise<void> {
  const fields = { frequency: "weekly", recipients: emailOf(name) };
  await postForm(context, app, "/app/reports/mailing", fields);
}

/** Types the password where the session is older than ten minutes. */
async function confirmPassword({ page }: Tools): Promise<void> {
  const input = page.locator("input[type=password]");
  if ((await input.count()) > 0) await input.fill(admin.password);
}

const forms: Record<string, FormCase> = {
  "a user": {
    async fill(tools, name) {
      const { page, visit } = tools;
      await visit("/app/user/new");
      await field(page, "Email").fill(emailOf(name));
      await confirmPassword(tools);
      return fillOne(field(page, /^First name/), name, button(page, "Create user"));
    },
    outcome: "Users created",
    countSql: "select count(*) from users where first_name = $1",
  },
  "the edit of a user": {
    async fill(tools, name) {
      const { page, visit } = tools;
      await createUser(tools, name);
      await visit("/app/users?sort=-createdAt");
      await page.getByRole("link", { name: `Edit ${emailOf(name)}` }).click();
      await confirmPassword(tools);
      return fillOne(field(page, /^Last name/), "Kept", button(page, "Save"));
    },
    outcome: "Users updated",
    countSql: `select count(*) from audit_log a join users u on u.id = a.subject_id
      where a.action = 'user.edited' and u.first_name = $1`,
  },
  "deleting a user": {
    async fill(tools, name) {
      const { page, visit } = tools;
      await createUser(tools, name);
      await visit("/app/users?sort=-createdAt");
      await page.getByRole("link", { name: `Delete ${emailOf(name)}` }).click();
      return inDialog(page, /^(Agree|Deleting)/);
    },
    outcome: /User (not found|successfully deleted)/,
    countSql: `select count(*) from audit_log where action = 'user.deleted'
      and details::text like '%' || lower(replace($1, ' ', '-')) || '@%'`,
  },
  "the profile": {
    async fill({ page, visit }, name) {
      await visit("/app/profile");
      await page.getByRole("link", { name: "Edit Profile" }).click();
      return fillOne(field(page, "Company"), name, button(page, "Save Changes"));
    },
    outcome: "Profile updated successfully",
    countSql: `select count(*) from audit_log
      where action = 'user.profile_edited' and details::text like '%' || $1 || '%'`,
  },
  "the account": {
    async fill({ page, visit }, name) {
      await visit("/app/user/edit/profile");
      return fillOne(field(page, "Last name"), name, button(page, "Save"));
    },
    outcome: "Profile updated",
    countSql: `select count(*) from audit_log
      where action = 'user.profile_edited' and details::text like '%' || $1 || '%'`,
  },
  "an avatar": {
    async fill({ page, visit }) {
      await visit("/app/profile");
      await page.getByRole("link", { name: "Choose avatar" }).click();
      await page.getByRole("radio", { name: "Library" }).check();
      return inDialog(page, /^(Save avatar|Saving)/);
    },
    outcome: "Avatar updated successfully",
    countSql: `select count(*) from audit_log
      where action = 'user.avatar_chosen' and details::text like '%library%' and $1 <> ''`,
  },
  "an API key": {
    async fill(tools) {
      const { page, visit } = tools;
      await visit("/app/profile");
      await page.getByRole("link", { name: /^(Create API key|Regenerate)$/ }).click();
      await confirmPassword(tools);
      return inDialog(page, /API key$|^Creating/);
    },
    outcome: "API key created. Reveal it to copy it.",
    countSql: "select count(*) from users where email = 'admin@example.com' and $1 <> ''",
  },
  "the limit of a key": {
    async fill(tools, name) {
      const { page, visit } = tools;
      await visit(await createIntegration(tools, name));
      await button(page, "Create key").click();
      await page.getByRole("link", { name: /^Change limit/ }).click();
      await confirmPassword(tools);
      await field(page, "Wrong codes in a minute").fill("400");
      return inDialog(page, /^Sav/);
    },
    outcome: "Limit successfully changed",
    countSql: `select count(*) from api_keys k join integrations i on i.id = k.integration_id
      where i.name = $1 and k.max_failed_lookups = 400`,
  },
  "a report by mail": {
    async fill({ page, visit }, name) {
      await visit("/app/reports/mailing");
      const addresses = field(page, "Email addresses");
      return fillOne(addresses, emailOf(name), button(page, "Add schedule"));
    },
    outcome: "Schedule successfully added",
    countSql:
      "select count(*) from report_schedules where lower(replace($1, ' ', '-')) || '@example.com' = any(recipients)",
  },
  "removing a report by mail": {
    async fill(tools, name) {
      const { page, visit } = tools;
      await createSchedule(tools, name);
      await visit("/app/reports/mailing");
      const row = page.getByRole("row", { name: emailOf(name) });
      await row.getByRole("link", { name: /^Remove/ }).click();
      return inDialog(page, /^Remov/);
    },
    outcome: /Schedule (successfully removed|not found)|already removed/,
    countSql: `select 1 - count(*) as count from report_schedules
      where lower(replace($1, ' ', '-')) || '@example.com' = any(recipients)`,
  },
  "a test mail": {
    async fill({ page, visit }) {
      await visit("/app/mail");
      await page.waitForFunction((id) => id in window.__remixRouteModules, "routes/app.mail_.test");
      return { button: button(page, "Send test mail") };
    },
    outcome: /^A test mail to .* is on its way/,
    countSql: "select count(*) from outbox where template = 'test' and $1 <> ''",
  },
};

testLostAnswers(forms);
