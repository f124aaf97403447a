import { beforeAll, expect, test } from "vitest";
import {
  defaultViewParameters,
  deleteView,
  listSavedViews,
  renameView,
  saveView,
  setDefaultView,
  viewParameters,
} from "../../app/features/promotions/list/saved-views.server";
import { insertUser } from "../factories/people-and-machines";
import { useDatabase } from "../support/postgres";

useDatabase();

let mine: string;
let other: string;
beforeAll(async () => {
  mine = (await insertUser()).id;
  other = (await insertUser()).id;
});

const params = (text: string) => new URLSearchParams(text);

test("a view keeps filters, order and columns, never a page", () => {
  const text = "type=single&text=50%25&sort=-name&hide=type.used&per_page=50";
  expect(viewParameters(params(`${text}&page=3&after=7&f=abc&status=&colour=red`))).toBe(text);
});

test("views belong to one person; the same name replaces", async () => {
  await saveView(mine, " Singles ", params("type=single"));
  await saveView(mine, "singles", params("type=single&sort=name"));
  await saveView(other, "Singles", params("type=mass"));
  expect(await listSavedViews(mine)).toEqual([
    {
      id: expect.any(String),
      name: "singles",
      parameters: "type=single&sort=name",
      isDefault: false,
    },
  ]);
});

test("one may be the default", async () => {
  await saveView(mine, "Expired", params("status=expired"));
  const [expired, singles] = await listSavedViews(mine);
  expect(await defaultViewParameters(mine)).toBeNull();
  await setDefaultView(mine, expired!.id);
  await setDefaultView(mine, singles!.id);
  expect(await defaultViewParameters(mine)).toBe("type=single&sort=name");
  expect(await defaultViewParameters(other)).toBeNull();
  await setDefaultView(mine, null);
  expect(await defaultViewParameters(mine)).toBeNull();
});

test("nobody reaches what is not theirs", async () => {
  const [theirs] = await listSavedViews(other);
  for (const id of [theirs!.id, "999999", "x", null]) {
    await expect(renameView(mine, id, "Taken over")).rejects.toThrow("not there any more");
    await expect(deleteView(mine, id)).rejects.toThrow("not there any more");
  }
  await expect(setDefaultView(mine, theirs!.id)).rejects.toThrow("not there any more");
  expect(await listSavedViews(other)).toEqual([theirs]);
});

test.each([
  ["", "Name is required"],
  ["   ", "Name is required"],
  ["x".repeat(101), "Name cannot exceed 100 characters"],
  ["a\0b", "Name contains characters that cannot be stored"],
])("the name '%s' is refused", async (name, sentence) => {
  await expect(saveView(mine, name, params(""))).rejects.toThrow(sentence);
});

test("a name that is taken is refused; its own in other letters is not", async () => {
  const [expired] = await listSavedViews(mine);
  await expect(renameView(mine, expired!.id, "SINGLES")).rejects.toThrow("Another view");
  await renameView(mine, expired!.id, "EXPIRED");
  await deleteView(mine, expired!.id);
  expect(await listSavedViews(mine)).toHaveLength(1);
});

test("no more than 50 are kept", async () => {
  for (let i = (await listSavedViews(mine)).length; i < 50; i++) {
    await saveView(mine, `View ${i}`, params(""));
  }
  await expect(saveView(mine, "One more", params(""))).rejects.toThrow("No more than 50");
  await saveView(mine, "View 7", params("type=mass"));
});
