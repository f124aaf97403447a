import type { Knex } from "knex";
import { beforeAll, describe, expect, test } from "vitest";
import { db } from "../../app/db/connection.server";
import type { Actor } from "../../app/features/activity/audit-log.server";
import {
  deleteView,
  listSavedViews,
  renameView,
  saveView,
  setDefaultView,
  viewParameters,
} from "../../app/features/promotions/list/saved-views.server";
import { insertUser } from "../factories/people-and-machines";
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
  expect(await listSavedViews(mine.id)).toEqual([
    {
      id: expect.any(String),
      name: "singles",
      parameters: "type=single&sort=name",
      isDefault: false,
    },
  ]);
});

test("at most one view opens the list", async () => {
  await saveView(mine, "Expired", params("status=expired"));
  const [expired, singles] = await listSavedViews(mine.id);
  const defaultsOf = async (user: Actor) =>
    (await listSavedViews(user.id)).flatMap(({ parameters, isDefault }) =>
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

test("views of other users cannot be renamed, deleted or opened first", async () => {
  const [theirs] = await listSavedViews(other.id);
  for (const id of [theirs!.id, "999999", "x", null]) {
    await expect(renameView(mine, id, "Taken over")).rejects.toThrow("no longer exist");
    await expect(deleteView(mine, id)).rejects.toThrow("no longer exist");
  }
  await expect(setDefaultView(mine, theirs!.id)).rejects.toThrow("no longer exist");
  expect(await listSavedViews(other.id)).toEqual([theirs]);
});

test.each([
  ["", "Name is required"],
  ["   ", "Name is required"],
  ["x".repeat(101), "Name cannot exceed 100 characters"],
  ["a\0b", "Name contains characters that cannot be stored"],
])("rejects the name '%s'", async (name, message) => {
  await expect(saveView(mine, name, params(""))).rejects.toThrow(message);
});

test("rejects the name of another view, but not a new spelling of its own", async () => {
  const [expired] = await listSavedViews(mine.id);
  await expect(renameView(mine, expired!.id, "SINGLES")).rejects.toThrow("A view with this name");
  await renameView(mine, expired!.id, "EXPIRED");
  await deleteView(mine, expired!.id);
  expect(await listSavedViews(mine.id)).toHaveLength(1);
});

describe("in two tabs at once", () => {
  let user: Actor;
  let first: string;
  let second: string;
  beforeAll(async () => {
    user = await insertUser();
    for (const name of ["First", "Second"]) await saveView(user, name, params(""));
    [first, second] = (await listSavedViews(user.id)).map(({ id }) => id) as [string, string];
  });

  const taken = { reason: "invalid", fields: { name: "A view with this name already exists" } };

  test("the later of two renames to one name is answered with the field's message", async () => {
    const rename = duringChange(
      async (otherTab) => otherTab("saved_views").where({ id: second }).update({ name: "Both" }),
      () => renameView(user, first, "both"),
    );
    await expect(rename).rejects.toMatchObject(taken);
  });

  test("a rename to a name that is being saved is answered with the field's message", async () => {
    const rename = duringChange(
      async (otherTab) =>
        otherTab("saved_views").insert({ user_id: user.id, name: "Saved", parameters: "" }),
      () => renameView(user, first, "saved"),
    );
    await expect(rename).rejects.toMatchObject(taken);
  });

  test("the later of two choices of the first view wins", async () => {
    await duringChange(
      async (otherTab) =>
        otherTab("saved_views").where({ id: second }).update({ is_default: true }),
      () => setDefaultView(user, first),
    );
    const views = await listSavedViews(user.id);
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
  for (let i = (await listSavedViews(mine.id)).length; i < 50; i++) {
    await saveView(mine, `View ${i}`, params(""));
  }
  await expect(saveView(mine, "One more", params(""))).rejects.toThrow("No more than 50");
  await saveView(mine, "View 7", params("type=mass"), { replaces: true });
});
