import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { db } from "../../app/db/connection.server";
import { startPlatform, type ListedMachine, type TestPlatform } from "../support/platform";
import { addUser, useServer, type Answer } from "../support/server";

/** Messages of the machines screen about the vending platform, and the actions it offers. */
let platform: TestPlatform;
beforeAll(async () => {
  platform = await startPlatform({ machines: numbered(100) });
});
afterAll(() => platform.stop());
const server = useServer({ environment: () => platform.environment });

const cookies = { admin: "", user: "" };
type Person = keyof typeof cookies;
beforeAll(async () => {
  await addUser("user@example.com");
  cookies.admin = await server.signIn();
  cookies.user = await server.signIn("user@example.com");
});

beforeEach(async () => {
  Object.assign(platform, { mode: "ok", body: null, machines: numbered(100) });
  await db()("rate_limits").where("key", "like", "machines-refresh:%").delete();
});

function numbered(count: number): ListedMachine[] {
  return Array.from({ length: count }, (_, index) => ({
    serialNumber: `SN-${String(index).padStart(3, "0")}`,
    humanName: `Machine ${index}`,
  }));
}

const words = ({ body }: Answer) =>
  body.replaceAll("<!-- -->", "").replaceAll("&#x27;", "'").replaceAll("&amp;", "&");

async function refresh(person: Person = "admin", returnTo = ""): Promise<Answer> {
  return server.send("/app/machines/refresh", {
    method: "POST",
    body: { returnTo },
    cookie: cookies[person],
  });
}

/** The page that an answer leads to. */
async function follow(answer: Answer, person: Person = "admin"): Promise<string> {
  expect(answer.status, answer.body).toBe(303);
  return words(await server.send(answer.headers.location!, { cookie: cookies[person] }));
}

const show = async (person: Person, path = "/app/machines") =>
  words(await server.send(path, { cookie: cookies[person] }));

const deleted = () => db()("machines").where({ is_deleted: true }).orderBy("id").select("id");

async function shrinkTo(count: number): Promise<string> {
  await refresh();
  platform.machines = numbered(count);
  await db()("rate_limits").delete();
  await refresh();
  return (
    /name="held" value="([^"]+)"/.exec(await show("admin", "/app/machines/confirm"))?.[1] ?? ""
  );
}

const confirm = (held: string, person: Person = "admin", query = "") =>
  server.send(`/app/machines/confirm${query}`, {
    method: "POST",
    body: { held },
    cookie: cookies[person],
  });

describe("refreshing", () => {
  it("leads back to the list that it came from, and only to a list", async () => {
    platform.machines[7] = { serialNumber: "SN-007", humanName: "Seven <b>" };
    const answer = await refresh("user", "?serial_number=SN-00&page=1&flash=123456789012");
    expect(answer.headers.location).toMatch(
      /^\/app\/machines\?serial_number=SN-00&page=1&flash=[\w-]{12}$/,
    );
    const page = await follow(answer, "user");
    expect(page).toContain("Data refreshed successfully");
    expect(page).toContain("Seven &lt;b&gt;");
    expect((await refresh("admin", "https://evil.example")).headers.location).toMatch(
      /^\/app\/machines\?flash=[\w-]{12}$/,
    );
  });

  it("is for one person once in 30 s", async () => {
    expect(await follow(await refresh("user"), "user")).toContain("Data refreshed successfully");
    expect(await follow(await refresh("user"), "user")).toMatch(
      /Please wait (29|30) seconds before refreshing again\./,
    );
    expect(await follow(await refresh("admin"))).toContain("Data refreshed successfully");
  });

  it("by a link does nothing", async () => {
    const asked = platform.requests.length;
    const answer = await server.send("/app/machines/refresh", { cookie: cookies.user });
    expect(answer.headers.location).toBe("/app/machines");
    expect(platform.requests).toHaveLength(asked);
  });

  it("says that it has failed and why, and the list says how old it is", async () => {
    await refresh();
    platform.mode = "redirect";
    const page = await follow(await refresh("user"), "user");
    const reason = "SmartVend answers with a redirect (status 302), which is not followed.";
    expect(page).toContain(`Failed to refresh machines list: ${reason}`);
    expect(page).toMatch(/The machines shown are from [\d.]+ [\d:]+, less than a minute ago\./);
    expect(page).toContain("SN-000");
    expect(platform.strayed).toEqual([]);
  });

  it("says so when one runs already", async () => {
    let open = () => {};
    platform.gate = new Promise((resolve) => (open = resolve));
    const asked = platform.requests.length;
    const first = refresh("admin");
    await expect.poll(() => platform.requests.length).toBe(asked + 1);
    expect(await follow(await refresh("user"), "user")).toContain(
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
      { serialNumber: "SN-001", humanName: "Another" },
      ...Array.from({ length: 12 }, () => ({}) as ListedMachine),
    );
    const page = await follow(await refresh());
    expect(page).toContain("14 items in SmartVend's list are not valid:");
    expect(page).toContain(
      "‘&lt;img src=x onerror=alert(1)&gt;’: the serial number has characters that can't be shown",
    );
    expect(page).toContain("‘SN-001’: it is listed twice, differently");
    expect(page).toContain("Item 103: the serial number is missing");
    expect(page).toContain("and 4 more");
    expect(page).not.toContain("<img src=x");
  });
});

describe("a list that is held", () => {
  it("is shown to all; what is missing to admins, who may confirm it", async () => {
    const held = await shrinkTo(70);
    for (const person of ["admin", "user"] as const) {
      const page = await show(person);
      expect(page).toContain(
        "SmartVend lists only 70 machines. The 30 missing machines are not changed",
      );
      expect(page.includes("An admin has to confirm this.")).toBe(person === "user");
      expect(page.includes('href="/app/machines/confirm"')).toBe(person === "admin");
    }
    expect((await server.send("/app/machines/confirm", { cookie: cookies.user })).status).toBe(403);
    expect((await confirm(held, "user")).status).toBe(403);
    expect(await deleted()).toEqual([]);

    const dialog = await show("admin", "/app/machines/confirm");
    expect(dialog).toContain("Of the 100 machines here, 30 are missing from its list:");
    expect(dialog).toContain("SN-070");
    expect(dialog).toContain("and 10 more");
    const page = await follow(await confirm(held, "admin", "?page=1"));
    expect(page).toContain("30 machines are marked &quot;Deleted from SmartVend&quot;");
    expect(page).not.toContain("missing machines");
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
      expect(refused.status).toBe(409);
      expect(words(refused)).toContain("<title>Error: Missing machines");
      expect(words(refused)).toContain(
        "SmartVend's list has changed. Review it again before you confirm.",
      );
      expect(words(refused)).toContain("Of the 100 machines here, 40 are missing from its list:");
    }
    platform.mode = "down";
    const now = /name="held" value="([^"]+)"/.exec(
      await show("admin", "/app/machines/confirm"),
    )![1]!;
    const unanswered = await confirm(now);
    expect(unanswered.status).toBe(503);
    expect(words(unanswered)).toContain(
      "Failed to refresh machines list: SmartVend can't be reached.",
    );
    expect(await deleted()).toEqual(before);
  });

  it("is no longer held when all machines are back", async () => {
    const held = await shrinkTo(70);
    platform.machines = numbered(100);
    const done = "All machines are listed again. None was marked as deleted.";
    expect(await follow(await confirm(held))).toContain(done);
    expect(await show("admin", "/app/machines/confirm")).toContain("Nothing to confirm");
    expect(await follow(await confirm(held))).toContain(done);
  });
});
