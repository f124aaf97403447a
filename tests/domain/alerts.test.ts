import { randomUUID } from "node:crypto";
import { beforeEach, describe, expect, it } from "vitest";
import { db } from "../../app/db/connection.server";
import { sweep } from "../../app/db/sweep.server";
import { countOpenAlerts } from "../../app/features/alerts/alert-counts.server";
import {
  dismissAlert,
  listAlerts,
  muteAlert,
  restoreAlert,
} from "../../app/features/alerts/alerts.server";
import { changeMailChoice, mailAlerts } from "../../app/features/alerts/mail-alerts.server";
import type { UserEdit } from "../../app/features/people/managed-user";
import { editManagedUser } from "../../app/features/people/user-admin.server";
import { oldAlerts, updateAlerts } from "../../app/features/alerts/update-alerts.server";
import { alertRows, insertFailedMail } from "../factories/alerts";
import { insertUser } from "../factories/people-and-machines";
import { insertPromotion } from "../factories/promotions";
import { insertFailingDelivery, insertWebhook } from "../factories/webhooks";
import { countSessions, lockTable } from "../support/database-sessions";
import { useDatabase } from "../support/postgres";
import { ago, rowById } from "../factories/rows";

useDatabase();

/** Finds campaigns without machines and failed mails alone, which is faster. */
const update = () => updateAlerts(["campaign_unassigned", "mail_failed"]);

/** Raises an alert of a campaign, and returns how it is cleared. */
async function raise() {
  const id = await insertPromotion({ name: randomUUID() });
  await update();
  const find = async () => {
    const rows = await db()("alerts")
      .where({ subject: `promotion:${id}` })
      .orderBy("id");
    return rows.at(-1) as { id: string; subject: string; message: string };
  };
  const setActive = async (is_active: boolean) => {
    await rowById("promotions", id).update({ is_active });
    await update();
  };
  return { ...(await find()), find, setActive };
}

const person = async (role = "user", row = {}) => ({
  role,
  ...(await insertUser({ role, ...row })),
});
type Person = Awaited<ReturnType<typeof person>>;
const actorOf = (one: Person) => ({ actor: one as Person & { role: "admin" | "user" } });
const subjectsOf = async (state: "hidden" | null, reader: Person) => {
  const page = { page: 1, perPage: 100 };
  const filters = { state, kind: null };
  const { rows } = await listAlerts(filters, page, actorOf(reader).actor);
  return rows.map(({ subject }) => subject);
};

describe("alerts", () => {
  it("follow what changes while they last", async () => {
    const { id, subject } = await raise();
    await rowById("promotions", subject.split(":")[1]!).update({ name: "Renamed" });
    await update();
    expect((await rowById("alerts", id).first()).message).toContain('"Renamed"');
  });

  it("are events when they are raised and cleared, for admins alone if admins alone see them", async () => {
    const { id, setActive } = await raise();
    await setActive(false);
    const events = await db()("recorded_events")
      .where({ subject: `alert:${id}` })
      .orderBy("id");
    expect(events.map(({ type, data }) => [type, data.alert.role])).toEqual([
      ["alert.raised", "user"],
      ["alert.cleared", "user"],
    ]);
  });

  it("that are dismissed are hidden from all until they are raised again", async () => {
    const [one, other] = [await person(), await person("admin")];
    const { id, subject, setActive } = await raise();
    const count = countOpenAlerts({ role: "user" });
    await dismissAlert(id, actorOf(one));
    expect(countOpenAlerts({ role: "user" })).toBe(count - 1);
    await update();
    expect(await subjectsOf(null, other)).not.toContain(subject);
    expect(await subjectsOf("hidden", other)).toContain(subject);
    await setActive(false);
    await setActive(true);
    expect(await subjectsOf(null, other)).toContain(subject);
  });

  it("that are muted are hidden for a week, also when they are raised again", async () => {
    const one = await person();
    const { id, subject, setActive } = await raise();
    await muteAlert(id, actorOf(one));
    await setActive(false);
    await setActive(true);
    expect(await subjectsOf(null, one)).not.toContain(subject);
    await db()("alert_mutes")
      .where({ subject })
      .update({ until: ago("1 second") });
    expect(await subjectsOf(null, one)).toContain(subject);
  });

  it("that are muted are shown when they are raised again, if that was undone after they were cleared", async () => {
    const one = await person();
    const { id, subject, setActive } = await raise();
    await muteAlert(id, actorOf(one));
    await setActive(false);
    expect(await restoreAlert(id, actorOf(one))).toEqual({ changed: true });
    await expect(restoreAlert(id, actorOf(one))).rejects.toThrow("This alert was cleared");
    await setActive(true);
    expect(await subjectsOf(null, one)).toContain(subject);
  });

  it("that users can't mend can't be dismissed by them", async () => {
    await insertFailedMail();
    await update();
    const { id } = await db()("alerts").where({ kind: "mail_failed", cleared_at: null }).first();
    await expect(dismissAlert(id, actorOf(await person()))).rejects.toThrow("Alert not found");
  });

  it("are deleted some time after they are cleared", async () => {
    const [old, young] = [await raise(), await raise()];
    for (const { setActive } of [old, young]) await setActive(false);
    await rowById("alerts", old.id).update({ cleared_at: ago("31 days") });
    await sweep(oldAlerts());
    const left = await db()("alerts").whereIn("id", [old.id, young.id]).pluck("id");
    expect(left).toEqual([young.id]);
  });
});

describe("a mail about alerts", () => {
  beforeEach(async () => {
    await db()("alert_mails").delete();
    await db()("outbox").where({ template: "alerts" }).delete();
  });

  /** Saves the form of a user. */
  const edit = ({ id, email }: Person, changes: Partial<UserEdit>, editor: Person) => {
    const values = { email, firstName: "", lastName: "", phoneNumber: "", role: "user" } as const;
    return editManagedUser(
      id,
      { ...values, disabled: false, version: 1, ...changes },
      actorOf(editor),
    );
  };
  const mailsTo = async ({ email }: Person) => {
    const mails = await db()("outbox")
      .where({ template: "alerts", recipient: email })
      .orderBy("id")
      .pluck<{ table: { rows: string[][] } }[]>("data");
    return mails.map(({ table }) => table.rows.map(([message]) => message));
  };

  it("comes at once, with all that was raised together, and not again while it lasts", async () => {
    const one = await person();
    await changeMailChoice("at_once", actorOf(one));
    const names = [randomUUID(), randomUUID()];
    for (const name of names) await insertPromotion({ name });
    for (let run = 0; run < 3; run++) await update();
    const [mail, ...others] = await mailsTo(one);
    expect(others).toEqual([]);
    for (const name of names) expect(mail!.join()).toContain(name);
    expect(mail).toHaveLength(2);
  });

  it("is sent once by two instances, which raise the alert once", async () => {
    const one = await person();
    await changeMailChoice("at_once", actorOf(one));
    const id = await insertPromotion();
    // Both go on reading, until they want to write.
    const holder = await lockTable("alerts", "exclusive");
    const updates = Promise.all([update(), update()]);
    await expect.poll(() => countSessions("waiting for a lock")).toBe(2);
    await holder.commit();
    await updates;
    await update();
    expect(await alertRows("campaign_unassigned", `promotion:${id}`)).toHaveLength(1);
    expect(await mailsTo(one)).toHaveLength(1);
  });

  it("is not sent again when the alert comes back within an hour", async () => {
    const one = await person();
    await changeMailChoice("at_once", actorOf(one));
    const { id, setActive } = await raise();
    await setActive(false);
    await setActive(true);
    expect(await mailsTo(one)).toHaveLength(1);
    await setActive(false);
    await rowById("alerts", id).update({ cleared_at: ago("61 minutes") });
    await setActive(true);
    expect(await mailsTo(one)).toHaveLength(1);
    await setActive(false);
    await db()("alerts")
      .whereNot({ id })
      .update({ cleared_at: ago("61 minutes") });
    await setActive(true);
    expect(await mailsTo(one)).toHaveLength(2);
  });

  it("comes daily at 07:00 of the site, with what still needs somebody", async () => {
    const one = await person();
    await changeMailChoice("daily", actorOf(one));
    const [open, mended, dismissed] = [await raise(), await raise(), await raise()];
    await mended.setActive(false);
    await dismissAlert(dismissed.id, actorOf(one));
    expect(await mailsTo(one)).toEqual([]);
    const { next } = await db()("alert_mails")
      .where({ user_id: one.id })
      .first("next_mail_at as next");
    const hour = new Intl.DateTimeFormat("en", {
      timeZone: "Europe/Berlin",
      hour: "2-digit",
      minute: "2-digit",
      hour12: false,
    });
    expect(hour.format(next)).toBe("07:00");
    for (let run = 0; run < 2; run++) await mailAlerts(next);
    expect(await mailsTo(one)).toEqual([[open.message]]);
    await mailAlerts(new Date(next.getTime() + 26 * 3_600_000));
    expect(await mailsTo(one)).toHaveLength(1);
  });

  it("holds an alert that came back within an hour, if no earlier mail told of it", async () => {
    const one = await person();
    await changeMailChoice("daily", actorOf(one));
    const { message, setActive } = await raise();
    for (const isActive of [false, true]) await setActive(isActive);
    await mailAlerts(new Date(Date.now() + 26 * 3_600_000));
    expect(await mailsTo(one)).toEqual([[message]]);
  });

  it("holds an alert that came back within an hour, if it was cleared when the earlier mail was due", async () => {
    const one = await person();
    await changeMailChoice("daily", actorOf(one));
    const { message, setActive } = await raise();
    await setActive(false);
    await mailAlerts(new Date(Date.now() + 26 * 3_600_000));
    await setActive(true);
    await mailAlerts(new Date(Date.now() + 52 * 3_600_000));
    expect(await mailsTo(one)).toEqual([[message]]);
  });

  it("is not sent again when the alert comes back after its receiver has chosen other mails", async () => {
    const one = await person();
    await changeMailChoice("daily", actorOf(one));
    const { message, setActive } = await raise();
    await mailAlerts(new Date(Date.now() + 26 * 3_600_000));
    await changeMailChoice("at_once", actorOf(one));
    for (const isActive of [false, true]) await setActive(isActive);
    expect(await mailsTo(one)).toEqual([[message]]);
  });

  it("tells of a webhook that fails again after it was disabled and enabled", async () => {
    const admin = await person("admin");
    await changeMailChoice("at_once", actorOf(admin));
    const { id } = await insertWebhook({ is_enabled: false, disabled_reason: "No answers." });
    await updateAlerts(["webhook_failing"]);
    expect(await mailsTo(admin)).toEqual([]);
    await rowById("webhooks", id).update({ is_enabled: true, disabled_reason: null });
    await insertFailingDelivery(id);
    await updateAlerts(["webhook_failing"]);
    expect((await mailsTo(admin)).join()).toContain("has been failing since");
  });

  it("tells users nothing that only admins can mend, and admins both", async () => {
    const [user, admin] = [await person(), await person("admin")];
    for (const one of [user, admin]) await changeMailChoice("at_once", actorOf(one));
    const mailId = await insertFailedMail();
    await update();
    expect(await mailsTo(user)).toEqual([]);
    expect((await mailsTo(admin)).join()).toContain("550 No such user");
    expect(await alertRows("mail_failed", `mail:${mailId}`)).toHaveLength(1);
  });

  it("goes to nobody who is disabled or has become a viewer, and is none of muted alerts", async () => {
    const [one, viewer, disabled] = [await person(), await person(), await person()];
    for (const each of [one, viewer, disabled]) await changeMailChoice("at_once", actorOf(each));
    await rowById("users", viewer.id).update({ role: "viewer" });
    await rowById("users", disabled.id).update({ is_disabled: true });
    const { id, subject, setActive } = await raise();
    for (const each of [viewer, disabled]) expect(await mailsTo(each)).toEqual([]);
    expect(await mailsTo(one)).toHaveLength(1);
    await muteAlert(id, actorOf(one));
    await setActive(false);
    await db()("alerts")
      .where({ subject })
      .update({ cleared_at: ago("2 hours") });
    await setActive(true);
    expect(await mailsTo(one)).toHaveLength(1);
  });

  it("goes to nobody who becomes a viewer while it is added", async () => {
    const one = await person();
    await changeMailChoice("at_once", actorOf(one));
    await raise();
    await db()("outbox").where({ recipient: one.email }).delete();
    await db()("alert_mails").where({ user_id: one.id }).update({ last_alert_id: 0 });
    const holder = await lockTable("alerts", "exclusive");
    const mailing = mailAlerts();
    await expect.poll(() => countSessions("waiting for a lock")).toBe(1);
    const editing = edit(one, { role: "viewer" }, await person("admin"));
    await Promise.race([editing, expect.poll(() => countSessions("waiting for a lock")).toBe(2)]);
    await holder.commit();
    await Promise.all([mailing, editing]);
    expect(await mailsTo(one)).toEqual([]);
  });

  it("waits no longer for an admin who becomes a user, and is no matter of another edit", async () => {
    const [one, other] = [await person("admin"), await person("admin")];
    for (const each of [one, other]) await changeMailChoice("at_once", actorOf(each));
    await raise();
    const numbersOfMails = async () =>
      [await mailsTo(one), await mailsTo(other)].map(({ length }) => length);
    expect(await numbersOfMails()).toEqual([1, 1]);
    const editor = await person("admin", { password_hash: "set", email_verified_at: new Date() });
    await edit(one, { role: "user" }, editor);
    await edit(other, { role: "admin", lastName: "Renamed" }, editor);
    expect(await numbersOfMails()).toEqual([0, 1]);
  });

  it("goes to the others where no mail can be sent to one", async () => {
    const [one, other] = [await person(), await person()];
    for (const each of [one, other]) await changeMailChoice("at_once", actorOf(each));
    await rowById("users", one.id).update({ email: `root-${one.id}@localhost` });
    await raise();
    expect(await mailsTo(other)).toHaveLength(1);
  });

  it("that fails is an alert without another mail", async () => {
    const admin = await person("admin");
    await changeMailChoice("at_once", actorOf(admin));
    const id = await insertFailedMail({
      template: "alerts",
      recipient: "gone@example.com",
    });
    await update();
    expect(await alertRows("mail_failed", `mail:${id}`)).toMatchObject([{ clearedAt: null }]);
    expect(await mailsTo(admin)).toEqual([]);
  });
});
