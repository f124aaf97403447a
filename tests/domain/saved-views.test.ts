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
import { countSessions } from "../support/database-sessions";
import { useDatabase } from "../support/postgres";

useDatabase();

let mine: Actor;
let other: Actor;
beforeAll(async () => {
  mine = await insertUser();
  other = await insertUser();
});

const params = (text: string) => new URLSearchParams(text);

test("a view keeps filters, order and columns, never a page", () => {
  const text = "type=single&text=50%25&sort=-name&hide=type.used&per_page=50";
  expect(viewParameters(params(`${text}&page=3&after=7&flash=abc&status=&colour=red`))).toBe(text);
});

test("a view of that name of the same user is replaced only on request", async () => {
  await saveView(mine, " Singles ", params("type=single"));
  await expect(saveView(mine, "singles", params("type=mass"))).rejects.toMatchObject({
    reason: "conflict",
    message: 'A view named "Singles" already exists.',
  });
  await saveView(mine, "singles", params("type=single&sort=name"), { replaces: true });
  await saveView(other, "Singles", params("type=mass"));
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
  await saveView(mine, "Expired", params("status=expired"));
  const [expired, singles] = await listSavedViews(mine);
  const defaultsOf = async (user: Actor) =>
    (await listSavedViews(user)).flatMap(({ parameters, isDefault }) =>
      isDefault ? parameters : [],
    );
  expect(await defaultsOf(mine)).toEqual([]);
  await setDefaultView(mine, expired!.id);
  await setDefaultView(mine, singles!.id);
  expect(await defaultsOf(mine)).toEqual(["type=single&sort=name"]);
  expect(await defaultsOf(other)).toEqual([]);
  await setDefaultView(mine, null);
  expect(await defaultsOf(mine)).toEqual([]);
});

test("views of other users cannot be renamed, shared, deleted or opened first, by admins neither", async () => {
  const [theirs] = await listSavedViews(other);
  const admin = { ...mine, role: "admin" } as const;
  await expect(deleteView(admin, theirs!.id)).rejects.toThrow("no longer exist");
  for (const id of [theirs!.id, "999999", "x", null]) {
    await expect(renameView(mine, id, "Taken over", 1)).rejects.toThrow("no longer exist");
    await expect(shareView(mine, id, true)).rejects.toThrow("no longer exist");
    await expect(deleteView(mine, id)).rejects.toThrow("no longer exist");
    await expect(restoreView(mine, id)).rejects.toThrow("no longer exist");
  }
  await expect(setDefaultView(mine, theirs!.id)).rejects.toThrow("no longer exist");
  expect(await listSavedViews(other)).toEqual([theirs]);
});

test.each([
  ["", "Name is required"],
  ["   ", "Name is required"],
  ["x".repeat(101), "Name cannot exceed 100 characters"],
  ["a\0b", "Name contains characters that cannot be stored"],
  ["campaigns", "The QR List has a view with this name already"],
])("rejects the name '%s'", async (name, message) => {
  await expect(saveView(mine, name, params(""))).rejects.toThrow(message);
});

test("rejects the name of another view, but not a new spelling of its own", async () => {
  const [expired] = await listSavedViews(mine);
  await expect(renameView(mine, expired!.id, "SINGLES", 1)).rejects.toThrow(
    "A view with this name",
  );
  await renameView(mine, expired!.id, "EXPIRED", 1);
  await deleteView(mine, expired!.id);
  expect(await listSavedViews(mine)).toHaveLength(1);
});

describe("in two tabs at once", () => {
  let user: Actor;
  let first: string;
  let second: string;
  beforeAll(async () => {
    user = await insertUser();
    for (const name of ["First", "Second"]) await saveView(user, name, params(""));
    [first, second] = (await listSavedViews(user)).map(({ id }) => id) as [string, string];
  });

  const taken = { reason: "invalid", fields: { name: "A view with this name already exists" } };

  test("the later of two renames to one name is answered with the field's message", async () => {
    const rename = duringChange(
      async (otherTab) => otherTab("saved_views").where({ id: second }).update({ name: "Both" }),
      () => renameView(user, first, "both", 1),
    );
    await expect(rename).rejects.toMatchObject(taken);
  });

  test("a rename to a name that is being saved is answered with the field's message", async () => {
    const rename = duringChange(
      async (otherTab) =>
        otherTab("saved_views").insert({ user_id: user.id, name: "Saved", parameters: "" }),
      () => renameView(user, first, "saved", 1),
    );
    await expect(rename).rejects.toMatchObject(taken);
  });

  test("the later of two choices of the first view wins", async () => {
    await duringChange(
      async (otherTab) =>
        otherTab("saved_views").where({ id: second }).update({ is_default: true }),
      () => setDefaultView(user, first),
    );
    const views = await listSavedViews(user);
    expect(views.filter((view) => view.isDefault).map(({ id }) => id)).toEqual([first]);
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
    await saveView(mine, `View ${i}`, params(""));
  }
  await expect(saveView(mine, "One more", params(""))).rejects.toThrow("No more than 50");
  await saveView(mine, "View 7", params("type=mass"), { replaces: true });
});

async function insertHundredShared() {
  const shared = { user_id: other.id, parameters: "", is_shared: true };
  const views = Array.from({ length: 100 }, (_, i) => ({ ...shared, name: `Shared ${i}` }));
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
    await saveView(owner, "Expiring", params("expires=7d"));
  });

  const viewOf = async (reader: Actor) => (await listSavedViews(reader)).at(-1)!;
  const share = async () => {
    const { id } = await viewOf(owner);
    await shareView(owner, id, true);
    return id;
  };

  test("is seen by everybody, with who shares it, and changed by its owner and admins", async () => {
    const id = await share();
    const shared = { id, name: "Expiring", sharedBy: "Anna Smith" };
    expect(await viewOf(colleague)).toMatchObject({ ...shared, isEditable: false });
    expect(await viewOf(admin)).toMatchObject({ ...shared, isEditable: true });
    await expect(renameView(colleague, id, "Mine now", 1)).rejects.toThrow("no longer exist");
    await expect(deleteView(colleague, id)).rejects.toThrow("no longer exist");
    await renameView(admin, id, "Ends soon", 1);
    expect(await viewOf(owner)).toMatchObject({ name: "Ends soon", sharedBy: null });
    await shareView(admin, id, false);
    expect(await listSavedViews(colleague)).toEqual([]);
  });

  test("has a name that no other shared view has", async () => {
    await share();
    await saveView(colleague, "EXPIRING", params("type=mass"));
    const [own] = await listSavedViews(colleague);
    await expect(shareView(colleague, own!.id, true)).rejects.toMatchObject({
      fields: { name: "Another shared view has this name" },
    });
  });

  test("is one of 100 at most", async () => {
    const { id } = await viewOf(owner);
    await insertHundredShared();
    await expect(shareView(owner, id, true)).rejects.toThrow(
      "No more than 100 views can be shared",
    );
  });

  test("is renamed by one of two people who do so at once", async () => {
    const id = await share();
    const { version } = await viewOf(admin);
    await renameView(owner, id, "Ends this week", version);
    await expect(renameView(admin, id, "Ends soon", version)).rejects.toMatchObject({
      reason: "conflict",
      message: expect.stringContaining("Someone else changed this view"),
    });
  });

  test("stays when its owner is deleted, for admins to change, but not to hide", async () => {
    const id = await share();
    await saveView(owner, "Private", params("type=mass"));
    await deleteUser(owner.id, { actor: admin });
    expect(await listSavedViews(colleague)).toMatchObject([
      { id, sharedBy: "a deleted user", isOwned: false, isEditable: false },
    ]);
    await expect(shareView(admin, id, false)).rejects.toThrow("Delete the view instead");
    await deleteView(admin, id);
    await restoreView(admin, id);
    expect(await listSavedViews(colleague)).toHaveLength(1);
  });
});

describe("a deleted view", () => {
  let user: Actor;
  let id: string;
  beforeEach(async () => {
    await db()("saved_views").delete();
    user = await insertUser();
    await saveView(user, "Singles", params("type=single"));
    id = (await listSavedViews(user))[0]!.id;
    await setDefaultView(user, id);
  });

  test("is restored as it was", async () => {
    const before = await listSavedViews(user);
    await deleteView(user, id);
    expect(await listSavedViews(user)).toEqual([]);
    expect(await listDeletedViews(user)).toEqual([{ id, name: "Singles" }]);
    await restoreView(user, id);
    expect(await listSavedViews(user)).toEqual(before);
  });

  test("is deleted, restored and renamed once by attempts that are repeated", async () => {
    const count = await db()("audit_log").count<{ count: string }[]>();
    for (let attempts = 0; attempts < 2; attempts++) {
      const deleted = await deleteView(user, id);
      expect([deleted.id, deleted.name]).toEqual([id, "Singles"]);
    }
    for (let attempts = 0; attempts < 2; attempts++)
      expect((await restoreView(user, id)).name).toBe("Singles");
    const [view] = await listSavedViews(user);
    for (let attempts = 0; attempts < 2; attempts++)
      await renameView(user, id, "Once", view!.version);
    expect(await listSavedViews(user)).toMatchObject([
      { name: "Once", version: view!.version + 1 },
    ]);
    const [after] = await db()("audit_log").count<{ count: string }[]>();
    expect(Number(after!.count) - Number(count[0]!.count)).toBe(3);
  });

  test("waits while another view has its name, and leaves the new default view alone", async () => {
    await deleteView(user, id);
    await saveView(user, "singles", params("type=single"));
    const [successor] = await listSavedViews(user);
    await setDefaultView(user, successor!.id);
    await expect(restoreView(user, id)).rejects.toThrow("A view with this name already exists");
    await renameView(user, successor!.id, "Others", 1);
    await restoreView(user, id);
    const views = await listSavedViews(user);
    expect(views.map(({ name, isDefault }) => [name, isDefault])).toEqual([
      ["Others", true],
      ["Singles", false],
    ]);
  });

  test("is not restored as the 101st that is shared", async () => {
    await shareView(user, id, true);
    await deleteView(user, id);
    await insertHundredShared();
    await expect(restoreView(user, id)).rejects.toThrow("No more than 100 views can be shared");
    await db()("saved_views").where({ name: "Shared 7" }).delete();
    await restoreView(user, id);
    expect(await db()("saved_views").where({ id })).toMatchObject([{ is_shared: true }]);
  });

  test("is gone after a day", async () => {
    await deleteView(user, id);
    await sweep([oldDeletedViews]);
    expect(await listDeletedViews(user)).toHaveLength(1);
    await db()("deleted_views").update({ deleted_at: db().raw("now() - interval '25 hours'") });
    await sweep([oldDeletedViews]);
    expect(await listDeletedViews(user)).toEqual([]);
  });
});
