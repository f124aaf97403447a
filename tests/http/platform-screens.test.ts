import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { db } from "../../app/db/connection.server";
import { numbered, startPlatform, type ListedMachine } from "../support/platform";
import { useServer } from "../support/server";
import { expectRejection, useSession } from "../support/session";

/** Messages of the machines screen about the vending platform, and the actions it offers. */
const platform = await startPlatform({ machines: numbered(100) });
afterAll(() => platform.stop());
const server = useServer({ environment: platform.environment });

const admin = useSession(server);
const user = useSession(server, "user@example.com");
const { follow, page } = admin;
const confirmation = "/app/machines/confirm";

beforeEach(async () => {
  Object.assign(platform, { mode: "ok", body: null, machines: numbered(100) });
  await db()("rate_limits").where("key", "like", "machines-refresh:%").delete();
});

const refresh = (by = admin, returnTo = "") => by.post("/app/machines/refresh", { returnTo });

const deleted = () => db()("machines").where({ is_deleted: true }).orderBy("id").select("id");

async function shrinkTo(count: number): Promise<string> {
  await refresh();
  platform.machines = numbered(count);
  await db()("rate_limits").delete();
  await refresh();
  return heldList();
}

/** Returns the id of the list that the confirmation shows. */
const heldList = async () =>
  /name="held" value="([^"]+)"/.exec(await page(confirmation))?.[1] ?? "";

const confirm = (held: string, query = "") => admin.post(`${confirmation}${query}`, { held });

describe("refreshing", () => {
  it("leads back to the list that it came from, and to no other site", async () => {
    platform.machines[7] = { serialNumber: "SN-00007", humanName: "Seven <b>" };
    const list = "/app/machines?serial_number=SN-0000&page=1&flash=123456789012";
    const answer = await refresh(user, list);
    expect(answer.headers.location).toMatch(
      /^\/app\/machines\?serial_number=SN-0000&page=1&flash=rows\.[\w-]{12}$/,
    );
    const shown = await user.follow(answer);
    expect(shown).toContain("Data refreshed successfully");
    expect(shown).toContain("Seven &lt;b&gt;");
    expect((await refresh(admin, "https://evil.example")).headers.location).toMatch(
      /^\/app\/machines\?flash=rows\.[\w-]{12}$/,
    );
  });

  it("from an alert leads back to the alerts, which tell the outcome", async () => {
    const job = db()("jobs").where({ kind: "alerts", is_running: false });
    // The job would clear what nothing raises.
    await expect.poll(() => job.clone().update({ next_attempt_at: "2099-01-01" })).toBe(1);
    await db()("alerts").insert({
      kind: "sync_failed",
      subject: "platform",
      message: "No refresh has succeeded",
      is_mailed: true,
      button: { label: "Refresh machines", to: "/app/machines/refresh", isPost: true },
    });
    const alerts = await admin.open("/app/alerts?kind=sync_failed");
    const button = "Refresh machines: No refresh has succeeded";
    const refreshed = await alerts.press(button);
    expect(refreshed.address).toContain("/app/alerts?kind=sync_failed&flash=");
    expect(refreshed.html).toContain("Data refreshed successfully");
    expect((await alerts.press(button)).html).toContain("before refreshing again.");
  });

  it("is for one person once in 30 s", async () => {
    expect(await user.follow(await refresh(user))).toContain("Data refreshed successfully");
    expect(await user.follow(await refresh(user))).toMatch(
      /Please wait (29|30) seconds before refreshing again\./,
    );
    expect(await follow(await refresh())).toContain("Data refreshed successfully");
  });

  it("by a link does nothing", async () => {
    const asked = platform.requests.length;
    const answer = await user.get("/app/machines/refresh");
    expect(answer.headers.location).toBe("/app/machines");
    expect(platform.requests).toHaveLength(asked);
  });

  it("says that it has failed and why, and the list says how old it is", async () => {
    await refresh();
    platform.mode = "redirect";
    const shown = await user.follow(await refresh(user));
    const reason = "SmartVend answers with a redirect (status 302), which is not followed.";
    expect(shown).toContain(`Failed to refresh machines list: ${reason}`);
    expect(shown).toMatch(/The machines shown are from [\d.]+ [\d:]+, less than a minute ago\./);
    expect(shown).toContain("SN-00000");
    expect(platform.strayed).toEqual([]);
  });

  it("says so when one runs already", async () => {
    let open = () => {};
    platform.gate = new Promise((resolve) => (open = resolve));
    const asked = platform.requests.length;
    const first = refresh();
    await expect.poll(() => platform.requests.length).toBe(asked + 1);
    expect(await user.follow(await refresh(user))).toContain(
      "The machines are already being refreshed. Check again in a few seconds.",
    );
    open();
    expect(await follow(await first)).toContain("Data refreshed successfully");
  });
});

describe("what is wrong with the list", () => {
  it("is said in words that are safe to show", async () => {
    platform.machines.push(
      { serialNumber: "<img src=x onerror=alert(1)>\u202e" },
      { serialNumber: "SN-00001", humanName: "Another" },
      ...Array.from({ length: 12 }, () => ({}) as ListedMachine),
    );
    const shown = await follow(await refresh());
    expect(shown).toContain("14 items in SmartVend's list are not valid:");
    expect(shown).toContain(
      "&quot;&lt;img src=x onerror=alert(1)&gt;&quot;: the serial number has characters that can't be shown",
    );
    expect(shown).toContain("&quot;SN-00001&quot;: it is listed twice, differently");
    expect(shown).toContain("Item 103: the serial number is missing");
    expect(shown).toContain("and 4 more");
    expect(shown).not.toContain("<img src=x");
  });
});

describe("a list that is held", () => {
  it("is shown to all; what is missing to admins, who may confirm it", async () => {
    const held = await shrinkTo(70);
    for (const person of [admin, user]) {
      const list = await person.page("/app/machines");
      expect(list).toContain(
        "SmartVend lists only 70 machines. The 30 missing machines are not changed",
      );
      expect(list.includes("An admin has to confirm this.")).toBe(person === user);
      expect(list.includes(`href="${confirmation}"`)).toBe(person === admin);
    }
    expect(await deleted()).toEqual([]);

    const dialog = await page(confirmation);
    expect(dialog).toContain("Of the 100 machines here, 30 are missing from its list:");
    expect(dialog).toContain("SN-00070");
    expect(dialog).toContain("and 10 more");
    const list = await follow(await confirm(held, "?page=1"));
    expect(list).toContain("30 machines are marked &quot;Deleted from SmartVend&quot;");
    expect(list).not.toContain("missing machines");
    expect(await deleted()).toHaveLength(30);
    const [entry] = await db()("audit_log").where({ action: "machine.deletion_confirmed" });
    expect(entry).toMatchObject({ actor_name: "admin@example.com", covered: 30 });
    expect(entry.request_id).toMatch(/^[\w-]{36}$/);
  });

  it("is confirmed as it was shown, or not at all", async () => {
    const held = await shrinkTo(70);
    platform.machines = numbered(60);
    await db()("rate_limits").delete();
    await refresh();
    const before = await deleted();
    for (const id of [held, "", "nonsense"]) {
      const refused = await confirm(id);
      const message = "SmartVend's list has changed. Review it again before you confirm.";
      expectRejection(refused, 409, message);
      expect(refused.body).toContain("<title>Error: Are these machines gone?");
      expect(refused.body).toContain("Of the 100 machines here, 40 are missing from its list:");
    }
    platform.mode = "down";
    const unanswered = await confirm(await heldList());
    const reason = "SmartVend can't be reached.";
    expectRejection(unanswered, 503, `Failed to refresh machines list: ${reason}`);
    expect(await deleted()).toEqual(before);
  });

  it("is no longer held when all machines are back", async () => {
    const held = await shrinkTo(70);
    platform.machines = numbered(100);
    const done = "All machines are listed again. None was marked as deleted.";
    expect(await follow(await confirm(held))).toContain(done);
    expect(await page(confirmation)).toContain("Nothing to confirm");
    expect(await follow(await confirm(held))).toContain(done);
  });
});
