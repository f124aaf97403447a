import { beforeAll, describe, expect, it } from "vitest";
import { db } from "../../app/db/connection.server";
import { formIdField } from "../../app/forms/validator";
import { assign, assignmentsOf, editAlone, setFactsOf } from "../factories/assignments";
import { insertGroup } from "../factories/machine-groups";
import { insertMassGeneration } from "../factories/mass-generations";
import { insertMachine } from "../factories/people-and-machines";
import { insertPromotion } from "../factories/promotions";
import { textsOf } from "../support/html";
import { useServer } from "../support/server";
import { expectRejection, useSession } from "../support/session";

/** Machine groups with nothing but HTTP: every task is a plain form post. */
const session = useSession(useServer());
const { get, post, follow } = session;
const machineIds = {} as Record<"VM-1" | "VM-2", string>;

beforeAll(async () => {
  for (const serial of ["VM-1", "VM-2", "VM-3"] as const)
    Object.assign(machineIds, { [serial]: (await insertMachine({ serial_number: serial })).id });
  await insertMachine({ serial_number: "VM-old", is_deleted: true });
});

/** The values of checkboxes with a name that are ticked. */
const tickedIn = (html: string, name: string) =>
  [...html.matchAll(/<input[^>]*>/g)]
    .map(([input]) => input)
    .filter((input) => input.includes(`name="${name}"`) && input.includes("checked="))
    .map((input) => /value="([^"]*)"/.exec(input)![1]);

describe("a group", () => {
  it("is made, filled, edited and deleted", async () => {
    expect((await get("/app/machine-groups")).body).toContain("No machine groups yet");
    const fields = { name: "  Central Station ", kind: "site" };
    const made = await post("/app/machine-groups/new", fields);
    expect(made.status).toBe(303);
    const path = made.headers.location!.split("?")[0]!;
    const page = await follow(made);
    expect(page).toContain("Machine group successfully created");
    expect(page).toContain("No machines in this group yet");
    expect(textsOf(page, "h1")).toEqual(["Central Station"]);

    const pasted = await post(`${path}?per_page=50`, {
      intent: "paste",
      serials: "VM-1; vm-2\r\nVM-1",
    });
    expect(pasted.status).toBe(303);
    expect(pasted.headers.location).toMatch(/machine-groups\/\d+\?per_page=50&flash=/);
    expect(await follow(pasted)).toContain("2 machines added: VM-1, VM-2.");
    const chosen = await post(`${path}?add=list`, { intent: "choose", machines: ["VM-3", "VM-1"] });
    expect(await follow(chosen)).toContain("1 machine added: VM-3. Already in the group: VM-1.");
    const removed = await post(path, { intent: "remove", members: ["VM-1", "VM-2"] });
    expect(await follow(removed)).toContain("2 machines removed: VM-1, VM-2.");

    const edit = {
      [formIdField]: "edit-group",
      intent: "save",
      name: "Main Station",
      kind: "customer",
      version: "1",
    };
    expect(await follow(await post(path, edit))).toContain("Machine group successfully updated");
    const late = await post(path, { ...edit, name: "Other" });
    expectRejection(late, 409, "Someone else changed this group after you opened it.");
    expect(late.body).toContain('value="Other"');
    expect(late.body).toContain('name="version" value="2"');

    const deleted = await post(`${path}/delete`);
    expect(deleted.headers.location).toMatch(/^\/app\/machine-groups\?flash=/);
    expect(await follow(deleted)).toContain("Machine group successfully deleted");
    expect((await get(path)).status).toBe(404);
    const repeated = await post(`${path}/delete`);
    expect(await follow(repeated)).toContain("This machine group is already deleted.");
  });

  it("that can't be deleted at the moment is not said to be deleted", async () => {
    const fields = { name: "Busy", kind: "site", idempotency_key: "once-busy" };
    const path = (await post("/app/machine-groups/new", fields)).headers.location!.split("?")[0]!;
    const holder = await db().transaction();
    try {
      await holder.raw("select from machine_groups where id = ? for update", [
        path.split("/").at(-1)!,
      ]);
      const deletion = post(`${path}/delete`);
      await expect
        .poll(async () => {
          const { rows } = await db().raw<{ rows: object[] }>(
            `select pg_cancel_backend(pid) from pg_stat_activity
             where wait_event_type = 'Lock' and query like '%from machine_groups%'`,
          );
          return rows.length;
        })
        .toBe(1);
      expect((await deletion).status).toBe(503);
    } finally {
      await holder.rollback();
    }
    expect((await get(path)).status).toBe(200);
  });

  it("that can't be made comes back as it was typed", async () => {
    await insertGroup([], { name: "Taken" });
    for (const [name, kind, sentence] of [
      ["", "site", "Name is required"],
      ["x".repeat(201), "route", "Name cannot exceed 200 characters"],
      ["A", "planet", "Choose a kind"],
      ["TAKEN", "site", "A group with this name already exists"],
    ] as const) {
      const refused = await post("/app/machine-groups/new", {
        [formIdField]: "new-group",
        name,
        kind,
        idempotency_key: `once-${sentence.length}`,
      });
      expect(refused.status, sentence).toBe(422);
      expect(refused.body).toContain("<title>Error: New group");
      expect(refused.body).toContain(sentence);
      expect(refused.body).toContain(`value="${name}"`);
    }
    const restored = await post("/app/machine-groups/new", {
      [formIdField]: "new-group",
      name: "Kept",
      kind: "route",
      intent: "restore",
    });
    expect([restored.status, restored.body.includes('value="Kept"')]).toEqual([200, true]);
  });

  it.each(["999999", "9223372036854775808"])("%s is 404", async (id) => {
    const paths = [`/app/machine-groups/${id}`, `/app/machine-groups/${id}/delete`];
    for (const path of paths) {
      expect((await get(path)).status).toBe(404);
      expect((await post(path, { intent: "paste" })).status).toBe(404);
    }
  });
});

describe("pasting serial numbers", () => {
  it("names what became of each, and keeps what is not known in the box", async () => {
    const path = `/app/machine-groups/${await insertGroup()}`;
    const answer = await post(path, {
      intent: "paste",
      serials: "VM-1, VM-old, <b>VM-9</b>\nnowhere;VM-2",
    });
    expectRejection(answer, 422, "<title>Error: ");
    expect(answer.body).toContain(
      "2 serial numbers are unknown. 1 machine is marked as deleted and was not added. The serial numbers still in the box were not added: correct them and add them again.",
    );
    expect(textsOf(answer.body, "textarea")).toEqual(["<b>VM-9</b>\nnowhere"]);
    const report = textsOf(answer.body, "dd");
    for (const words of ["VM-1, VM-2", "VM-old", "<b>VM-9</b>, nowhere"])
      expect(report).toContain(words);
    expect(textsOf(answer.body, "th")).toEqual(expect.arrayContaining(["VM-1", "VM-2"]));
    expect((await get(path)).body).toContain("add=paste#paste-machines");
    expect(textsOf((await get(`${path}?add=paste`)).body, "textarea")).toEqual([""]);
    expect(textsOf((await get(path)).body, "textarea")).toEqual([]);
  });

  it("names the first five that were added, and the number of the others", async () => {
    const serials = Array.from({ length: 7 }, (_, index) => `BULK-${index + 1}`);
    await db()("machines").insert(
      serials.map((serial_number) => ({ serial_number, human_name: "" })),
    );
    const path = `/app/machine-groups/${await insertGroup()}`;
    const answer = await post(path, { intent: "paste", serials: serials.join("\r\n") });
    expect(await follow(answer)).toContain(
      "7 machines added: BULK-1, BULK-2, BULK-3, BULK-4, BULK-5 and 2 more.",
    );
  });

  it("refuses more than 2,000 in a sentence, and loses none of them", async () => {
    const id = await insertGroup();
    const serials = Array.from({ length: 2_001 }, (_, index) => `VM-${index}`).join("\n");
    const answer = await post(`/app/machine-groups/${id}`, { intent: "paste", serials });
    expectRejection(
      answer,
      422,
      "No more than 2,000 serial numbers can be added at once, and these are 2,001. Nothing was added.",
    );
    expect(textsOf(answer.body, "textarea")).toEqual([serials]);
    expect(await db()("machine_group_members").where({ group_id: id })).toEqual([]);
  });

  it("says when there is nothing, or nothing new", async () => {
    const path = `/app/machine-groups/${await insertGroup([machineIds["VM-1"]])}`;
    const empty = await post(path, { intent: "paste", serials: " \n" });
    expect(empty.body).toContain("Enter at least one serial number");
    const known = await post(path, { intent: "paste", serials: "vm-1" });
    expect(await follow(known)).toContain("Nothing to add. Already in the group: VM-1.");
  });
});

describe("the page of a group", () => {
  it("keeps what is ticked, typed and chosen when something is refused", async () => {
    const path = `/app/machine-groups/${await insertGroup([], { name: "Still named" })}`;
    const nothing = await post(path, { intent: "remove" });
    expectRejection(nothing, 422, "Choose at least one machine to remove");
    expect(nothing.body).toMatch(/<input(?=[^>]*name="name")[^>]*value="Still named"/);
    const unchosen = await post(`${path}?add=list`, { intent: "choose", machine_search: "" });
    expectRejection(unchosen, 422, "Choose at least one machine");
    const searched = await post(`${path}?add=list`, {
      intent: "search-machines",
      machine_search: "vm-2",
      machines: "VM-1",
    });
    expect(searched.status).toBe(200);
    expect(tickedIn(searched.body, "machines")).toEqual(["VM-1"]);
    expect(searched.body).not.toContain('value="VM-3"');
    const all = await post(`${path}?add=list`, {
      intent: "select-all",
      machine_search: "",
      machines: "VM-1",
    });
    expect(tickedIn(all.body, "machines")).toEqual(
      expect.arrayContaining(["VM-1", "VM-2", "VM-3"]),
    );
    const gone = await post(`${path}?add=list`, {
      intent: "choose",
      machine_search: "",
      machines: ["VM-1", "VM-old"],
    });
    expectRejection(gone, 422, "Not available: VM-old. Nothing was added.");
    expect(tickedIn(gone.body, "machines")).toEqual(["VM-1"]);
    const restored = await post(path, { serials: "VM-7\nVM-8", intent: "restore" });
    expect([restored.status, textsOf(restored.body, "textarea")]).toEqual([200, ["VM-7\nVM-8"]]);
  });

  it("says what the group is for, and what deleting it takes away", async () => {
    const [one, two] = [machineIds["VM-1"], machineIds["VM-2"]];
    const id = await insertGroup([one, two], { name: "North <hall>" });
    const single = await insertPromotion({ name: "Alone & assigned", is_assigned: true });
    const batch = await insertMassGeneration({ name: "Batch", num_codes: 40, is_assigned: true });
    await assign("promotions", single, { group_id: id }, { machine_id: one });
    await assign("mass_generations", batch, { group_id: id });
    const page = await get(`/app/machine-groups/${id}`);
    expect(page.body).toContain("1 single code and 1 mass generation (40 codes)");
    expect(textsOf(page.body, "a")).toEqual(expect.arrayContaining(["Alone & assigned", "Batch"]));
    const dialog = await get(`/app/machine-groups/${id}/delete`);
    for (const sentence of [
      "Delete the group &quot;North &lt;hall&gt;&quot;?",
      "The group will be deleted for good; its machines stay, and it is removed from 1 single code and 1 mass generation (40 codes), including deleted ones.",
      "1 mass generation (40 codes) will have no machine left and can't be redeemed until one is assigned.",
    ])
      expect(dialog.body).toContain(sentence);
    // The pages of its assignments name the resulting machines.
    const promotion = await get(`/app/qr-list/${single}`);
    expect(promotion.body).toContain("Redeemable at 2 machines: 1 directly, 1 through 1 group");
    expect(promotion.body).toMatch(/Group: <a [^>]*>North &lt;hall&gt;/);
    const generation = await get(`/app/qr-generation/${batch}`);
    expect(generation.body).toContain("Redeemable at 2 machines: 0 directly, 2 through 1 group");
    await post(`/app/machine-groups/${id}/delete`);
    const left = (await get(`/app/qr-generation/${batch}`)).body;
    expect(left).toContain("No machine accepts these 40 codes yet. Assign machines first.");
    expect(left).toContain("Group deleted (40 codes)");
  });
});

describe("the dialog of a mass generation", () => {
  it("adds, removes and unassigns machines and groups, posted by hand", async () => {
    const batch = await insertMassGeneration({ name: "Fair", num_codes: 3 });
    const path = `/app/qr-generation/${batch}/machines`;
    const group = await insertGroup([machineIds["VM-1"]], { name: "Fair halls" });
    const [code] = await db()("promotions").where({ mass_generation_id: batch }).pluck("id");
    await editAlone(code);

    const empty = await get(path);
    expect(empty.body).toContain(
      "Changes here apply to 2 codes. 1 code has its own machines and is not changed.",
    );
    expect(empty.body).toContain("No machines assigned. No machine accepts these codes.");
    const refused = await post(path, { intent: "add", machines: "VM-old", groups: group });
    expectRejection(refused, 422, "Not available: VM-old. Nothing was added.");
    expect(tickedIn(refused.body, "groups")).toEqual([group]);
    const added = await post(`${path}?page=1`, { intent: "add", machines: "VM-2", groups: group });
    expect(added.headers.location).toMatch(/machines\?page=1&flash=/);
    const page = await follow(added);
    expect(page).toContain("Machines and groups successfully added");
    expect(page).toContain("Redeemable at 2 machines: 1 directly, 1 through 1 group");
    const removed = await post(path, { intent: `remove-group:${group}` });
    expect(await follow(removed)).toContain("Group successfully removed");
    expect((await get(`${path}?question=1`)).body).toContain(
      "Are you sure you want to unassign all machines from this campaign?",
    );
    const cleared = await post(path, { intent: "unassign-all" });
    expect(await follow(cleared)).toContain("All machines successfully unassigned");
    expect((await get("/app/qr-generation/999999/machines")).status).toBe(404);
  });
});

describe("a change that had arrived", () => {
  it("is not done again to the machines of a code after somebody else changed them", async () => {
    const id = await insertPromotion({ name: "Chosen twice" });
    const path = `/app/qr-list/${id}/machines`;
    const choosing = await session.open(path);
    const add = () => choosing.press("Add Selected", { machines: "VM-1" });
    expect((await add()).text).toContain("Machines successfully added");
    await post(path, { intent: "unassign-all" });
    expect((await add()).text).toContain("Machines successfully added");
    expect(await assignmentsOf("promotions", id)).toEqual([]);
    // Another choice is another attempt.
    await choosing.press("Add Selected", { machines: ["VM-2"] });
    expect(await assignmentsOf("promotions", id)).toHaveLength(1);

    const removing = await session.open(`${path}?question=1`);
    const machine = await db()("machines").where({ serial_number: "VM-2" }).first("human_name");
    for (const button of ["Yes, unassign all", `Remove ${machine.human_name || "VM-2"}, VM-2`]) {
      await removing.press(button);
      await post(path, { intent: "add", machines: "VM-2" });
      expect((await removing.press(button)).text).toMatch(/successfully (unassigned|removed)/);
      expect(await assignmentsOf("promotions", id)).toHaveLength(1);
    }
  });

  it("is not done again to the members of a group after somebody else changed them", async () => {
    const group = await insertGroup([machineIds["VM-2"]], { name: "Twice" });
    const path = `/app/machine-groups/${group}`;
    const members = () => db()("machine_group_members").where({ group_id: group });
    const reverse = async () => {
      await members().delete();
      await db()("machine_group_members").insert({
        group_id: group,
        machine_id: machineIds["VM-2"],
      });
    };
    const attempts = [
      [path, "Remove selected machines", { members: "VM-2" }, "1 machine removed: VM-2."],
      [`${path}?add=paste`, "Add machines", { serials: "VM-1" }, "1 machine added: VM-1."],
      [`${path}?add=list`, "Add selected machines", { machines: "VM-3" }, "1 machine added: VM-3."],
    ] as const;
    for (const [address, button, fields, message] of attempts) {
      const form = await session.open(address);
      expect((await form.press(button, fields)).text).toContain(message);
      await reverse();
      expect((await form.press(button, fields)).text).toContain(message);
      expect(await members()).toMatchObject([{ machine_id: machineIds["VM-2"] }]);
    }
  });

  it("keeps the form that adds machines open while its machines are searched and their number is chosen", async () => {
    const group = await insertGroup([machineIds["VM-1"]]);
    const form = await session.open(`/app/machine-groups/${group}?add=paste`);
    const searched = await form.press("Search", { search: "VM" });
    for (const page of [searched, await searched.press("Go", { per_page: "50" })]) {
      expect(page.text).toContain("Serial numbers");
      expect(page.valuesOf("search")).toEqual(["VM"]);
    }
  });

  it("leaves the rest of a paste as another attempt", async () => {
    const group = await insertGroup([], { name: "Pasted" });
    const form = await session.open(`/app/machine-groups/${group}?add=paste`);
    const rest = await form.press("Add machines", { serials: "VM-1 VM-8" });
    expectRejection(rest, 422, "VM-8");
    const corrected = await rest.press("Add machines", { serials: "VM-2" });
    expect(corrected.text).toContain("1 machine added: VM-2.");
  });
});

describe("the forms that make codes", () => {
  it("take groups, and keep them ticked", async () => {
    const group = await insertGroup([], { name: "For new codes" });
    const fields = {
      promotionName: "With a group",
      discount_type: "percentage",
      discount: "10",
      groups: group,
      intent: "create",
    };
    const search = { intent: "search-machines", machine_search: "new codes" };
    const searched = await post("/app/qr-generation", { ...fields, ...search });
    expect(tickedIn(searched.body, "groups")).toEqual([group]);
    const refused = await post("/app/qr-generation", { ...fields, groups: [group, "999999"] });
    expectRejection(refused, 422, "A chosen group no longer exists. Nothing was created.");
    expect(tickedIn(refused.body, "groups")).toEqual([group]);
    expect((await post("/app/qr-generation", fields)).status).toBe(303);
    const [made] = await db()("promotions").where({ name: "With a group" });
    expect(await setFactsOf([made.id])).toMatchObject([{ is_assigned: true }]);
    expect(await assignmentsOf("promotions", made.id)).toEqual([
      { group_id: group, machine_id: null },
    ]);
    const copy = await get(`/app/qr-generation?from=${made.id}`);
    expect(tickedIn(copy.body, "groups")).toEqual([group]);

    const generated = await post("/app/qr-generation/mass", {
      name: "Batch with a group",
      num_codes: "3",
      discount_type: "percentage",
      discount_value: "10",
      groups: group,
      intent: "create",
    });
    expect(generated.status).toBe(303);
    expect(await follow(generated)).toContain(
      "The assigned group has no machines, so no machine accepts its codes.",
    );
  });
});
