import { expect, it } from "vitest";
import { greetingAt } from "./login-page";
import { packFields, unpackFields } from "./restored-form.server";

it.each([
  ["03:59", "Good Night"],
  ["04:00", "Good Morning"],
  ["12:59", "Good Morning"],
  ["13:00", "Good Day"],
  ["16:59", "Good Day"],
  ["17:00", "Good Evening"],
  ["23:59", "Good Evening"],
  ["00:00", "Good Night"],
])("greets at %s with %s", (time, greeting) => {
  expect(greetingAt(new Date(`2026-01-15T${time}:00Z`), "UTC")).toBe(greeting);
});

it("greets by the clock of the site", () => {
  expect(greetingAt(new Date("2026-07-01T02:30:00Z"), "Europe/Berlin")).toBe("Good Morning");
});

it("gives back what was typed, in order and with repeats, but no secret and no button", () => {
  const posted = new FormData();
  posted.append("name", "Summer <b>\u00e9\ud83c\udf89");
  posted.append("machines", "1");
  posted.append("machines", "2");
  posted.append("currentPassword", "hidden");
  posted.append("intent", "create");
  posted.append("photo", new File(["x"], "x.png"));
  expect(unpackFields(packFields(posted))).toEqual([
    ["name", "Summer <b>\u00e9\ud83c\udf89"],
    ["machines", "1"],
    ["machines", "2"],
  ]);
});

it.each([null, "", "{", "null", "{}", '[1,[1,2],["a"],["a",{}]]', "[".repeat(70_000)])(
  "takes nothing from %j",
  (packed) => expect(unpackFields(packed)).toEqual([]),
);
