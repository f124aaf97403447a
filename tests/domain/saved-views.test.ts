import type { Knex } from "knex";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { db } from "../../app/db/connection.server";
import { sweep } from "../../app/db/sweep.server";
import type { Actor } from "../../app/features/activity/audit-log.server";
import { deleteUser } from "../../app/features/people/user-admin.server";
import { viewParameters } from "../../app/features/promotions/list/view-tabs.server";
import {
  deleteView,
  listDeletedViews,
  oldDeletedViews,
  restoreView,
} from "../../app/features/promotions/list/deleted-views.server";
import {
  listSavedViews,
  renameView,
  saveView,
  setDefaultView,
  shareView,
} from "../../app/features/promotions/list/saved-views.server";
import { insertActor, insertUser } from "../factories/people-and-machines";
import { countSessions, openTransaction } from "../support/database-sessions";
import { useDatabase } from "../support/postgres";

useDatabase();

let mine: Actor;
let other: Actor;
beforeAll(async () => {
  mine = await insertUser();
  other = await insertUser();
});

const params = (text: string) => new URLSearchParams(text);

test("a view keeps filters, order and columns in one order, never a page", () => {
  const text = "text=50%25&type=single&sort=-name&per_page=50&hide=type.used";
  const others = "page=3&after=7&flash=abc&status=&colour=red";
  const reversed = text.split("&").reverse().join("&");
  expect(viewParameters(params(`${reversed}&${others}`))).toBe(text);
});

test("a view of that name of the same user is replaced only on request", async () => {
  await saveView(" Singles ", params("type=single"), { actor: mine });
  await expect(saveView("singles", params("type=mass"), { actor: mine })).rejects.toMatchObject({
    reason: "conflict",
    message: 'A view named "Singles" already exists.',
  });
  await saveView("singles", params("type=single&sort=name"), { actor: mine, replaces: true });
  await saveView("Singles", params("type=mass"), { actor: other });
  expect(await listSavedViews(mine)).toEqual([
    {
      id: expect.any(String),
      name: "singles",
      parameters: "type=single&sort=name",
      isDefault: false,
      isShared: false,
      version: 2,
      sharedBy: null,
      isOwned: true,
      isEditable: true,
    },
  ]);
});

test("at most one view opens the list", async () => {
  await saveView("Expired", params("status=expired"), { actor: mine });
  const [expired, singles] = await listSavedViews(mine);
  const defaultsOf = async (user: Actor) =>
    (await listSavedViews(user)).flatMap(({ parameters, isDefault }) =>
      isDefault ? parameters : [],
    );
  expect(await defaultsOf(mine)).toEqual([]);
  await setDefaultView(expired!.id, { actor: mine });
  await setDefaultView(singles!.id, { actor: mine });
  expect(await defaultsOf(mine)).toEqual(["type=single&sort=name"]);
  expect(await defaultsOf(other)).toEqual([]);
  await setDefaultView(null, { actor: mine });
  expect(await defaultsOf(mine)).toEqual([]);
});

test("views of other users cannot be renamed, shared, deleted or opened first, by admins neither", async () => {
  const [theirs] = await listSavedViews(other);
  const admin = { ...mine, role: "admin" } as const;
  await expect(deleteView(theirs!.id, { actor: admin })).rejects.toThrow("no longer exist");
  for (const id of [theirs!.id, "999999", "x"]) {
    await expect(renameView(id, "Taken over", 1, { actor: mine })).rejects.toThrow(
      "no longer exist",
    );
    await expect(shareView(id, true, { actor: mine })).rejects.toThrow("no longer exist");
    await expect(deleteView(id, { actor: mine })).rejects.toThrow("no longer exist");
    await expect(restoreView(id, { actor: mine })).rejects.toThrow("no longer exist");
  }
  await expect(setDefaultView(theirs!.id, { actor: mine })).rejects.toThrow("no longer exist");
  expect(await listSavedViews(other)).toEqual([theirs]);
});

test.each([
  ["", "Name is required"],
  ["   ", "Name is required"],
  ["x".repeat(101), "Name cannot exceed 100 characters"],
  ["a\0b", "Name contains characters that cannot be stored"],
  ["campaigns", "The QR List has a view with this name already"],
])("rejects the name '%s'", async (name, message) => {
  await expect(saveView(name, params(""), { actor: mine })).rejects.toThrow(message);
});

test("rejects the name of another view, but not a new spelling of its own", async () => {
  const [expired] = await listSavedViews(mine);
  await expect(renameView(expired!.id, "SINGLES", 1, { actor: mine })).rejects.toThrow(
    "A view with this name",
  );
  await renameView(expired!.id, "EXPIRED", 1, { actor: mine });
  await deleteView(expired!.id, { actor: mine });
  expect(await listSavedViews(mine)).toHaveLength(1);
});

describe("in two tabs at once", () => {
  let user: Actor;
  let first: string;
  let second: string;
  beforeAll(async () => {
    user = await insertUser();
    for (const name of ["First", "Second"]) await saveView(name, params(""), { actor: user });
    [first, second] = (await listSavedViews(user)).map(({ id }) => id) as [string, string];
  });

  const taken = { reason: "invalid", fields: { name: "A view with this name already exists" } };

  test("the later of two renames to one name is answered with the field's message", async () => {
    const rename = duringChange(
      async (otherTab) => otherTab("saved_views").where({ id: second }).update({ name: "Both" }),
      () => renameView(first, "both", 1, { actor: user }),
    );
    await expect(rename).rejects.toMatchObject(taken);
  });

  test("a rename to a name that is being saved is answered with the field's message", async () => {
    const rename = duringChange(
      async (otherTab) =>
        otherTab("saved_views").insert({ user_id: user.id, name: "Saved", parameters: "" }),
      () => renameView(first, "saved", 1, { actor: user }),
    );
    await expect(rename).rejects.toMatchObject(taken);
  });

  test("one of two choices of the first view is the default", async () => {
    await Promise.all([first, second].map((id) => setDefaultView(id, { actor: user })));
    expect((await listSavedViews(user)).filter((view) => view.isDefault)).toHaveLength(1);
  });

  /** Runs work that waits for a change of another tab, and then lets that change be saved. */
  async function duringChange<Result>(
    change: (otherTab: Knex.Transaction) => Promise<unknown>,
    work: () => Promise<Result>,
  ): Promise<Result> {
    const otherTab = await db().transaction();
    await change(otherTab);
    const outcome = Promise.allSettled([work()]);
    await expect.poll(() => countSessions("waiting for a lock")).toBe(1);
    await otherTab.commit();
    const [settled] = await outcome;
    if (settled.status === "rejected") throw settled.reason;
    return settled.value;
  }
});

test("rejects a view beyond 50, but still replaces existing ones", async () => {
  for (let i = (await listSavedViews(mine)).length; i < 50; i++) {
    await saveView(`View ${i}`, params(""), { actor: mine });
  }
  await expect(saveView("One more", params(""), { actor: mine })).rejects.toThrow(
    "No more than 50",
  );
  await saveView("View 7", params("type=mass"), { actor: mine, replaces: true });
});

async function insertShared(length: number) {
  const shared = { user_id: other.id, parameters: "", is_shared: true };
  const views = Array.from({ length }, (_, i) => ({ ...shared, name: `Shared ${i}` }));
  await db()("saved_views").insert(views);
}

describe("a shared view", () => {
  let owner: Actor;
  let colleague: Actor;
  let admin: Actor & { role: "admin" };
  beforeEach(async () => {
    owner = await insertUser({ first_name: "Anna", last_name: "Smith" });
    colleague = await insertUser();
    admin = await insertActor("admin");
    await db()("saved_views").delete();
    await saveView("Expiring", params("expires=7d"), { actor: owner });
  });

  const viewOf = async (reader: Actor) => (await listSavedViews(reader)).at(-1)!;
  const share = async () => {
    const { id } = await viewOf(owner);
    await shareView(id, true, { actor: owner });
    return id;
  };

  test("is seen by everybody, with who shares it, and changed by its owner and admins", async () => {
    const id = await share();
    const shared = { id, name: "Expiring", sharedBy: "Anna Smith" };
    expect(await viewOf(colleague)).toMatchObject({ ...shared, isEditable: false });
    expect(await viewOf(admin)).toMatchObject({ ...shared, isEditable: true });
    await expect(renameView(id, "Mine now", 1, { actor: colleague })).rejects.toThrow(
      "no longer exist",
    );
    await expect(deleteView(id, { actor: colleague })).rejects.toThrow("no longer exist");
    await renameView(id, "Ends soon", 1, { actor: admin });
    expect(await viewOf(owner)).toMatchObject({ name: "Ends soon", sharedBy: null });
    await shareView(id, false, { actor: admin });
    expect(await listSavedViews(colleague)).toEqual([]);
  });

  test("has a name that no other shared view has", async () => {
    await share();
    await saveView("EXPIRING", params("type=mass"), { actor: colleague });
    const [own] = await listSavedViews(colleague);
    await expect(shareView(own!.id, true, { actor: colleague })).rejects.toMatchObject({
      fields: { name: "Another shared view has this name" },
    });
  });

  test("is one of 100 at most", async () => {
    const { id } = await viewOf(owner);
    await insertShared(100);
    await expect(shareView(id, true, { actor: owner })).rejects.toThrow(
      "No more than 100 views can be shared",
    );
  });

  test("is one of 100 at most, also if two are shared at once", async () => {
    const { id } = await viewOf(owner);
    await insertShared(99);
    await saveView("Singles", params("type=single"), { actor: colleague });
    const [own] = await listSavedViews(colleague);
    // Lets the first one wait after it has counted the others.
    const holder = await openTransaction();
    const sameName = { user_id: other.id, parameters: "", is_shared: true, name: "Expiring" };
    await holder("saved_views").insert(sameName);
    const shares = [shareView(id, true, { actor: owner })];
    await expect.poll(() => countSessions("waiting for a lock")).toBe(1);
    shares.push(shareView(own!.id, true, { actor: colleague }));
    const results = Promise.allSettled(shares);
    await expect.poll(() => countSessions("waiting for a lock")).toBe(2);
    await holder.rollback();
    expect((await results).map(({ status }) => status)).toEqual(["fulfilled", "rejected"]);
  });

  test("is renamed by one of two people who do so at once", async () => {
    const id = await share();
    const { version } = await viewOf(admin);
    await renameView(id, "Ends this week", version, { actor: owner });
    await expect(renameView(id, "Ends soon", version, { actor: admin })).rejects.toMatchObject({
      reason: "conflict",
      message: expect.stringContaining("Someone else changed this view"),
    });
  });

  test("stays when its owner is deleted, for admins to change, but not to hide", async () => {
    const id = await share();
    await saveView("Private", params("type=mass"), { actor: owner });
    await deleteUser(owner.id, { actor: admin });
    expect(await listSavedViews(colleague)).toMatchObject([
      { id, sharedBy: "a deleted user", isOwned: false, isEditable: false },
    ]);
    await expect(shareView(id, false, { actor: admin })).rejects.toThrow("Delete the view instead");
    await deleteView(id, { actor: admin });
    await restoreView(id, { actor: admin });
    expect(await listSavedViews(colleague)).toHaveLength(1);
  });
});

describe("a deleted view", () => {
  let user: Actor;
  let id: string;
  beforeEach(async () => {
    await db()("saved_views").delete();
    user = await insertUser();
    await saveView("Singles", params("type=single"), { actor: user });
    id = (await listSavedViews(user))[0]!.id;
    await setDefaultView(id, { actor: user });
  });

  test("is restored as it was", async () => {
    const before = await listSavedViews(user);
    await deleteView(id, { actor: user });
    expect(await listSavedViews(user)).toEqual([]);
    expect(await listDeletedViews(user)).toEqual([{ id, name: "Singles" }]);
    await restoreView(id, { actor: user });
    expect(await listSavedViews(user)).toEqual(before);
  });

  test("is deleted, restored and renamed once by attempts that are repeated", async () => {
    const count = await db()("audit_log").count<{ count: string }[]>();
    for (let attempts = 0; attempts < 2; attempts++) {
      const deleted = await deleteView(id, { actor: user });
      expect([deleted.id, deleted.name]).toEqual([id, "Singles"]);
    }
    for (let attempts = 0; attempts < 2; attempts++)
      expect((await restoreView(id, { actor: user })).name).toBe("Singles");
    const [view] = await listSavedViews(user);
    for (let attempts = 0; attempts < 2; attempts++)
      await renameView(id, "Once", view!.version, { actor: user });
    expect(await listSavedViews(user)).toMatchObject([
      { name: "Once", version: view!.version + 1 },
    ]);
    const [after] = await db()("audit_log").count<{ count: string }[]>();
    expect(Number(after!.count) - Number(count[0]!.count)).toBe(3);
  });

  test("waits while another view has its name, and leaves the new default view alone", async () => {
    await deleteView(id, { actor: user });
    await saveView("singles", params("type=single"), { actor: user });
    const [successor] = await listSavedViews(user);
    await setDefaultView(successor!.id, { actor: user });
    await expect(restoreView(id, { actor: user })).rejects.toThrow(
      "A view with this name already exists",
    );
    await renameView(successor!.id, "Others", 1, { actor: user });
    await restoreView(id, { actor: user });
    const views = await listSavedViews(user);
    expect(views.map(({ name, isDefault }) => [name, isDefault])).toEqual([
      ["Others", true],
      ["Singles", false],
    ]);
  });

  test("is not restored as the 101st that is shared", async () => {
    await shareView(id, true, { actor: user });
    await deleteView(id, { actor: user });
    await insertShared(100);
    await expect(restoreView(id, { actor: user })).rejects.toThrow(
      "No more than 100 views can be shared",
    );
    await db()("saved_views").where({ name: "Shared 7" }).delete();
    await restoreView(id, { actor: user });
    expect(await db()("saved_views").where({ id })).toMatchObject([{ is_shared: true }]);
  });

  test("is gone after a day", async () => {
    await deleteView(id, { actor: user });
    await sweep([oldDeletedViews]);
    expect(await listDeletedViews(user)).toHaveLength(1);
    await db()("deleted_views").update({ deleted_at: db().raw("now() - interval '25 hours'") });
    await sweep([oldDeletedViews]);
    expect(await listDeletedViews(user)).toEqual([]);
  });
});
