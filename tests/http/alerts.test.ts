import { randomUUID } from "node:crypto";
import { beforeEach, describe, expect, it } from "vitest";
import { db } from "../../app/db/connection.server";
import type { AlertKindName } from "../../app/features/alerts/alert-kinds.server";
import { insertPromotion } from "../factories/promotions";
import { plainBrowser } from "../support/plain-browser";
import { addUser, issueTokenOf, openSessionOf, password, useServer } from "../support/server";
import { sessionOf, useSession } from "../support/session";

const server = useServer();
const { post, page, text, follow, open } = useSession(server);

const rowOf = (kind: AlertKindName, row: Record<string, unknown> = {}) => ({
  kind,
  subject: randomUUID(),
  message: `Something of ${kind}`,
  is_mailed: true,
  button: { label: "Mend it", to: "/app/faq" },
  ...row,
});

async function insertAlert(kind: AlertKindName, row: Record<string, unknown> = {}) {
  const [alert] = await db()("alerts").insert(rowOf(kind, row)).returning<{ id: string }[]>("id");
  return alert!.id;
}

/** Sets when the job that raises and clears alerts runs next, once it has ended. */
const scheduleJob = (next_attempt_at: Date | string) =>
  expect
    .poll(() =>
      db()("jobs").where({ kind: "alerts", is_running: false }).update({ next_attempt_at }),
    )
    .toBe(1);

// The job would clear what nothing raises.
beforeEach(async () => {
  await scheduleJob("2099-01-01");
  await db()("alerts").delete();
  await db()("alert_mutes").delete();
});

async function signedIn(role: "user" | "viewer") {
  const { email } = await addUser(`${randomUUID()}@example.com`, role);
  return sessionOf(server, await openSessionOf(email));
}

const numberIn = (html: string) => /aria-label="Alerts, (\d+)"/.exec(html)?.[1] ?? null;

describe("the screen Alerts", () => {
  it("says that nothing needs anybody", async () => {
    const html = await page("/app/alerts");
    expect(html).toContain("No open alerts");
    expect(html).toMatch(
      /href="\/app\/dashboard"[^]*href="\/app\/alerts"[^]*href="\/app\/qr-list"/,
    );
  });

  it("shows each alert newest first, with its reason and the button that mends it", async () => {
    await insertAlert("campaign_ending", { raised_at: "2026-01-01T10:00:00Z" });
    await insertAlert("mail_failed", {
      button: { label: "Send again", to: "/app/jobs/mail-1/run", isPost: true },
    });
    const html = await page("/app/alerts");
    expect(await text("/app/alerts")).toMatch(
      /Mail failed\s+Something of mail_failed[^]*Ends soon\s+Something of campaign_ending\s+01\.01\.2026 11:00/,
    );
    expect(html).toMatch(/<a[^>]* href="\/app\/faq"[^>]*>Mend it/);
    expect(html).toMatch(/<form method="post" action="\/app\/jobs\/mail-1\/run"[^]*Send again/);
  });

  it("is raised by the running product, and cleared once it is mended", async () => {
    const id = await insertPromotion({ name: "Fair" });
    const runUntil = async (isCleared: boolean) => {
      await scheduleJob(new Date());
      await expect
        .poll(() =>
          db()("alerts")
            .where({ subject: `promotion:${id}` })
            .first("cleared_at"),
        )
        .toEqual({ cleared_at: isCleared ? expect.any(Date) : null });
    };
    await runUntil(false);
    const open = await page("/app/alerts");
    expect(open).toContain("&quot;Fair&quot; is assigned to no machine");
    expect(open).toContain(`href="/app/qr-list/${id}/machines"`);
    await db()("promotions").where({ id }).update({ is_active: false });
    await runUntil(true);
    expect(await text("/app/alerts?state=cleared")).toContain("&quot;Fair&quot;");
    expect(await text("/app/alerts")).not.toContain("&quot;Fair&quot;");
  });

  it("dismisses an alert for all, names who did it, as the audit log does, and undoes it", async () => {
    await insertAlert("campaign_ending");
    const alerts = await open("/app/alerts");
    const dismissed = await alerts.press("Dismiss: Something of campaign_ending");
    expect(dismissed.text).toContain("Alert dismissed");
    const other = await signedIn("user");
    expect(await other.text("/app/alerts")).toContain("No open alerts");
    expect(numberIn(await page("/app/faq"))).toBe(null);
    expect(await other.text("/app/alerts?state=hidden")).toMatch(
      /Something of campaign_ending\s+Dismissed by admin@example\.com on \d\d\.\d\d\.\d{4}/,
    );
    expect(await text("/app/audit?subject_type=alert")).toMatch(
      /Dismissed[^]*Something of campaign_ending/,
    );
    expect((await dismissed.press("Undo")).text).toContain("Alert restored");
    expect(await other.text("/app/alerts")).toContain("Something of campaign_ending");
    expect(numberIn(await page("/app/faq"))).toBe("1");
  });

  it("leaves an alert as somebody else changed it when a change that had arrived is sent again", async () => {
    const id = await insertAlert("campaign_ending");
    const alerts = await open("/app/alerts");
    const other = await openSessionOf((await addUser(`${randomUUID()}@example.com`, "user")).email);
    const buttons = { Dismiss: "Alert dismissed", "Mute for a week": "Alert muted for a week" };
    for (const [button, message] of Object.entries(buttons)) {
      const pressed = () => alerts.press(`${button}: Something of campaign_ending`);
      expect((await pressed()).text).toContain(message);
      await sessionOf(server, other).post(`/app/alerts/${id}`, { intent: "undo" });
      expect((await pressed()).text).toContain(message);
      expect(await text("/app/alerts")).toContain("Something of campaign_ending");
    }
  });

  it("says the same of a second alert, and undoes that one", async () => {
    await insertAlert("campaign_ending");
    await insertAlert("mail_failed");
    const first = await (await open("/app/alerts")).press("Dismiss: Something of campaign_ending");
    const second = await first.press("Dismiss: Something of mail_failed");
    expect(second.text).toContain("Alert dismissed");
    const undone = await second.press("Undo");
    expect(undone.text).toContain("Something of mail_failed");
    expect(undone.text).not.toContain("Something of campaign_ending");
  });

  it("stays on the list as it was filtered when a dismissal is undone", async () => {
    await insertAlert("campaign_ending");
    const alerts = await open("/app/alerts?kind=campaign_ending&per_page=50");
    const dismissed = await alerts.press("Dismiss: Something of campaign_ending");
    const undone = await dismissed.press("Undo");
    expect(undone.text).toContain("Alert restored");
    expect(undone.address).toContain("/app/alerts?kind=campaign_ending&per_page=50");
  });

  it("mutes an alert for a week, and restores it without scripts", async () => {
    await insertAlert("campaign_ending");
    const alerts = await open("/app/alerts");
    const muted = await alerts.press("Mute for a week: Something of campaign_ending");
    expect(muted.text).toContain("Alert muted for a week");
    const hidden = await open("/app/alerts?state=hidden");
    expect(hidden.text).toContain("Muted by admin@example.com until ");
    expect((await hidden.press("Restore: Something of campaign_ending")).text).toContain(
      "Alert restored",
    );
    expect(await text("/app/alerts")).toContain("Something of campaign_ending");
  });

  it("says that nothing was done when its button was pressed after the session had ended", async () => {
    await insertAlert("campaign_ending");
    const { email } = await addUser("late@example.com");
    const user = plainBrowser(server, await openSessionOf(email));
    const pressLate = async (address: string, label: string) => {
      const shown = await user.open(address);
      user.cookies.clear();
      const signIn = await shown.press(`${label}: Something of campaign_ending`);
      const back = await (await signIn.press("Login", { email, password })).press("Continue");
      expect(back.address).toContain(address);
      expect(back.text).toContain("You were signed out, so nothing was done.");
      return back.press(`${label}: Something of campaign_ending`);
    };
    expect((await pressLate("/app/alerts", "Dismiss")).text).toContain("Alert dismissed");
    const restored = await pressLate("/app/alerts?state=hidden", "Restore");
    expect(restored.text).toContain("Alert restored");
  });

  it("says so when an alert was dismissed already, is mended or is none", async () => {
    const id = await insertAlert("campaign_ending");
    for (let time = 0; time < 2; time++) await post(`/app/alerts/${id}`, { intent: "dismiss" });
    const repeated = await post(`/app/alerts/${id}`, { intent: "dismiss" });
    expect(await follow(repeated)).toMatch(/This alert was already dismissed<.*>Undo</);
    await db()("alerts").where({ id }).update({ cleared_at: new Date() });
    const late = await post(`/app/alerts/${id}`, { intent: "mute" });
    expect(await follow(late)).toContain("This alert was cleared: the problem is fixed.");
    const none = await post("/app/alerts/999999", { intent: "dismiss" });
    expect(await follow(none)).toContain("Alert not found");
    const wrong = await post(`/app/alerts/${id}`, { intent: "explode" });
    expect(await follow(wrong)).toContain("Choose what to do with the alert.");
  });

  it("has filters by kind once it is more than a handful", async () => {
    for (let count = 0; count < 5; count++) await insertAlert("campaign_ending");
    expect(await page("/app/alerts")).not.toContain('name="kind"');
    await insertAlert("mail_failed");
    expect(await page("/app/alerts")).toContain('name="kind"');
    const filtered = await text("/app/alerts?kind=mail_failed");
    expect(filtered).toContain("Something of mail_failed");
    expect(filtered).not.toContain("Something of campaign_ending");
  });

  it("shows users what they can mend, and viewers nothing", async () => {
    const id = await insertAlert("mail_failed");
    await insertAlert("campaign_ending");
    const user = await signedIn("user");
    const shown = await user.text("/app/alerts");
    expect(shown).toContain("Something of campaign_ending");
    expect(shown).not.toContain("Something of mail_failed");
    expect(await user.page("/app/alerts?kind=mail_failed")).toMatch(/kind[^<]*ignored/i);
    expect(
      await user.follow(await user.post(`/app/alerts/${id}`, { intent: "dismiss" })),
    ).toContain("Alert not found");
    // The number is counted every 5 s; a page costs more than a look at a table.
    const numbers = async () => [
      numberIn(await user.page("/app/faq")),
      numberIn(await page("/app/faq")),
    ];
    await expect.poll(numbers, { interval: 300 }).toEqual(["1", "2"]);
    const viewer = await signedIn("viewer");
    expect((await viewer.get("/app/alerts")).status).toBe(403);
    expect(await viewer.page("/app/faq")).not.toContain("/app/alerts");
  });

  it("keeps the choice of mails of each person", async () => {
    expect(await text("/app/alerts")).toContain("Mails to you: Never");
    const answer = await post("/app/alerts/mails", { intent: "daily" });
    expect(await follow(answer)).toContain("Mails about alerts: daily at 07:00");
    expect(await text("/app/alerts")).toContain("Mails to you: Daily at 07:00");
    expect(await (await signedIn("user")).text("/app/alerts")).toContain("Mails to you: Never");
    const wrong = await post("/app/alerts/mails", { intent: "hourly" });
    expect(await follow(wrong)).toContain("Choose when you get mails about alerts.");
    await post("/app/alerts/mails", { intent: "never" });
    expect(await db()("alert_mails")).toEqual([]);
  });
});

describe("GET /api/alerts", () => {
  it("answers the open alerts that the caller can mend", async () => {
    const id = await insertAlert("campaign_ending", { subject: "promotion:1" });
    await insertAlert("mail_failed");
    await db()("alerts").insert(rowOf("campaign_ending", { cleared_at: new Date() }));
    const { email } = await addUser(`${randomUUID()}@example.com`);
    const token = await issueTokenOf(email);
    const answer = await server.call("GET", "/api/alerts", { token });
    expect([answer.status, answer.json]).toEqual([
      200,
      [
        {
          id: Number(id),
          kind: "campaign_ending",
          subject: "promotion:1",
          message: "Something of campaign_ending",
          path: "/app/faq",
          raised_at: expect.stringMatching(/Z$/),
        },
      ],
    ]);
    const admin = await server.call("GET", "/api/alerts", { token: await issueTokenOf() });
    expect(admin.json).toHaveLength(2);
    const viewer = await addUser(`${randomUUID()}@example.com`, "viewer");
    const refused = await server.call("GET", "/api/alerts", {
      token: await issueTokenOf(viewer.email),
    });
    expect(refused.status).toBe(403);
  });

  it("is not told to users by events, where admins alone see it", async () => {
    for (const [role, name] of [
      ["user", "open"],
      ["admin", "secret"],
    ])
      await db()("recorded_events").insert({
        type: "alert.raised",
        subject: `alert:${name}`,
        data: { alert: { role, message: name } },
      });
    const { email } = await addUser(`${randomUUID()}@example.com`);
    const subjectsOf = async (token: string) => {
      const feed = await server.call("GET", "/api/events?types=alert.raised&wait=0", { token });
      return feed.json.events.map(({ subject }: { subject: string }) => subject);
    };
    const admin = await issueTokenOf();
    await expect
      .poll(() => subjectsOf(admin))
      .toEqual(expect.arrayContaining(["alert:secret", "alert:open"]));
    const seen = await subjectsOf(await issueTokenOf(email));
    expect(seen).toContain("alert:open");
    expect(seen).not.toContain("alert:secret");
  });
});
