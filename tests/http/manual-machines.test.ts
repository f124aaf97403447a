import { beforeAll, describe, expect, it } from "vitest";
import { db } from "../../app/db/connection.server";
import { syncMachines } from "../../app/features/machines/sync-machines.server";
import { paths, serverPaths } from "../../app/paths";
import type { VendingPlatform } from "../../app/services/vending-platform/vending-platform";
import { insertMachine } from "../factories/people-and-machines";
import { encodeForm } from "../support/multipart";
import { plainBrowser } from "../support/plain-browser";
import { addUser, issueTokenOf, openSessionOf, password, useServer } from "../support/server";
import { expectRejection, sessionOf, useSession } from "../support/session";

/** Machines of a site without a vending platform, which admins add and edit. */
const server = useServer({ environment: { SMARTVEND_URL: "" } });
const session = useSession(server);

const machine = (serial_number: string) => db()("machines").where({ serial_number }).first();
const lastAction = async () =>
  (await db()("audit_log").orderBy("id", "desc").first<{ action: string }>("action")).action;

describe("machines that admins add", () => {
  it("are pasted, one per line, with their names", async () => {
    expect(await session.text("/app/machines")).toContain(
      "No machines found Paste their serial numbers and names.",
    );
    const token = await issueTokenOf();
    expect((await server.call("GET", "/api/machines-list", { token })).json).toEqual([]);
    const page = await session.open("/app/machines/add");
    const list = 'Serial number;Name\nM-1, Lobby\nM-2\t"Gate ""B"", left"\n\nM-3';
    const machines = await page.press("Add machines", { machines: list });
    expect(machines.text).toContain("3 machines added");
    expect(machines.text).toContain("M-1Lobby");
    expect((await machine("M-2")).human_name).toBe('Gate "B", left');
    expect((await machine("M-3")).human_name).toBe("M-3");
    expect(await lastAction()).toBe("machine.added");
  });

  it("are imported from a file that is checked first, and undone", async () => {
    const { body } = await session.get("/app/imports/new?kind=machines");
    expect(body).toMatch(/<option[^>]*value="machines"[^>]*selected/);
    const form = new FormData();
    form.set("kind", "machines");
    form.set("file", new File(["Serial number,Name\nI-1,Gate\nI-2,Door\n"], "machines.csv"));
    const { headers } = await session.post("/app/imports/new", {}, await encodeForm(form));
    const path = headers.location!.split("?")[0]!;
    const waitFor = async (text: string) => {
      await expect.poll(() => session.text(path), { timeout: 20_000 }).toContain(text);
      return session.open(path);
    };
    const checked = await waitFor("All 2 rows can be imported.");
    expect(checked.text).toContain("GateI-1");
    expect(await machine("I-1")).toBeUndefined();
    await checked.press("Import 2 rows");
    const imported = await waitFor("Imported: 2 machines.");
    expect((await machine("I-2")).human_name).toBe("Door");
    const asked = await imported.follow("Undo import");
    expect(asked.text).toContain("This marks 2 machines as deleted. What is in use stays.");
    await asked.press("Undo import");
    await waitFor("Undone. The imported machines are marked as deleted");
    expect(await machine("I-2")).toMatchObject({ is_deleted: true });
  });

  it("come from a CSV file, whose lines stay in the form when one is refused", async () => {
    const form = new FormData();
    form.set("machines", "");
    form.set("file", new File(["M-4,Pool\nM-1,Again\n"], "machines.csv", { type: "text/csv" }));
    const refused = await session.post("/app/machines/add", {}, await encodeForm(form));
    expectRejection(refused, 422, "Already here: M-1. Nothing was added.");
    expect(refused.body).toContain("M-4,Pool\nM-1,Again");
    expect(await machine("M-4")).toBeUndefined();
  });

  it("come from a file beside typed lines, without its headings", async () => {
    const form = new FormData();
    form.set("machines", "M-10,\u200b");
    form.set("file", new File(["sep=,\nSerial_number,Name\nM-11,Listed\n"], "machines.csv"));
    const added = await session.post("/app/machines/add", {}, await encodeForm(form));
    expect(await session.follow(added)).toContain("2 machines added");
    expect(await machine("M-10")).toMatchObject({ human_name: "M-10" });
    for (const line of ["Serial_number", "sep="]) expect(await machine(line)).toBeUndefined();
  });

  it("are refused at the field of a file in another encoding, which would spoil their names", async () => {
    const form = new FormData();
    form.set("machines", "M-9,Typed");
    form.set("file", new File([Buffer.from("M-12,Café\n", "latin1")], "machines.csv"));
    const refused = await session.post("/app/machines/add", {}, await encodeForm(form));
    expectRejection(refused, 422, "This file is not encoded as UTF-8.");
    expect(refused.body).toContain("M-9,Typed");
    expect(await machine("M-12")).toBeUndefined();
  });

  it("are refused at the field of a file that is too big, and what was typed stays", async () => {
    const form = new FormData();
    form.set("machines", "M-9,Typed");
    form.set("file", new File(["M-4,Pool\n".repeat(25_000)], "machines.csv", { type: "text/csv" }));
    const refused = await session.post("/app/machines/add", {}, await encodeForm(form));
    expectRejection(refused, 422, "File is too big.");
    expect(refused.body).toContain("M-9,Typed");
    expect(refused.body).not.toContain("M-4,Pool");
  });

  it("are all refused when one line is wrong, and the message names the lines", async () => {
    const list = `M-5\n,Nameless\nM-5,Twice\n${"x".repeat(101)}`;
    const refused = await session.post("/app/machines/add", { machines: list });
    expectRejection(refused, 422, "Line 2: has no serial number. Line 3: M-5 is listed twice.");
    expect(await machine("M-5")).toBeUndefined();
    const hidden = await session.post("/app/machines/add", { machines: "M-1\u200b,Copied" });
    expectRejection(hidden, 422, "is no serial number: use at most 100 printable characters");
    const none = await session.post("/app/machines/add", { machines: " " });
    expectRejection(none, 422, "Enter at least one machine");
  });

  it("may have a comma in the serial number that an unknown machine asked with", async () => {
    const page = await session.open(serverPaths.newMachine('M;20, "left"'));
    expect((await page.press("Add machines")).text).toContain("1 machine added");
    expect(await machine('M;20, "left"')).toMatchObject({ human_name: 'M;20, "left"' });
    expect(await machine("M")).toBeUndefined();
    const named = '"M,21" , Lobby';
    expect((await session.post("/app/machines/add", { machines: named })).status).toBe(303);
    expect(await machine("M,21")).toMatchObject({ human_name: "Lobby" });
  });

  it("may have a line separator of a word processor in their names", async () => {
    const machines = 'M-7,Lobby\u20282nd floor\nM-8,"Hall\u2029north"';
    const added = await session.post("/app/machines/add", { machines });
    expect(added.status).toBe(303);
    expect((await machine("M-7")).human_name).toBe("Lobby\u20282nd floor");
    expect((await machine("M-8")).human_name).toBe("Hall\u2029north");
  });

  it("are renamed, marked as deleted and brought back on their page", async () => {
    await insertMachine({ serial_number: "M-6", human_name: "Old", is_manual: true });
    const page = await session.open("/app/machines/M-6/edit");
    const stalePage = await session.open("/app/machines/M-6/edit");
    const renamed = await page.press("Save changes", { humanName: "New" });
    expect(renamed.text).toContain("Machine successfully updated");
    expect(renamed.title).toContain(" - New - ");
    const stale = await stalePage.press("Save changes", { humanName: "Other" });
    expect(stale.status).toBe(409);
    expect(stale.text).toContain("Someone else changed this machine");
    expect(stale.text).toContain("Current nameNew");
    expect(stale.valuesOf("humanName")).toEqual(["Other"]);
    await stale.press("Save changes", { humanName: "Other" });
    const again = await page.press("Save changes", { humanName: "New" });
    expect(again.text).toContain("Machine successfully updated");
    expect((await machine("M-6")).human_name).toBe("Other");

    const ofQuarter = await session.open("/app/machines/M-6?period=90");
    const deleted = await ofQuarter.press("Mark as deleted");
    expect(deleted.address).toContain("period=90");
    expect(deleted.text).toContain("It accepts no code until an admin restores it.");
    expect(await session.text("/app/machines?serial_number=M-6")).toContain("Nothing matches");
    const restored = await deleted.press("Restore");
    expect(restored.text).toContain("Machine restored");
    expect(await session.text("/app/machines?serial_number=M-6")).toContain("Other");
  });

  it.each(["50%", "a#b?c=d", "~e%2Ff/g é"])(
    "are changed on their page with the serial number %s",
    async (serial_number) => {
      await insertMachine({ serial_number, human_name: "Old", is_manual: true });
      const edit = await session.open(paths.machineEdit(serial_number));
      const renamed = await edit.press("Save changes", { humanName: `Name of ${serial_number}` });
      expect(renamed.title).toContain(` - Name of ${serial_number} - `);
      const deleted = await renamed.press("Mark as deleted");
      expect(deleted.text).toContain("It accepts no code until an admin restores it.");
      expect(await machine(serial_number)).toMatchObject({ is_deleted: true });
    },
  );

  it("stay deleted when 'Restore' was pressed after the session had ended", async () => {
    const deleted = { serial_number: "M-9", human_name: "Late", is_manual: true, is_deleted: true };
    await insertMachine(deleted);
    const { email } = await addUser("late@example.com", "admin");
    const admin = plainBrowser(server, await openSessionOf(email));
    const page = await admin.open("/app/machines/M-9");
    admin.cookies.clear();
    const signIn = await page.press("Restore");
    const back = await (await signIn.press("Login", { email, password })).press("Continue");
    expect(back.text).toContain("You were signed out, so nothing was done.");
    expect((await machine("M-9")).is_deleted).toBe(true);
  });

  it("are changed by admins alone", async () => {
    await addUser("user@example.com");
    const user = sessionOf(server, await openSessionOf("user@example.com"));
    expect(await user.page("/app/machines")).not.toContain("Add machines");
    expect(await user.page("/app/machines/M-1")).not.toContain("Mark as deleted");
    expect((await user.post("/app/machines/M-1", { intent: "delete" })).status).toBe(403);
    expect((await machine("M-1")).is_deleted).toBe(false);
  });
});

describe("a platform that is connected later", () => {
  const platform: VendingPlatform = {
    listMachines: () =>
      Promise.resolve({
        machines: [{ serialNumber: "M-1", humanName: "Lobby, east", lastSeen: null }],
        badItems: { count: 0, examples: [] },
        unclear: [],
      }),
  };

  beforeAll(async () => {
    expect(await syncMachines({ platform })).toEqual({ kind: "done", flagged: 0, held: 9 });
  });

  it("takes over the machines that it lists, and asks before it flags the others", async () => {
    expect(await machine("M-1")).toMatchObject({ human_name: "Lobby, east", is_manual: false });
    expect(await machine("M-2")).toMatchObject({ is_deleted: false, is_manual: true });
    const { held_id } = await db()("platform_sync").first();
    expect(held_id).toEqual(expect.any(String));
  });
});
