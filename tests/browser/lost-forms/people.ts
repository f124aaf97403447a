import { Secret, TOTP } from "otpauth";
import { png } from "../../factories/images";
import { admin, createUser as addUser, postForm } from "../arrange";
import { expect } from "../fixtures";
import { button, field, fillOne, inDialog, type FormCase, type Tools } from "../lost-answers";

export const emailOf = (name: string) => `${name.toLowerCase().replaceAll(" ", "-")}@example.com`;
const emailSql = "lower(replace($1, ' ', '-')) || '@example.com'";

async function createUser({ context, app }: Tools, name: string): Promise<void> {
  const fields = { email: emailOf(name), firstName: name, role: "user", password: admin.password };
  await postForm(context, app, "/app/user/new", fields);
}

/** Replaces the session of the admin by that of a user of its own. */
async function signInAsNew({ context, app, database }: Tools, name: string): Promise<void> {
  await context.clearCookies();
  await postForm(context, app, "/login", await addUser(database, emailOf(name)));
}

/** Types the password where the session is older than ten minutes. */
export async function confirmPassword({ page }: Tools): Promise<void> {
  const input = page.locator("input[type=password]");
  if ((await input.count()) > 0) await input.fill(admin.password);
}

/** Adds a user, and opens the dialog of a link of that user's row. */
async function openUser(tools: Tools, name: string, link: "Edit" | "Delete"): Promise<void> {
  await createUser(tools, name);
  await tools.visit("/app/users?sort=-createdAt");
  await tools.page.getByRole("link", { name: `${link} ${emailOf(name)}` }).click();
}

const auditOf = (action: string) =>
  `select count(*) from audit_log where action = 'user.${action}' and actor_name = ${emailSql}`;

const addAppSql = `insert into second_factors (user_id, secret, confirmed_at)
  select id, '', now() from users where email = $1`;
const addPasskeysSql = `insert into passkeys (user_id, credential_id, public_key, counter, name)
  select id, email || name, '', 0, name from users, (values ('Phone'), ('Laptop')) passkey (name)
  where email = $1`;

/** Opens the second factor of a new user, who has one already. */
async function openSecondFactor(tools: Tools, name: string, addSql: string): Promise<void> {
  await signInAsNew(tools, name);
  await tools.database.query(addSql, [emailOf(name)]);
  await tools.visit("/app/profile/second-factor");
}

const newPassword = "nine wild geese in a row";

/** The forms about people and their accounts. */
export const peopleForms: Record<string, FormCase> = {
  "a user": {
    async fill(tools, name) {
      const { page, visit } = tools;
      await visit("/app/user/new");
      await field(page, "Email").fill(emailOf(name));
      await confirmPassword(tools);
      return fillOne(field(page, /^First name/), name, button(page, "Invite user"));
    },
    done: "Users created",
    countSql: "select count(*) from users where first_name = $1",
  },
  "the edit of a user": {
    async fill(tools, name) {
      await openUser(tools, name, "Edit");
      await confirmPassword(tools);
      return fillOne(field(tools.page, /^Last name/), "Kept", button(tools.page, "Save changes"));
    },
    done: "Users updated",
    countSql: `select count(*) from audit_log a join users u on u.id = a.subject_id
      where a.action = 'user.edited' and u.first_name = $1`,
  },
  "deleting a user": {
    async fill(tools, name) {
      await openUser(tools, name, "Delete");
      return inDialog(tools.page, /^(Agree|Deleting)/);
    },
    done: "User successfully deleted",
    repeated: "This user is already deleted.",
    countSql: `select count(*) from audit_log where action = 'user.deleted'
      and details::text like '%' || ${emailSql} || '%'`,
  },
  "the profile": {
    async fill({ page, visit }, name) {
      await visit("/app/profile");
      await page.getByRole("link", { name: "Edit Profile" }).click();
      return fillOne(field(page, "Company"), name, button(page, "Save Changes"));
    },
    done: "Profile updated successfully",
    countSql: `select count(*) from audit_log
      where action = 'user.profile_edited' and details::text like '%' || $1 || '%'`,
  },
  "the account": {
    async fill({ page, visit }, name) {
      await visit("/app/user/edit/profile");
      return fillOne(field(page, "Last name"), name, button(page, "Save"));
    },
    done: "Profile updated",
    countSql: `select count(*) from audit_log
      where action = 'user.profile_edited' and details::text like '%' || $1 || '%'`,
  },
  "an avatar": {
    async fill(tools, name) {
      const { page, visit } = tools;
      await signInAsNew(tools, name);
      await visit("/app/profile");
      await page.getByRole("link", { name: "Choose avatar" }).click();
      await page.getByRole("radio", { name: "Library" }).check();
      return inDialog(page, /^(Save avatar|Saving)/);
    },
    done: "Avatar updated successfully",
    countSql: auditOf("avatar_chosen"),
  },
  "an API key": {
    async fill(tools, name) {
      const { page, visit } = tools;
      await signInAsNew(tools, name);
      await visit("/app/profile");
      await page.getByRole("link", { name: /^(Create API key|Regenerate)$/ }).click();
      await confirmPassword(tools);
      return inDialog(page, /API key$|^Creating/);
    },
    done: "API key created. Reveal it to copy it.",
    // That of the lost answer was revoked.
    countSql: `select count(*) from api_keys k join users u on u.id = k.user_id
      where u.email = ${emailSql} and k.revoked_at is null`,
  },
  "inviting again": {
    async fill(tools, name) {
      await openUser(tools, name, "Edit");
      return { button: button(tools.page, /^(Sending|Resend invitation)/) };
    },
    done: "A new invitation is on its way",
    countSql: `select count(*) from audit_log where action = 'user.invited'
      and subject_id = (select id from users where email = ${emailSql})`,
  },
  "the password": {
    async fill(tools, name) {
      const { page, visit } = tools;
      await signInAsNew(tools, name);
      await visit("/app/user/edit/password");
      await field(page, "Current Password").fill(admin.password);
      await field(page, "New Password").fill(newPassword);
      const again = field(page, "Confirm Password");
      return fillOne(again, newPassword, button(page, /^(Save Password|Saving)/));
    },
    done: "Password updated",
    countSql: auditOf("password_changed"),
  },
  "a photo": {
    async fill(tools, name) {
      const { page, visit } = tools;
      // Other tests look at the avatar of the admin.
      await signInAsNew(tools, name);
      await visit("/app/user/edit/profile");
      const input = page.locator("input[type=file]");
      const file = { name: `${name}.png`, mimeType: "image/png", buffer: await png() };
      await input.setInputFiles(file);
      return {
        button: button(page, /^Upload/),
        kept: () => expect(input).toHaveValue(new RegExp(`${name}.png$`)),
      };
    },
    done: "Avatar updated successfully",
    countSql: `select count(*) from audit_log
      where action = 'user.photo_added' and details::text like '%' || $1 || '.png%'`,
  },
  "the second factor": {
    async fill(tools, name) {
      const { page, visit } = tools;
      await signInAsNew(tools, name);
      await visit("/app/profile/second-factor");
      const key = await page.locator("p code").first().innerText();
      const totp = new TOTP({ secret: Secret.fromBase32(key.replaceAll(/\s/g, "")) });
      // The code of the next step is accepted for longest.
      const code = totp.generate({ timestamp: Date.now() + 30_000 });
      return fillOne(field(page, "Code"), code, button(page, /^Turn(ing)? on/));
    },
    done: "Your recovery codes",
    doneElsewhere: /^Two-step verification is on, but your recovery codes were not shown/,
    countSql: auditOf("second_factor_added"),
  },
  "turning the second factor off": {
    async fill(tools, name) {
      await openSecondFactor(tools, name, addAppSql);
      await tools.page.getByRole("link", { name: "Turn off" }).click();
      return inDialog(tools.page, /^Turn(ing)? off/);
    },
    done: "Two-step verification is off",
    countSql: auditOf("second_factor_removed"),
  },
  "new recovery codes": {
    async fill(tools, name) {
      await openSecondFactor(tools, name, addAppSql);
      return { button: button(tools.page, /^Creat(e|ing)/) };
    },
    done: "Your recovery codes",
    doneElsewhere: /^The old recovery codes no longer work, but your recovery codes were not shown/,
    countSql: auditOf("recovery_codes_renewed"),
  },
  "removing a passkey": {
    async fill(tools, name) {
      await openSecondFactor(tools, name, addPasskeysSql);
      await tools.page.getByRole("link", { name: "Remove Phone" }).click();
      return inDialog(tools.page, /^Remov/);
    },
    done: "Passkey removed",
    repeated: "This passkey is already removed.",
    countSql: auditOf("passkey_removed"),
  },
  "removing a photo": {
    async fill(tools, name) {
      const { page, visit, database } = tools;
      await signInAsNew(tools, name);
      await database.query(
        `insert into avatars (user_id, name, content) select id, 'a.png', $2 from users where email = $1`,
        [emailOf(name), await png()],
      );
      await visit("/app/user/edit/profile");
      await page.getByRole("link", { name: "Delete a.png" }).click();
      return inDialog(page, /^Delet/);
    },
    done: "Photo deleted",
    repeated: "This photo is already deleted.",
    countSql: auditOf("photo_deleted"),
  },
};
